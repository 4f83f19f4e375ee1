import { annotateDocument } from "../annotate-document.ts";
import { classifyDocument, type DocumentKind, type LikelyKind } from "../kinds/classify.ts";
import { kindNames, kinds } from "../kinds/kinds.ts";
import type { ConceptId } from "../lexicon/concepts.ts";
import type { GazetteerShards } from "../lexicon/gazetteer.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import { defaultLimits, openDocument, type OpenLimits } from "../formats/open.ts";
import type { InputFile } from "../formats/reader.ts";
import { Budget, ExtractionProblem } from "../problem.ts";

/** The kind of an attachment, with its confidence. */
export interface ClassifiedAttachment extends LikelyKind {
  fileName: string;
  /** Whether the attachment was classified only by its name. */
  unseen?: boolean;
}

/** Further files of a mail are classified by their names. */
const maxOpened = 10;
const limits: OpenLimits = {
  ...defaultLimits,
  pages: 60,
  words: 60_000,
  depth: 1,
  attachments: 5,
  unpackedBytes: 40_000_000,
};

/** Limits in milliseconds. A file that takes longer is classified by its name. */
export interface TimeLimits {
  each: number;
  all: number;
}

/** Used if a client waits for the classification. */
const usual: TimeLimits = { each: 4000, all: 12_000 };
const byNameAlone = 0.55;
const unknown = 0.3;
const agreed = 0.4;

const titles: Partial<Record<ConceptId, DocumentKind>> = {
  ...Object.fromEntries(kindNames.flatMap((kind) => kinds[kind].titles.map((title) => [title, kind]))),
  titleFuelStatement: "statement",
};

/** Classifies the files of a mail by content and name. Files without extractable text are classified by name. */
export async function classifyAttachments(
  files: readonly InputFile[],
  gazetteer: GazetteerShards,
  today: { year: number; month: number; day: number },
  timeLimits: TimeLimits = usual,
): Promise<ClassifiedAttachment[]> {
  const end = Date.now() + timeLimits.all;
  const classified: ClassifiedAttachment[] = [];
  for (const [at, file] of files.entries()) {
    const left = end - Date.now();
    const seen = at < maxOpened && left > 0 ? await kindIn(file, Math.min(left, timeLimits.each)) : undefined;
    const kind = together(seen, kindOfName(file.name));
    classified.push({ fileName: file.name, ...kind, ...(!seen && { unseen: true }) });
  }
  return classified;

  async function kindIn(file: InputFile, milliseconds: number): Promise<LikelyKind | undefined> {
    const budget = new Budget(milliseconds);
    try {
      await budget.pause();
      const document = await openDocument(file, limits, budget);
      const around = await annotateDocument(document, { gazetteer, budget, today });
      return around.annotations.layout.segments.length > 0 ? classifyDocument(around)[0] : undefined;
    } catch (cause) {
      if (cause instanceof ExtractionProblem) return undefined;
      throw cause;
    }
  }
}

function together(seen: LikelyKind | undefined, named: DocumentKind | undefined): LikelyKind {
  if (!seen) return named ? { kind: named, confidence: byNameAlone } : { kind: "other", confidence: unknown };
  if (seen.kind === named) return { kind: seen.kind, confidence: seen.confidence + (1 - seen.confidence) * agreed };
  return named && (seen.confidence < byNameAlone || seen.kind === "other")
    ? { kind: named, confidence: byNameAlone }
    : seen;
}

function kindOfName(name: string): DocumentKind | undefined {
  const words = name.replace(/\.\w{1,5}$/, "").replaceAll(/[_\-.+\d]+/g, " ");
  const hits = findLabels(words).flatMap(({ concept, weight }) =>
    titles[concept] && weight >= 0.5 ? [{ kind: titles[concept], weight }] : [],
  );
  return hits.toSorted((a, b) => b.weight - a.weight)[0]?.kind;
}

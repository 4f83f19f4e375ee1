import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import { kindNames, type KindName } from "../../src/extraction/kinds/kinds.ts";
import type { Recognise } from "../../src/extraction/images/recogniser.ts";
import { Budget, ExtractionProblem } from "../../src/extraction/problem.ts";
import { extractDocument } from "../../src/extraction/extract.ts";
import type { ExtractedItem } from "../../src/extraction/document/extraction-result.ts";
import { judged, wantedIn, type Judged } from "./judged.ts";

/** A file of a generated set or of an author of the corpus, as in its `cases.json`. */
export interface Case {
  file: string;
  kind: KindName;
  truth: string | object;
  language: string;
  /** Only in generated sets. */
  layout: string;
  /** ISO date on which the document was received; 20 November 2026 by default. */
  received?: string;
}

/** An extracted file with every value compared with the truth. */
export interface ReadCase extends Case {
  items: ExtractedItem<unknown>[];
  truths: unknown[];
  judged: Judged[];
  /** Number of values in the truth. */
  wanted: number;
  pages: number;
  /** CPU time of the extraction. */
  milliseconds: number;
}

/** CPU limit of one document, in milliseconds. */
const patience = 30_000;
const today = "2026-11-20";
const nobody = { names: [], vatCodes: [], emailDomains: [] };

const kinds: Record<string, KindName> = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, kind])),
  driverDocument: "driver-document",
};

/** Loads the `cases.json` of a folder. */
export function casesOf(folder: string): Case[] {
  return JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[];
}

/** The files that are extracted: not mails that are there for their label, nor papers of other trades. */
const extracted = (folder: string): Case[] =>
  casesOf(folder).flatMap((one) => (kinds[one.kind] ? [{ ...one, kind: kinds[one.kind]! }] : []));

/** Loads the expected extraction of a file: one view, or a list with one view for each document in the file. */
export function truthOf(folder: string, { truth }: Case): unknown {
  return typeof truth === "string" ? JSON.parse(readFileSync(join(folder, truth), "utf8")) : truth;
}

/**
 * Extracts the chosen files of the sets one after the other, as on the day on which they were received. A refused file
 * has no items. The files alternate between the gazetteers; scans need the recogniser.
 */
export async function* readSets(
  folders: readonly string[],
  gazetteerFolders: readonly string[],
  isChosen: (one: Case) => boolean = () => true,
  recognise?: Recognise,
): AsyncGenerator<ReadCase> {
  const gazetteers = gazetteerFolders.map(openGazetteerFromDisk);
  for (const folder of folders)
    for (const [turn, each] of extracted(folder).filter(isChosen).entries()) {
      const gazetteer = gazetteers[turn % gazetteers.length]!;
      const given = truthOf(folder, each);
      const bytes = readFileSync(join(folder, each.file));
      const began = process.cpuUsage();
      const tools = { gazetteer, budget: new Budget(patience), ...(recognise && { recognise }) };
      const context = { company: nobody, today: each.received ?? today };
      const result = await extractDocument(each.kind, { bytes, name: each.file }, context, tools).catch(refused);
      const used = process.cpuUsage(began);
      const truths: unknown[] = Array.isArray(given) ? given : [given];
      const items = result.items as ExtractedItem<unknown>[];
      yield {
        ...each,
        items,
        truths,
        judged: items.flatMap(({ data, evidence }, at) =>
          truths[at] === undefined ? [] : judged(truths[at], data, evidence),
        ),
        wanted: wantedIn(truths),
        pages: result.pages,
        milliseconds: (used.user + used.system) / 1000,
      };
    }
}

function refused(problem: unknown): { items: []; pages: 0 } {
  if (problem instanceof ExtractionProblem) return { items: [], pages: 0 };
  throw problem;
}

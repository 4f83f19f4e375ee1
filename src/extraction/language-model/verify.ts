import type * as z from "zod";
import { findEntities } from "../entities/find-entities.ts";
import type { Entity } from "../entities/entity.ts";
import { FieldValue, separateEvidence, type FieldValues } from "../fields/confidence/field-value.ts";
import type { Segment } from "../layout/layout.ts";
import type { Dropped, SeenDocument, Verified } from "./engine.ts";
import { findValue, isMoment, isValid } from "../fields/find-value/find-value.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import type { ValueMatch, SearchScope, NumberedLine } from "../fields/find-value/numbered-lines.ts";
import { innerShape, isChosen, isCited, lacks, type Cited } from "./shape.ts";

// Confidences of values that only the model extracted. They are set by hand, below the threshold at which the model is
// called.
const seenWhereSaid = 0.75;
const printedWhereSaid = 0.6;
const foundElsewhere = 0.5;
const chosen = 0.5;

/** Number of lines above and below each cited line that are also searched. */
const reach = 2;
/**
 * For a shorter text, only the cited lines and their neighbours are searched: it occurs in most documents by chance.
 */
const shortestElsewhere = 4;

/** Verifies one item of a model. Values that the document contains get their position; other values are dropped. */
export function verified<View>(
  answer: unknown,
  shape: z.ZodType,
  lines: readonly NumberedLine[],
  document: SeenDocument,
): Verified<View> {
  const { draft, dropped } = new Verifier(lines, document).walk(answer, shape, "");
  const { data, evidence } = separateEvidence((draft ?? {}) as FieldValues<View>, document.layout.pages);
  return {
    data,
    evidence,
    checks: [],
    dropped: dropped.map(({ path, ...rest }) => ({ ...rest, pointer: path.map((step) => `/${step}`).join("") })),
  };
}

interface Loss extends Omit<Dropped, "pointer"> {
  path: (string | number)[];
}

interface Walked {
  draft: unknown;
  dropped: Loss[];
  /** Whether the value is an enumeration or boolean. Such a value only classifies other text. */
  isChoice?: boolean;
}

const isLeft = ({ draft }: Walked) => draft !== undefined;

class Verifier {
  private readonly lines: readonly NumberedLine[];
  private readonly at: ReadonlyMap<string, number>;
  private readonly document: SeenDocument;
  private readonly seen = new Map<Segment, readonly Entity[]>();

  constructor(lines: readonly NumberedLine[], document: SeenDocument) {
    this.lines = lines;
    this.at = new Map(lines.map(({ id }, index) => [id, index]));
    this.document = document;
  }

  walk(node: unknown, shape: z.ZodType, field: string): Walked {
    if (Array.isArray(node)) return this.list(node, shape, field);
    if (typeof node !== "object" || node === null) return { draft: undefined, dropped: [] };
    return isCited(node) ? this.value(node, shape, field) : this.object(node, shape);
  }

  /** Items that have no value left are dropped, and their values are reported as dropped from the list. */
  private list(nodes: unknown[], shape: z.ZodType, field: string): Walked {
    const items: unknown[] = [];
    const dropped: Loss[] = [];
    for (const node of nodes) {
      const item = this.walk(node, innerShape(shape, field), field);
      dropped.push(...item.dropped.map((loss) => (isLeft(item) ? under(items.length, loss) : { ...loss, path: [] })));
      if (isLeft(item)) items.push(item.draft);
    }
    return { draft: items.length > 0 ? items : undefined, dropped };
  }

  /** An object is dropped if only enumerations and booleans are left in it, or a required field is not. */
  private object(node: object, shape: z.ZodType): Walked {
    const fields = Object.entries(node).map(
      ([name, inner]) => [name, this.walk(inner, innerShape(shape, name), name)] as const,
    );
    const left = fields.filter(([, walked]) => isLeft(walked));
    const says = left.some(([, walked]) => !walked.isChoice) && !lacks(shape, new Set(left.map(([name]) => name)));
    return {
      draft: says ? Object.fromEntries(left.map(([name, walked]) => [name, walked.draft])) : undefined,
      dropped: fields.flatMap(([name, walked]) => walked.dropped.map((loss) => under(name, loss))),
    };
  }

  private value({ value, lines: ids }: Cited, shape: z.ZodType, field: string): Walked {
    const cited = [...new Set(ids)].flatMap((id) => this.at.get(id) ?? []);
    if (typeof value === "boolean" || isChosen(shape, field))
      return { draft: this.choice(value, cited), dropped: [], isChoice: true };
    const drop = (reason: Dropped["reason"]): Walked => ({ draft: undefined, dropped: [{ path: [], value, reason }] });
    if (!isValid(field, value)) return drop("not_valid");
    const hit = findValue(field, value, this.scope(cited, true));
    if (hit)
      return { draft: new FieldValue(value, hit.recognised ? seenWhereSaid : printedWhereSaid, hit), dropped: [] };
    const elsewhere = this.elsewhere(field, value, cited);
    return elsewhere ? { draft: new FieldValue(value, foundElsewhere, elsewhere), dropped: [] } : drop("not_grounded");
  }

  /** The evidence of an enumeration or boolean is the first cited line. */
  private choice(value: Cited["value"], cited: number[]): FieldValue<unknown> | undefined {
    const segment = this.lines[cited[0] ?? -1]?.parts[0]?.segment;
    return segment && new FieldValue(value, chosen, { segment, start: 0, end: segment.text.length });
  }

  private elsewhere(field: string, value: string | number, cited: number[]): ValueMatch | undefined {
    const near = cited.flatMap((at) => Array.from({ length: 2 * reach + 1 }, (_, offset) => at + offset - reach));
    const hit = findValue(
      field,
      value,
      this.scope(
        [...new Set(near)].sort((a, b) => a - b),
        false,
      ),
    );
    if (hit) return hit;
    if (typeof value === "string" && lettersOf(value).length < shortestElsewhere) return undefined;
    const all = [...this.lines.keys()];
    if (!isMoment(value)) return findValue(field, value, this.scope(all, false));
    for (const at of all) {
      const found = findValue(field, value, this.scope([at], false));
      if (found) return found;
    }
    return undefined;
  }

  private scope(at: readonly number[], cited: boolean): SearchScope {
    const { locale, gazetteer } = this.document;
    return {
      cited,
      lines: at.flatMap((index) => this.lines[index] ?? []),
      languages: locale.languages,
      entities: (segment) => {
        const known = this.seen.get(segment) ?? findEntities(segment.text, locale, gazetteer);
        this.seen.set(segment, known);
        return known;
      },
    };
  }
}

const under = (step: string | number, loss: Loss): Loss => ({ ...loss, path: [step, ...loss.path] });

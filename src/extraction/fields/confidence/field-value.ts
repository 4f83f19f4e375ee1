import type { Evidence, OcrCertainty, Source } from "../../document/extraction-result.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { boxOf, tokensOf, type LaidOutPage } from "../../layout/layout.ts";

/** A value with its confidence and evidence. */
export class FieldValue<T> {
  readonly value: T;
  /** 0..1. */
  readonly confidence: number;
  readonly source: Source;
  /** Text from which the value was extracted. Computed values may have none. */
  readonly span?: Pick<TextSpan, "segment" | "start" | "end">;
  /** Text from which the value was extracted, if it is in the header of a mail and therefore has no `span`. */
  readonly words?: string;
  constructor(
    value: T,
    confidence: number,
    span?: FieldValue<T>["span"],
    source: Source = "Document",
    words?: FieldValue<T>["words"],
  ) {
    this.value = value;
    this.confidence = Math.min(0.99, Math.max(0.01, confidence));
    this.source = source;
    this.span = span;
    this.words = words;
  }

  /** Creates a value from a mail's header: sender, recipient or date. */
  static inMailHead(value: string, confidence: number, words: string = value): FieldValue<string> {
    return new FieldValue(value, confidence, undefined, "Document", words);
  }

  /** Creates another value from the same text. */
  as<U>(value: U, source: Source = this.source): FieldValue<U> {
    return new FieldValue(value, this.confidence, this.span, source, this.words);
  }
}

/** A value that the labeller of orders found. */
export class LabelledValue<T> extends FieldValue<T> {}

type Scalar = string | number | boolean;

/** A view under construction. Each of its values carries its evidence. */
export type FieldValues<T> = T extends Scalar
  ? FieldValue<T>
  : T extends readonly (infer Item)[]
    ? FieldValues<Item>[]
    : { [Name in keyof T]?: FieldValues<Exclude<T[Name], undefined>> };

/** Separates the values of a draft from their evidence. Omits empty objects and lists. */
export function separateEvidence<T>(
  draft: FieldValues<T>,
  pages: readonly LaidOutPage[],
): { data: T; evidence: Evidence[] } {
  const evidence: Evidence[] = [];
  const pictures = new Pictures(pages);
  const walk = (node: unknown, pointer: string): unknown => {
    if (node instanceof FieldValue) {
      evidence.push(evidenceOf(node, pointer, pages, pictures));
      return node.value;
    }
    if (Array.isArray(node)) {
      return node.length === 0 ? undefined : node.map((item, index) => walk(item, `${pointer}/${index}`));
    }
    if (typeof node !== "object" || node === null) return undefined;
    const entries = Object.entries(node).flatMap(([name, value]) => {
      const settled = walk(value, `${pointer}/${name}`);
      return settled === undefined ? [] : [[name, settled] as const];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  return { data: (walk(draft, "") ?? {}) as T, evidence };
}

/** OCR confidence at or above which a word is fully legible, and the factor for a word with OCR confidence 0. */
const [legible, leastFactor] = [0.9, 0.5];

const legibilityFactor = ({ worst }: OcrCertainty): number =>
  leastFactor + (1 - leastFactor) * Math.min(1, worst / legible);

function evidenceOf(
  each: FieldValue<unknown>,
  pointer: string,
  pages: readonly LaidOutPage[],
  pictures: Pictures,
): Evidence {
  const { value, confidence, source, span, words } = each;
  const seen = span && pictures.seen(span);
  const rounded = Math.round(confidence * (seen ? legibilityFactor(seen) : 1) * 1000) / 1000;
  if (!span) return { pointer, value, confidence: rounded, source, ...(words !== undefined && { text: words }) };
  const { segment, start, end } = span;
  const page = pages[segment.page - 1];
  const box = boxOf(segment, start, end);
  const part = (length: number, whole: number) =>
    Math.round(Math.min(1, Math.max(0, length / (whole || 1))) * 10000) / 10000;
  return {
    pointer,
    value,
    confidence: rounded,
    source,
    text: segment.text.slice(start, end),
    page: segment.page,
    ...(page && {
      box: [part(box.x0, page.width), part(box.y0, page.height), part(box.x1, page.width), part(box.y1, page.height)],
    }),
    ...(seen && { seen }),
    ...(each instanceof LabelledValue && { labelled: true }),
  };
}

/** Minimum number of letters and digits of a text that can count as repeated. Shorter texts repeat by chance. */
const telling = 4;

/** Lower-case words, separated by single spaces: " 12 11 2026 " for "12/11-2026". */
const bareOf = (text: string): string =>
  ` ${text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()} `;

/** Finds the OCR confidence of values on scanned pages. */
class Pictures {
  private readonly pages: readonly LaidOutPage[];
  private words: string | undefined;

  constructor(pages: readonly LaidOutPage[]) {
    this.pages = pages;
  }

  /** @returns undefined for text that is embedded in the file */
  seen({ segment, start, end }: Pick<TextSpan, "segment" | "start" | "end">): OcrCertainty | undefined {
    const scanned = tokensOf(segment, start, end).filter(({ source }) => source === "Ocr");
    if (scanned.length === 0) return undefined;
    return {
      worst: Math.min(...scanned.map(({ confidence }) => confidence)),
      again: this.isTwice(bareOf(segment.text.slice(start, end))),
    };
  }

  private isTwice(words: string): boolean {
    if (words.replaceAll(" ", "").length < telling) return false;
    this.words ??= this.pages.flatMap(({ rows }) => rows.flat().map(({ text }) => bareOf(text))).join("\n");
    return this.words.indexOf(words, this.words.indexOf(words) + 1) >= 0;
  }
}

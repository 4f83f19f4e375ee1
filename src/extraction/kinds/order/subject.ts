import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const code = /^(?:\p{Lu}{1,4}[ :])?(?=[\p{L}\p{N}/._-]*\d{2})[\p{L}\p{N}][\p{L}\p{N}/._-]{2,30}/u;
const between = /^[\s:.#№=(*–—-]*(?:(?:nr|no|n|num|number|č|št|br|бр|№)(?:[.:°º#\s]+))?/iu;
const apart =
  /(?<![\p{L}\p{N}/._-])(?:\p{Lu}{2,4} )?(?=[\p{L}\p{N}/-]*\d{3})[\p{L}\p{N}][\p{L}\p{N}]*(?:[/-][\p{L}\p{N}]+)*(?![\p{L}\p{N}]|[./-]\d)/gu;
/** Days and weights are no numbers of orders. */
const other = /^(?:\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4}))?|\d{4}-\d{2}-\d{2}|\d[\d.,]*(?:t|to|kg|km|ldm|m))$/iu;
const [labelled, printedToo, seldom] = [0.7, 0.6, 3];

/**
 * The number a mail's subject names: behind a word for an order, else the only code in it that the mail itself prints
 * again. Its place is where the mail prints it.
 */
export function numberInSubject(around: DocumentContext, subject: string): FieldValue<string> | undefined {
  const named = behindWord(subject);
  if (named) return new FieldValue(named, labelled, pieceOf(around, named));
  const codes = [...subject.matchAll(apart)].map(([text]) => text).filter((text) => !other.test(text));
  const printed = codes.filter((text) => text.length > seldom && pieceOf(around, text));
  const [only] = printed;
  return only && printed.length === 1 ? new FieldValue(only, printedToo, pieceOf(around, only)) : undefined;
}

const naming: ReadonlySet<ConceptId> = new Set(["orderNumber", "titleTransportOrder", "bookingNumber"]);

function behindWord(subject: string): string | undefined {
  for (const { concept, weight, end } of findLabels(subject)) {
    if (!naming.has(concept) || weight < 0.5) continue;
    const rest = subject.slice(end);
    const skipped = between.exec(rest)?.[0].length ?? 0;
    const found = code.exec(rest.slice(skipped))?.[0].replace(/[._/-]+$/u, "");
    if (found && !other.test(found)) return found;
  }
  return undefined;
}

function pieceOf({ marks }: DocumentContext, text: string) {
  for (const segment of marks.layout.segments) {
    const start = segment.text.indexOf(text);
    if (start >= 0) return { segment, start, end: start + text.length, text };
  }
  return undefined;
}

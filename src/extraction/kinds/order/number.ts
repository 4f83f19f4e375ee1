import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes, type Code } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { byLikelihood, likelyNumbers } from "../../fields/numbers/numbers.ts";
import type { Route } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const concepts: readonly ConceptId[] = ["orderNumber", "titleTransportOrder", "reference"];

/**
 * Finds the customer's order number: the likeliest number of the document, or one in the subject of its mail.
 * @param subject the subject of the mail
 */
export function orderNumberOf(document: DocumentContext, route: Route, subject = ""): FieldValue<string> | undefined {
  const [best] = byLikelihood(likelyNumbers(document, route), "order");
  const inSubject = numberInSubject(document, subject);
  const own = best?.likelihoods.order ?? 0;
  if (inSubject && (inSubject.value === best?.text || own < scores.number.minOwn)) return inSubject;
  return best && own >= scores.number.min ? new FieldValue(best.text, own, best) : undefined;
}

const rowsPerPage = 60;

/** Finds codes that may be the order number. Codes nearer to the top score higher. */
export function orderCodes(document: DocumentContext): Code[] {
  const { minInSentence, reduction } = scores.number;
  const rowOf = ({ span: { segment } }: Code) => segment.row + rowsPerPage * (segment.page - 1);
  return findCodes(document, concepts)
    .filter(
      (code) => !document.prose.has(code.span.segment) || code.label.standing !== "Loose" || code.score > minInSentence,
    )
    .map((code) => ({ ...code, score: code.score * (1 - Math.min(reduction.max, rowOf(code) / reduction.rows)) }))
    .sort((a, b) => b.score - a.score);
}

const codeAtStart = /^(?:\p{Lu}{1,4}[ :])?(?=[\p{L}\p{N}/._-]*\d{2})[\p{L}\p{N}][\p{L}\p{N}/._-]{2,30}/u;
const between = /^[\s:.#№=(*–—-]*(?:(?:nr|no|n|num|number|č|št|br|бр|№)(?:[.:°º#\s]+))?/iu;
const codeInText =
  /(?<![\p{L}\p{N}/._-])(?:\p{Lu}{2,4} )?(?=[\p{L}\p{N}/-]*\d{3})[\p{L}\p{N}][\p{L}\p{N}]*(?:[/-][\p{L}\p{N}]+)*(?![\p{L}\p{N}]|[./-]\d)/gu;
const dateOrWeight =
  /^(?:\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4}))?|\d{4}-\d{2}-\d{2}|\d[\d.,]*(?:t|to|kg|km|ldm|m))$/iu;
/** Shorter codes occur in a mail by chance. */
const minCodeLength = 4;

/** The number follows a word for an order, or is the only code that also occurs in the text of the mail. */
function numberInSubject(document: DocumentContext, subject: string): FieldValue<string> | undefined {
  const named = behindWord(subject);
  if (named) return new FieldValue(named, scores.number.inSubject, spanOf(document, named));
  const codes = [...subject.matchAll(codeInText)].map(([text]) => text).filter((text) => !dateOrWeight.test(text));
  const printed = codes.filter((text) => text.length >= minCodeLength && spanOf(document, text));
  const [only] = printed;
  return only && printed.length === 1
    ? new FieldValue(only, scores.number.inSubjectAndMail, spanOf(document, only))
    : undefined;
}

const naming: ReadonlySet<ConceptId> = new Set(["orderNumber", "titleTransportOrder", "bookingNumber"]);

function behindWord(subject: string): string | undefined {
  for (const { concept, weight, end } of findLabels(subject)) {
    if (!naming.has(concept) || weight < thresholds.meaning) continue;
    const rest = subject.slice(end);
    const skipped = between.exec(rest)?.[0].length ?? 0;
    const number = codeAtStart.exec(rest.slice(skipped))?.[0].replace(/[._/-]+$/u, "");
    if (number && !dateOrWeight.test(number)) return number;
  }
  return undefined;
}

function spanOf({ annotations }: DocumentContext, text: string) {
  for (const segment of annotations.layout.segments) {
    const start = segment.text.indexOf(text);
    if (start >= 0) return { segment, start, end: start + text.length, text };
  }
  return undefined;
}

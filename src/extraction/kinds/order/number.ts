import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes, type Code } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import type { Route } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const concepts: readonly ConceptId[] = ["orderNumber", "titleTransportOrder", "reference"];
const headRows = 8;

/**
 * Finds the customer's order number: after its label, in the title or subject, otherwise a code at the top of the page.
 * @param subject the subject of the mail
 */
export function orderNumberOf(document: DocumentContext, route: Route, subject = ""): FieldValue<string> | undefined {
  const isAtStop = ({ span }: Code) => route.owner(span.segment, span.start) !== undefined;
  const codes = orderCodes(document).filter(
    (code) => (code.concept !== "reference" && !isInPassing(code.label)) || !isAtStop(code),
  );
  const elsewhere = codes.find(
    (code) => code.concept !== "reference" && code.score >= scores.number.min && !isAtStop(code),
  );
  const [first] = codes;
  const best =
    first?.label.standing === "Head" && !(isAtStop(first) && elsewhere && isClose(elsewhere, first))
      ? first
      : (elsewhere ?? first);
  const inSubject = numberInSubject(document, subject);
  if (inSubject && (!best || inSubject.value === best.span.text || !isOwn(best) || isAtStop(best))) return inSubject;
  if (best && best.score >= scores.number.min) return new FieldValue(best.span.text, best.score, best.span);
  const onTop = entitiesOfType(document.annotations, "Reference").find(
    ({ segment, entity }) =>
      segment.page === 1 && segment.row < headRows && !document.prose.has(segment) && /\d{3}/.test(entity.value),
  );
  return onTop && entityValue(onTop.entity.value, onTop, scores.number.inFirstRows);
}

const isOwn = ({ concept, label, score }: Code) =>
  concept !== "reference" && label.standing !== "Loose" && score >= scores.number.minOwnLabel;

/**
 * A code outside the stops is preferred if it scores nearly as high as one at a stop, where "order no." is the number
 * of the shipper's or consignee's order.
 */
const isClose = (elsewhere: Code, first: Code) => elsewhere.score > scores.number.minShareOfBest * first.score;

/** A label in a sentence, as in "Say number 80424122 at the gate", usually means another number. */
function isInPassing({ standing, meanings }: Label): boolean {
  return (
    standing === "Loose" &&
    !meanings.some(({ concept, weight }) => concept === "orderNumber" && weight >= thresholds.meaning)
  );
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

import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes, type Code } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import type { Route } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findLabels } from "../../lexicon/lexicon.ts";

const concepts: readonly ConceptId[] = ["orderNumber", "titleTransportOrder", "reference"];
const headRows = 8;

/** The customer's number of the order: behind its label, in the title, or the only code at the top of the page. */
export function orderNumberOf(around: DocumentContext, route: Route, subject = ""): FieldValue<string> | undefined {
  const codes = orderCodes(around).filter(
    ({ concept, span: piece, label }) =>
      (concept !== "reference" && !inPassing(label)) || !route.owner(piece.segment, piece.start),
  );
  const elsewhere = codes.find(
    ({ concept, span: piece, score }) =>
      concept !== "reference" && score >= 0.35 && !route.owner(piece.segment, piece.start),
  );
  const [first] = codes;
  const atStop = first !== undefined && route.owner(first.span.segment, first.span.start) !== undefined;
  const best =
    first?.label.standing === "Head" && !(atStop && elsewhere && isClose(elsewhere, first))
      ? first
      : (elsewhere ?? first);
  const sent = numberInSubject(around, subject);
  if (
    sent &&
    (!best || sent.value === best.span.text || !isOwn(best) || route.owner(best.span.segment, best.span.start))
  )
    return sent;
  if (best && best.score >= 0.35) return new FieldValue(best.span.text, best.score, best.span);
  const onTop = entitiesOfType(around.annotations, "Reference").find(
    ({ segment, entity }) =>
      segment.page === 1 && segment.row < headRows && !around.prose.has(segment) && /\d{3}/.test(entity.value),
  );
  return (
    onTop &&
    new FieldValue(onTop.entity.value, 0.4, {
      segment: onTop.segment,
      start: onTop.entity.start,
      end: onTop.entity.end,
    })
  );
}

/** A word for the order's own number, standing as a label. */
const isOwn = ({ concept, label, score }: Code) =>
  concept !== "reference" && label.standing !== "Loose" && score >= leastOwn;
const leastOwn = 0.6;

/** At a stop "order no." is the number of somebody else's order. */
const isClose = (elsewhere: Code, first: Code) => elsewhere.score > 0.6 * first.score;

/** "Say number 80424122 at the gate": any number, not the order's. */
function inPassing({ standing, meanings }: Label): boolean {
  return standing === "Loose" && !meanings.some(({ concept, weight }) => concept === "orderNumber" && weight >= 0.5);
}

/** Codes that may be the order's number; those in the upper part of the document weigh more. */
export function orderCodes(around: DocumentContext): Code[] {
  const topRow = (code: Code) => code.span.segment.row + 60 * (code.span.segment.page - 1);
  return findCodes(around, concepts)
    .filter((code) => !around.prose.has(code.span.segment) || code.label.standing !== "Loose" || code.score > 0.5)
    .map((code) => ({ ...code, score: code.score * (1 - Math.min(0.3, topRow(code) / 200)) }))
    .sort((a, b) => b.score - a.score);
}

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
function numberInSubject(around: DocumentContext, subject: string): FieldValue<string> | undefined {
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

function pieceOf({ annotations: marks }: DocumentContext, text: string) {
  for (const segment of marks.layout.segments) {
    const start = segment.text.indexOf(text);
    if (start >= 0) return { segment, start, end: start + text.length, text };
  }
  return undefined;
}

import type { ConceptId } from "../../lexicon/concepts.ts";
import { codesFor, type Code } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { sightings, type Label } from "../../fields/labels/annotations.ts";
import { numberInSubject } from "./subject.ts";
import type { Route } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const concepts: readonly ConceptId[] = ["orderNumber", "titleTransportOrder", "reference"];
const headRows = 8;

/** The customer's number of the order: behind its label, in the title, or the only code at the top of the page. */
export function orderNumberOf(around: DocumentContext, route: Route, subject = ""): FieldValue<string> | undefined {
  const codes = orderCodes(around).filter(
    ({ concept, piece, label }) =>
      (concept !== "reference" && !inPassing(label)) || !route.owner(piece.segment, piece.start),
  );
  const elsewhere = codes.find(
    ({ concept, piece, score }) => concept !== "reference" && score >= 0.35 && !route.owner(piece.segment, piece.start),
  );
  const [first] = codes;
  const atStop = first !== undefined && route.owner(first.piece.segment, first.piece.start) !== undefined;
  const best =
    first?.label.standing === "Head" && !(atStop && elsewhere && isClose(elsewhere, first))
      ? first
      : (elsewhere ?? first);
  const sent = numberInSubject(around, subject);
  if (
    sent &&
    (!best || sent.value === best.piece.text || !isOwn(best) || route.owner(best.piece.segment, best.piece.start))
  )
    return sent;
  if (best && best.score >= 0.35) return new FieldValue(best.piece.text, best.score, best.piece);
  const onTop = sightings(around.marks, "Reference").find(
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
  const topRow = (code: Code) => code.piece.segment.row + 60 * (code.piece.segment.page - 1);
  return codesFor(around, concepts)
    .filter((code) => !around.prose.has(code.piece.segment) || code.label.standing !== "Loose" || code.score > 0.5)
    .map((code) => ({ ...code, score: code.score * (1 - Math.min(0.3, topRow(code) / 200)) }))
    .sort((a, b) => b.score - a.score);
}

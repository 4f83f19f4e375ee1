import { addressesOf } from "../../fields/addresses/address.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { lineAbove, lineBelow } from "../../layout/page-index.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { companyIn } from "../../fields/parties/company-in.ts";
import type { PartyDraft } from "../../fields/parties/party.ts";
import { classifyDocument } from "../classify.ts";
import { insuranceKindOf, insures, speaksOfContract } from "./words.ts";

const likely = 0.5;
const headRows = 8;

/** A letter that confirms an insurance in sentences: insurer at the top, type of cover, sum, and no other likely kind. */
export function isConfirmationLetter(around: DocumentContext): boolean {
  const [likeliest] = classifyDocument(around);
  if (likeliest && !["insurance", "other"].includes(likeliest.kind) && likeliest.confidence >= likely) return false;
  return (
    entitiesOfType(around.annotations, "Company").some(
      ({ segment, entity }) => segment.page === 1 && segment.row < headRows && insures(entity.value),
    ) &&
    insuranceKindOf(around) !== undefined &&
    around.annotations.layout.segments.some(({ page, text }) => page === 1 && speaksOfContract(text)) &&
    entitiesOfType(around.annotations, "Amount").some(
      ({ entity }) => entity.value.currency && entity.value.amount >= leastSum,
    )
  );
}

const leastSum = 1000;
const fewestFigures = 5;

/** "... holds policy of carrier's liability no. 44-1-118204": behind a word for "number", on a line about a policy or below one. */
export function numberInSentence(around: DocumentContext): Pick<TextSpan, "segment" | "start" | "end"> | undefined {
  for (const segment of around.annotations.layout.segments) {
    if (segment.page > 1) break;
    const above = lineAbove(around.annotations, segment)?.text ?? "";
    for (const number of numbersIn(segment.text)) {
      const ahead = segment.text.slice(0, number.start);
      const words = ahead.length < shortestLead ? `${above} ${ahead}` : ahead;
      const figures = segment.text.slice(number.start, number.end + 8).replace(/\D/gu, "").length;
      if (figures >= fewestFigures && speaksOfContract(words.slice(-longestLead))) return { segment, ...number };
    }
  }
  return undefined;
}

const [shortestLead, longestLead] = [40, 110];

/** "... that Example Ltd of 12 Long Road, 1010 Town, holds ...": the first company that is no insurer, in a sentence. */
export function holderInSentence(around: DocumentContext): PartyDraft | undefined {
  const firm = entitiesOfType(around.annotations, "Company").find(
    ({ segment, entity }) =>
      segment.page === 1 &&
      entity.score >= 0.5 &&
      entity.start > 0 &&
      !insures(entity.value) &&
      /[\p{Ll}:]\s+$/u.test(segment.text.slice(0, entity.start)),
  );
  if (!firm) return undefined;
  const below = lineBelow(around.annotations, firm.segment);
  const owned = (segment: Segment, at: number) =>
    segment === firm.segment ? at >= firm.entity.start : segment === below;
  const places = addressesOf(around.annotations, around.countries).map(({ name: _name, ...address }) => address);
  return companyIn(around, places, [], owned);
}

/** The company without the words of a sentence that lead to its name and its street. */
export function withoutLeadingWords(holder: PartyDraft): PartyDraft {
  return {
    ...holder,
    ...(holder.name && { name: without(leadOfName, holder.name) }),
    ...(holder.street && { street: without(leadOfSeat, holder.street) }),
  };
}

/** An article alone may be part of the name. */
const leadOfName =
  /^(?:(?:que|che|dass|daß|that|że|že|hogy|că)\s+(?:(?:die|la|the)\s+)?)?(?:(?:(?:die|la|the)\s+)?(?:firma|fa\.|ditta|empresa)\s+)?/iu;
const leadOfSeat =
  /^(?:(?:se|so)\s+sídl[eo]m|con\s+sede(?:\s+\p{L}+)?\s+(?:in|en)|z\s+siedzibą\s+\p{L}{1,6}|(?:con|y)\s+domicilio(?:\s+social)?\s+en|mit\s+Sitz\s+\p{L}{2,3}|cu\s+sediul(?:\s+social)?\s+în|com\s+sede\s+\p{L}{2}|gevestigd(?:\s+\p{L}{2,3})?|of|at)\s+/iu;

/** The words without those of the sentence that lead to them. */
function without(lead: RegExp, found: FieldValue<string>): FieldValue<string> {
  const letters = lead.exec(found.value)?.[0].length ?? 0;
  const { span: piece } = found;
  if (letters === 0 || !piece) return found;
  return new FieldValue(found.value.slice(letters), found.confidence, { ...piece, start: piece.start + letters });
}

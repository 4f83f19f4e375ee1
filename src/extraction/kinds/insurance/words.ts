import { foldText } from "../../lexicon/fold.ts";
import insuranceWords from "../../lexicon/insurance-words.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { addressesOf } from "../../fields/addresses/address.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextRange } from "../../layout/text-span.ts";
import { lineAbove, lineBelow } from "../../layout/page-index.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import { companyIn } from "../../fields/parties/company-in.ts";
import type { PartyDraft } from "../../fields/parties/party.ts";
import { classifyDocument } from "../classify.ts";
import { entityValue, segmentValue, withoutPrefix } from "../field-values.ts";
import { scores } from "./scores.ts";

const insurers = insuranceWords.insurer.map((word) => foldText(word));
const kinds = Object.entries(insuranceWords.kinds).map(([kind, words]) => ({
  kind,
  words: words.map((word) => foldText(word)),
}));
const policies = insuranceWords.policy.map((word) => foldText(word));
const maxNameLength = 80;

export function speaksOfInsurance(text: string): boolean {
  const folded = foldText(text);
  return insures(text) || policies.some((word) => begins(folded, word));
}

const contracts = insuranceWords.contract.map((word) => foldText(word));

function speaksOfContract(text: string): boolean {
  const folded = foldText(text);
  return [...policies, ...contracts].some((word) => begins(folded, word));
}

/** Whether a name contains a word for insurance. */
export const insures = (name: string): boolean => insurers.some((word) => foldText(name).includes(word));

const brokers = insuranceWords.brokers.map((word) => foldText(word));

/** Whether a name contains a word for insurance, and none for a broker. */
const isInsurer = (name: string): boolean => insures(name) && !brokers.some((word) => foldText(name).includes(word));

/**
 * Finds the insurer: the text after its label, otherwise the first company with a word for insurance in its name,
 * otherwise such a line at the top of page 1, otherwise such a company in a sentence, otherwise the first company at
 * the top of page 1.
 */
export function insurerOf(document: DocumentContext, holder: string | undefined): FieldValue<string> | undefined {
  const isName = (text: string) => /^[\p{Lu}"„«]/u.test(text) && /\p{L}{2}/u.test(text) && text.length < maxNameLength;
  const labelled =
    textAfter(document, ["insurer"], {
      fits: (text) => isName(text) && !namesTown(document, text) && !isTitle(document, text),
    }) ?? textAfter(document, ["issuedBy"], { fits: (text) => isName(text) && insures(text) });
  if (labelled) return firmIn(document, labelled);
  const firms = entitiesOfType(document.annotations, "Company").filter(
    ({ entity }) => entity.score >= scores.unlabelledEntity && entity.value !== holder,
  );
  const apart = firms.filter(({ segment }) => !document.prose.has(segment));
  const { namedAsInsurer, topLine, firstCompany } = scores.insurer;
  const named = apart.find(({ entity }) => isInsurer(entity.value));
  if (named) return entityValue(cleanedText(named.entity.value), named, namedAsInsurer);
  const line = document.annotations.layout.segments.find(
    ({ page, row, text }) =>
      page === 1 && row < topRows && isName(text) && !/\d/u.test(text) && isInsurer(text) && !isTitle(document, text),
  );
  const parts = line?.text.split(", ") ?? [];
  if (line) return segmentValue(parts.length > 2 ? parts[0]! : line.text, line, topLine);
  const said = firms.find(({ entity }) => isInsurer(entity.value));
  const firm = said ?? apart.find(({ segment }) => segment.page === 1 && segment.row < 6);
  return firm && entityValue(cleanedText(firm.entity.value), firm, said ? topLine : firstCompany);
}

const topRows = 5;

const namesTown = ({ annotations }: DocumentContext, text: string): boolean =>
  entitiesOfType(annotations, "Place").some(
    ({ segment, entity }) => segment.text.slice(entity.start, entity.end) === text.split(",")[0],
  );

const isTitle = ({ annotations }: DocumentContext, text: string): boolean =>
  annotations.labels.some(
    ({ segment, meanings }) =>
      segment.text.includes(text) && meanings.some(({ concept }) => concept === "titleInsurance"),
  );

/**
 * The labelled text may be a company with its address. If no company is recognised, the text is cut before the address,
 * such as ", 1010 Town".
 */
function firmIn(document: DocumentContext, labelled: FieldValue<string>): FieldValue<string> {
  const { segment, start } = labelled.span!;
  const [firm] = entitiesOfType(document.annotations, "Company", [segment]).filter(
    ({ entity }) => Math.abs(entity.start - start) <= 1 && entity.score >= scores.unlabelledEntity,
  );
  if (firm)
    return new FieldValue(cleanedText(firm.entity.value), labelled.confidence, {
      segment,
      start,
      end: firm.entity.end,
    });
  const name = labelled.value.replace(/^[A-F]: ?(?=\p{Lu})/u, "").split(/,\s(?=\P{L}|\p{L}+\.?\s\S*\d)|\sNAIC\b/u)[0];
  return labelled.as(cleanedText(name ?? labelled.value));
}

/** Determines the kind of insurance by the words of its field, otherwise of the title, otherwise of the first page. */
export function insuranceKindOf(document: DocumentContext): FieldValue<string> | undefined {
  const labelled = textAfter(document, ["insuranceKind"], { lines: 2 });
  const titles = document.annotations.labels.filter(
    ({ meanings, segment }) => meanings.some(({ concept }) => concept === "titleInsurance") && segment.page === 1,
  );
  const first = document.annotations.layout.segments.filter(({ page }) => page === 1);
  const searched = [
    [labelled?.value ?? "", scores.insuranceKind.label, labelled?.span],
    [titles.map(({ segment }) => segment.text).join(" "), scores.insuranceKind.title, undefined],
    [first.map(({ text }) => text).join(" "), scores.insuranceKind.firstPage, undefined],
  ] as const;
  for (const [text, confidence, span] of searched) {
    const folded = foldText(text);
    const match = kinds.find(({ words }) => words.some((word) => begins(folded, word)));
    if (match) return new FieldValue(match.kind, confidence, span, "Computed");
  }
  return undefined;
}

const minLettersInside = 8;

/** A short word must be at the start of a word. A long word also counts inside another word. */
function begins(text: string, word: string): boolean {
  if (word.length >= minLettersInside) return text.includes(word);
  let at = text.indexOf(word);
  while (at >= 0 && endsInLetter.test(text.slice(Math.max(0, at - 2), at))) at = text.indexOf(word, at + 1);
  return at >= 0;
}

const endsInLetter = /\p{L}$/u;

const headRows = 8;

/**
 * Whether the document is a letter that confirms an insurance in sentences: it has an insurer at the top, a kind of
 * insurance, a contract and a sum, and no other kind is likely.
 */
export function isConfirmationLetter(document: DocumentContext): boolean {
  const [likeliest] = classifyDocument(document);
  if (likeliest && !["insurance", "other"].includes(likeliest.kind) && likeliest.confidence >= scores.classified)
    return false;
  return (
    entitiesOfType(document.annotations, "Company").some(
      ({ segment, entity }) => segment.page === 1 && segment.row < headRows && insures(entity.value),
    ) &&
    insuranceKindOf(document) !== undefined &&
    document.annotations.layout.segments.some(({ page, text }) => page === 1 && speaksOfContract(text)) &&
    entitiesOfType(document.annotations, "Amount").some(
      ({ entity }) => entity.value.currency && entity.value.amount >= minSum,
    )
  );
}

const minSum = 1000;
const minFigures = 5;

/**
 * Finds the policy number in a sentence such as "... holds policy of carrier's liability no. 44-1-118204". Its line or
 * the line above must mention a contract.
 */
export function numberInSentence(document: DocumentContext): TextRange | undefined {
  for (const segment of document.annotations.layout.segments) {
    if (segment.page > 1) break;
    const above = lineAbove(document.annotations, segment)?.text ?? "";
    for (const number of numbersIn(segment.text)) {
      const ahead = segment.text.slice(0, number.start);
      const words = ahead.length < minLead ? `${above} ${ahead}` : ahead;
      const figures = segment.text.slice(number.start, number.end + 8).replace(/\D/gu, "").length;
      if (figures >= minFigures && speaksOfContract(words.slice(-maxLead))) return { segment, ...number };
    }
  }
  return undefined;
}

/**
 * In characters. If fewer than `minLead` precede the number, the line above is also searched for a word for a contract.
 * At most `maxLead` before the number are searched.
 */
const [minLead, maxLead] = [40, 110];

/**
 * Finds the holder in a sentence such as "... that Example Ltd of 12 Long Road, 1010 Town, holds ...": the first
 * company that is not an insurer.
 */
export function holderInSentence(document: DocumentContext): PartyDraft | undefined {
  const firm = entitiesOfType(document.annotations, "Company").find(
    ({ segment, entity }) =>
      segment.page === 1 &&
      entity.score >= scores.unlabelledEntity &&
      entity.start > 0 &&
      !insures(entity.value) &&
      /[\p{Ll}:]\s+$/u.test(segment.text.slice(0, entity.start)),
  );
  if (!firm) return undefined;
  const below = lineBelow(document.annotations, firm.segment);
  const owned = (segment: Segment, at: number) =>
    segment === firm.segment ? at >= firm.entity.start : segment === below;
  const places = addressesOf(document.annotations, document.countries).map(({ name: _name, ...address }) => address);
  return companyIn(document, places, [], owned);
}

/** Removes the words of a sentence before the holder's name and street. */
export function withoutLeadingWords(holder: PartyDraft): PartyDraft {
  return {
    ...holder,
    ...(holder.name && { name: withoutPrefix(holder.name, leadOfName) }),
    ...(holder.street && { street: withoutPrefix(holder.street, leadOfSeat) }),
  };
}

/** Words such as "che la ditta". An article alone is not removed, because it may be part of the name. */
const leadOfName =
  /^(?:(?:que|che|dass|daß|that|że|že|hogy|că)\s+(?:(?:die|la|the)\s+)?)?(?:(?:(?:die|la|the)\s+)?(?:firma|fa\.|ditta|empresa)\s+)?/iu;
const leadOfSeat =
  /^(?:(?:se|so)\s+sídl[eo]m|con\s+sede(?:\s+\p{L}+)?\s+(?:in|en)|z\s+siedzibą\s+\p{L}{1,6}|(?:con|y)\s+domicilio(?:\s+social)?\s+en|mit\s+Sitz\s+\p{L}{2,3}|cu\s+sediul(?:\s+social)?\s+în|com\s+sede\s+\p{L}{2}|gevestigd(?:\s+\p{L}{2,3})?|of|at)\s+/iu;

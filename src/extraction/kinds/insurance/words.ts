import { withoutPrefix } from "../field-values.ts";
import { foldText } from "../../lexicon/fold.ts";
import insuranceWords from "../../lexicon/insurance-words.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { addressesOf } from "../../fields/addresses/address.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { lineAbove, lineBelow } from "../../layout/page-index.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import { companyIn } from "../../fields/parties/company-in.ts";
import type { PartyDraft } from "../../fields/parties/party.ts";
import { classifyDocument } from "../classify.ts";

const insurers = insuranceWords.insurer.map((word) => foldText(word));
const kinds = Object.entries(insuranceWords.kinds).map(([kind, words]) => ({
  kind,
  words: words.map((word) => foldText(word)),
}));
const policies = insuranceWords.policy.map((word) => foldText(word));
const maxNameLength = 80;

/** Whether a line says that it is of a policy or of insurance. */
export function speaksOfInsurance(text: string): boolean {
  const folded = foldText(text);
  return insures(text) || policies.some((word) => begins(folded, word));
}

const contracts = insuranceWords.contract.map((word) => foldText(word));

/** Whether words lead to the number of a policy: they speak of it, or of a contract. */
function speaksOfContract(text: string): boolean {
  const folded = foldText(text);
  return [...policies, ...contracts].some((word) => begins(folded, word));
}

/** Whether a name has a word of the trade. */
export const insures = (name: string): boolean => insurers.some((word) => foldText(name).includes(word));

/** Who insures: behind the label, else the first company of the page with a word of the trade in its name. */
export function insurerOf(document: DocumentContext, holder: string | undefined): FieldValue<string> | undefined {
  const labelled = textAfter(document, ["insurer"], {
    least: 0.3,
    fits: (text) => /^[\p{Lu}"„«]/u.test(text) && /\p{L}{2}/u.test(text) && text.length < maxNameLength,
  });
  if (labelled) return firmIn(document, labelled);
  const firms = entitiesOfType(document.annotations, "Company").filter(
    ({ entity, segment }) => entity.score >= 0.5 && entity.value !== holder && !document.prose.has(segment),
  );
  const named = firms.find(({ entity }) => insures(entity.value));
  const firm = named ?? firms.find(({ segment }) => segment.page === 1 && segment.row < 6);
  if (!firm) return undefined;
  const { segment, entity } = firm;
  return new FieldValue(cleanedText(entity.value), named ? 0.75 : 0.5, {
    segment,
    start: entity.start,
    end: entity.end,
  });
}

/** The firm that the words behind the label begin with; where none is known, the words up to the address. */
function firmIn(document: DocumentContext, labelled: FieldValue<string>): FieldValue<string> {
  const { segment, start } = labelled.span!;
  const [firm] = entitiesOfType(document.annotations, "Company", [segment]).filter(
    ({ entity }) => Math.abs(entity.start - start) <= 1 && entity.score >= 0.5,
  );
  if (firm)
    return new FieldValue(cleanedText(firm.entity.value), labelled.confidence, {
      segment,
      start,
      end: firm.entity.end,
    });
  return labelled.as(cleanedText(labelled.value.split(/,\s(?=\P{L}|\p{L}+\.?\s\S*\d)/u)[0] ?? labelled.value));
}

/** What is insured, by the words of its field or title, else of the first page. */
export function insuranceKindOf(document: DocumentContext): FieldValue<string> | undefined {
  const labelled = textAfter(document, ["insuranceKind"], { lines: 2, least: 0.3 });
  const titles = document.annotations.labels.filter(
    ({ meanings, segment }) => meanings.some(({ concept }) => concept === "titleInsurance") && segment.page === 1,
  );
  const first = document.annotations.layout.segments.filter(({ page }) => page === 1);
  const texts = [
    labelled?.value ?? "",
    titles.map(({ segment }) => segment.text).join(" "),
    first.map(({ text }) => text).join(" "),
  ];
  for (const [at, text] of texts.entries()) {
    const folded = foldText(text);
    const match = kinds.find(({ words }) => words.some((word) => begins(folded, word)));
    if (match)
      return new FieldValue(match.kind, [0.85, 0.8, 0.6][at] ?? 0.5, at === 0 ? labelled?.span : undefined, "Computed");
  }
  return undefined;
}

const telling = 8;

/** Whether the text has the word: a short one only where a word begins. */
function begins(text: string, word: string): boolean {
  if (word.length >= telling) return text.includes(word);
  let at = text.indexOf(word);
  while (at >= 0 && endsInLetter.test(text.slice(Math.max(0, at - 2), at))) at = text.indexOf(word, at + 1);
  return at >= 0;
}

const endsInLetter = /\p{L}$/u;

const likely = 0.5;
const headRows = 8;

/** A letter that confirms an insurance in sentences: insurer at the top, type of cover, sum, and no other likely kind. */
export function isConfirmationLetter(document: DocumentContext): boolean {
  const [likeliest] = classifyDocument(document);
  if (likeliest && !["insurance", "other"].includes(likeliest.kind) && likeliest.confidence >= likely) return false;
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

/** "... holds policy of carrier's liability no. 44-1-118204": behind a word for "number", on a line about a policy or below one. */
export function numberInSentence(document: DocumentContext): Pick<TextSpan, "segment" | "start" | "end"> | undefined {
  for (const segment of document.annotations.layout.segments) {
    if (segment.page > 1) break;
    const above = lineAbove(document.annotations, segment)?.text ?? "";
    for (const number of numbersIn(segment.text)) {
      const ahead = segment.text.slice(0, number.start);
      const words = ahead.length < shortestLead ? `${above} ${ahead}` : ahead;
      const figures = segment.text.slice(number.start, number.end + 8).replace(/\D/gu, "").length;
      if (figures >= minFigures && speaksOfContract(words.slice(-longestLead))) return { segment, ...number };
    }
  }
  return undefined;
}

const [shortestLead, longestLead] = [40, 110];

/** "... that Example Ltd of 12 Long Road, 1010 Town, holds ...": the first company that is no insurer, in a sentence. */
export function holderInSentence(document: DocumentContext): PartyDraft | undefined {
  const firm = entitiesOfType(document.annotations, "Company").find(
    ({ segment, entity }) =>
      segment.page === 1 &&
      entity.score >= 0.5 &&
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

/** The company without the words of a sentence that lead to its name and its street. */
export function withoutLeadingWords(holder: PartyDraft): PartyDraft {
  return {
    ...holder,
    ...(holder.name && { name: withoutPrefix(holder.name, leadOfName) }),
    ...(holder.street && { street: withoutPrefix(holder.street, leadOfSeat) }),
  };
}

/** An article alone may be part of the name. */
const leadOfName =
  /^(?:(?:que|che|dass|daß|that|że|že|hogy|că)\s+(?:(?:die|la|the)\s+)?)?(?:(?:(?:die|la|the)\s+)?(?:firma|fa\.|ditta|empresa)\s+)?/iu;
const leadOfSeat =
  /^(?:(?:se|so)\s+sídl[eo]m|con\s+sede(?:\s+\p{L}+)?\s+(?:in|en)|z\s+siedzibą\s+\p{L}{1,6}|(?:con|y)\s+domicilio(?:\s+social)?\s+en|mit\s+Sitz\s+\p{L}{2,3}|cu\s+sediul(?:\s+social)?\s+în|com\s+sede\s+\p{L}{2}|gevestigd(?:\s+\p{L}{2,3})?|of|at)\s+/iu;

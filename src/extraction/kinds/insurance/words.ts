import { foldText } from "../../lexicon/fold.ts";
import insuranceWords from "../../lexicon/insurance-words.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const insurers = insuranceWords.insurer.map((word) => foldText(word));
const kinds = Object.entries(insuranceWords.kinds).map(([kind, words]) => ({
  kind,
  words: words.map((word) => foldText(word)),
}));
const policies = insuranceWords.policy.map((word) => foldText(word));
const longestName = 80;

/** Whether a line says that it is of a policy or of insurance. */
export function speaksOfInsurance(text: string): boolean {
  const folded = foldText(text);
  return insures(text) || policies.some((word) => begins(folded, word));
}

const contracts = insuranceWords.contract.map((word) => foldText(word));

/** Whether words lead to the number of a policy: they speak of it, or of a contract. */
export function speaksOfContract(text: string): boolean {
  const folded = foldText(text);
  return [...policies, ...contracts].some((word) => begins(folded, word));
}

/** Whether a name has a word of the trade. */
export const insures = (name: string): boolean => insurers.some((word) => foldText(name).includes(word));

/** Who insures: behind the label, else the first company of the page with a word of the trade in its name. */
export function insurerOf(around: DocumentContext, holder: string | undefined): FieldValue<string> | undefined {
  const labelled = textAfter(around, ["insurer"], {
    least: 0.3,
    fits: (text) => /^[\p{Lu}"„«]/u.test(text) && /\p{L}{2}/u.test(text) && text.length < longestName,
  });
  if (labelled) return firmIn(around, labelled);
  const firms = entitiesOfType(around.annotations, "Company").filter(
    ({ entity, segment }) => entity.score >= 0.5 && entity.value !== holder && !around.prose.has(segment),
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
function firmIn(around: DocumentContext, labelled: FieldValue<string>): FieldValue<string> {
  const { segment, start } = labelled.span!;
  const [firm] = entitiesOfType(around.annotations, "Company", [segment]).filter(
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
export function insuranceKindOf(around: DocumentContext): FieldValue<string> | undefined {
  const told = textAfter(around, ["insuranceKind"], { lines: 2, least: 0.3 });
  const titles = around.annotations.labels.filter(
    ({ meanings, segment }) => meanings.some(({ concept }) => concept === "titleInsurance") && segment.page === 1,
  );
  const first = around.annotations.layout.segments.filter(({ page }) => page === 1);
  const texts = [
    told?.value ?? "",
    titles.map(({ segment }) => segment.text).join(" "),
    first.map(({ text }) => text).join(" "),
  ];
  for (const [at, text] of texts.entries()) {
    const folded = foldText(text);
    const found = kinds.find(({ words }) => words.some((word) => begins(folded, word)));
    if (found)
      return new FieldValue(found.kind, [0.85, 0.8, 0.6][at] ?? 0.5, at === 0 ? told?.span : undefined, "Computed");
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

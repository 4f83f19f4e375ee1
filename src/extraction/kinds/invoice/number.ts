import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { scores } from "./scores.ts";

const numberConcepts: readonly ConceptId[] = [
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
  "receiptNumber",
  "orderNumber",
];
const ownNumber: ReadonlySet<ConceptId> = new Set([
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
]);

/**
 * Finds the invoice number: after a remark in brackets, otherwise the best code after a label or title. A label such as
 * "No." alone also counts at the top of the page.
 */
export function invoiceNumberIn(document: DocumentContext, locale: DocumentLocale): FieldValue<string> | undefined {
  const { position, bareLabel, otherLabel, ofOtherInvoice, confidence } = scores.number;
  const aside = afterBrackets(document) ?? inSeries(document);
  if (aside) return aside;
  const inTable = segmentsInGrids(document, locale);
  const codes = findCodes(document, numberConcepts)
    .filter(
      ({ label, span }) =>
        !documentType.test(span.text) &&
        !inTable.has(span.segment) &&
        (label.standing !== "Loose" || !document.prose.has(span.segment)),
    )
    .map((code) => {
      const { page, row } = code.span.segment;
      const loss = Math.min(position.maxLoss, (row + position.rowsPerPage * (page - 1)) / position.rows);
      const isOwn = code.label.meanings.some(({ concept }) => ownNumber.has(concept));
      if (!isOwn && code.label.standing === "Head" && isBareNumber(code.label) && loss < bareLabel.maxLoss)
        return { ...code, score: Math.max(bareLabel.score, code.score) };
      const reliability = !isOwn ? otherLabel : isOfOther(code.label) ? ofOtherInvoice : 1;
      return { ...code, score: code.score * (1 - loss) * reliability };
    })
    .sort((a, b) => b.score - a.score);
  const best = codes.find(({ score }) => score >= confidence.min);
  const titled =
    best && best.score >= scores.number.titled ? undefined : (inTitle(document) ?? afterBareLabel(document));
  if (titled) return titled;
  return (
    best &&
    new FieldValue(
      withSuffix(best.span).replace(words, ""),
      Math.min(confidence.max, best.score + confidence.added),
      best.span,
    )
  );
}

/** The code of the type of an Italian invoice. */
const documentType = /^TD\d\d$/u;

/** Whether a label such as "No.:" names no specific kind of number. */
function isBareNumber({ meanings }: Label): boolean {
  return meanings.every(({ weight }) => weight < scores.number.bareLabel.maxWeight);
}

const bracketed =
  /^\s*\([^)]{1,20}\)\s*(?:\p{L}{1,8}\.?\s?[°º]?|№|#)\s*:?\s*(?=[\p{L}\d/-]*\d)([\p{L}\d][\p{L}\d/._-]{2,30})/u;

/** Finds "4711" in "Invoice (copy) No. 4711". */
function afterBrackets({ annotations }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, end, meanings } of annotations.labels) {
    if (!meanings.some(({ concept }) => ownNumber.has(concept))) continue;
    const match = bracketed.exec(segment.text.slice(end));
    const start = match?.[1] ? end + match[0].length - match[1].length : 0;
    if (match?.[1])
      return new FieldValue(match[1], scores.number.afterBrackets, { segment, start, end: start + match[1].length });
  }
  return undefined;
}

/** In "4418 / 05.10.2026", the date is not part of the number. */
const date = /\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\W*\d{4}-\d\d-\d\d$/u;
/** Words of a title before the number: "DE SOLDE F-2026-0104". */
const words = /^(?:\p{L}{1,3} )?\p{L}{4,} (?=\S)/u;
const suffix = /^ ?\/ ?[\p{L}\d][\p{L}\d/.-]*/u;

/** In "118 / 2026", the number is "118/2026". */
function withSuffix({ segment, end, text }: TextSpan): string {
  const more = suffix.exec(segment.text.slice(end))?.[0];
  return more && !date.test(more) ? (text + more).replace(/ /gu, "") : text;
}

/** Words before a label show that the number is that of another invoice: "to invoice 118", "vedr. faktura 4377". */
function isOfOther({ segment, start, standing }: Label): boolean {
  const before = segment.text.slice(0, start);
  return /^\P{L}*\p{Ll}/u.test(before) || (standing === "Loose" && /\p{L}{3}/u.test(before));
}

const topRows = 12;
const rowsOf = (document: DocumentContext) =>
  (document.annotations.layout.pages[0]?.rows ?? []).filter((row) => (row[0]?.row ?? 0) < topRows);

const no =
  "(?:n[ro°º]{1,2}|no|num|numer|numero|numéro|número|number|nummer|nummer|br|č|čís|číslo|št|sz|szám|αρ|αριθ|№|#)";
const series = new RegExp(
  `(?<!\\p{L})(?:seria|serija|sērija|serie|série|σειρά|серія|серия|серија)\\s+([\\p{Lu}\\d]{1,6})\\s+${no}\\.?\\s*:?\\s*(\\d{2,12})`,
  "iu",
);

/** Finds "CRT 001893" in "Seria CRT nr. 001893". */
function inSeries(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of rowsOf(document).flat()) {
    const match = series.exec(segment.text);
    const [, letters, digits] = match ?? [];
    if (!match || !letters || !digits) continue;
    const start = match.index;
    return new FieldValue(`${letters} ${digits}`, scores.number.inSeries, {
      segment,
      start,
      end: start + match[0].length,
    });
  }
  return undefined;
}

const code = `((?:(?!${no}[ .])\\p{Lu}[\\p{Lu}\\d-]{0,6} )?(?=[^\\s]*\\d{2})[\\p{L}\\d][\\p{L}\\d/_.-]{2,24}|\\d{1,4}(?: \\d{2,5}){1,3})`;
const behindTitle = new RegExp(
  `^[^\\d:(]{0,40}(?:\\([^)]*\\))?[^\\d(]{0,12}?(?<=^|[\\s:#№°º])${code}(?=\\s*$|[\\s,;(·])`,
  "u",
);
const dateLike = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|^\d{4}-\d\d-\d\d|^(?:19|20)\d\d$/u;

/** Finds the number in the row of the title: "Rechnung   26 10 0447", "Gutschrift (Abrechnung …) GS-26-00871". */
function inTitle(document: DocumentContext): FieldValue<string> | undefined {
  const titles = new Set(document.annotations.labels.filter((label) => isTitle(document, label)));
  for (const label of titles) {
    const row = rowsOf(document).find((segments) => segments.includes(label.segment)) ?? [];
    const at = row.indexOf(label.segment);
    for (const segment of row.slice(at, at + 2)) {
      const from = segment === label.segment ? label.end : 0;
      const found = codeIn(document, segment, from, behindTitle);
      if (found) return found;
    }
  }
  return undefined;
}

function isTitle(document: DocumentContext, { segment, standing, meanings }: Label): boolean {
  const titles = meanings.some(({ concept }) => ownNumber.has(concept));
  return titles && (standing === "Head" || standing === "Lead") && !document.prose.has(segment);
}

function codeIn(
  document: DocumentContext,
  segment: Segment,
  from: number,
  pattern: RegExp,
): FieldValue<string> | undefined {
  const match = pattern.exec(segment.text.slice(from));
  const number = match?.[1];
  if (!match || !number || dateLike.test(number)) return undefined;
  const end = from + match.index + match[0].length;
  if (isPlace(document, segment, end)) return undefined;
  return new FieldValue(number.replace(/[._/-]+$/u, ""), scores.number.inTitle, {
    segment,
    start: end - number.length,
    end,
  });
}

const isPlace = ({ annotations }: DocumentContext, { index }: Segment, at: number): boolean =>
  (annotations.entitiesIn[index] ?? []).some(
    ({ type, start, end }) => (type === "Street" || type === "Place" || type === "Date") && start < at && end >= at,
  );

const bare = new RegExp(`^${no}\\.?\\s*:?(?=\\s*$|\\s+|\\d)`, "iu");
const bareCode = new RegExp(`^\\s*${code}(?=\\s*$|\\s*[,;(·])`, "u");

/** Finds "4410K" in "Nr. 4410K" or beside "No.", at the top of the page. */
function afterBareLabel(document: DocumentContext): FieldValue<string> | undefined {
  for (const row of rowsOf(document))
    for (const [at, segment] of row.entries()) {
      const [label] = bare.exec(segment.text) ?? [];
      if (label === undefined) continue;
      const next = label.length === segment.text.length ? row[at + 1] : segment;
      const found = next && codeIn(document, next, next === segment ? label.length : 0, bareCode);
      if (found) return found;
    }
  return undefined;
}

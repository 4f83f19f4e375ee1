import { scores } from "./scores.ts";
import legalForms from "../lexicon/legal-forms.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";
import { findNameInSentence } from "./sentence-names.ts";

type CompanyEntity = EntityOf<"Company">;

/** "Sp. z o.o." and "sp z oo" have the same key. */
const keyOf = (form: string) => foldText(form).replace(/[^\p{L}]/gu, "");
const behind = new Set(legalForms.behind.map(keyOf));
const ahead = new Set(legalForms.ahead.map(keyOf));
const unmistakable = new Set(legalForms.unmistakable);
const beginningsOf = (forms: ReadonlySet<string>) =>
  new Set([...forms].flatMap((form) => Array.from(form, (_, at) => form.slice(0, at + 1))));
const beginnings = new Map<ReadonlySet<string>, ReadonlySet<string>>(
  [behind, ahead].map((forms) => [forms, beginningsOf(forms)] as const),
);
const WORD = /\p{L}+/gu;
const MOST_WORDS = 5;
/** Separators within a legal form: "S.p.A.", "Sp. z o.o.", "GmbH & Co. KG", "A/S". */
const WITHIN_FORM = /^(?:\.? ?|\.?,? ?(?:& ?)?|\/)$/;
/**
 * Legal forms up to this length are also words or units ("as", "kg", "sa"). Unless they are `unmistakable`, they count
 * only if they begin with a capital or have full stops.
 */
const SHORT = 3;
const ENDS_NAME = /[:;|\t\n•∙●▪⋅]|\s{2,}|\s[-–—*~/]\s|[([]|\d{2,}[ .-]\d/;
const ENDS_NAME_OR_COMMA = new RegExp(`${ENDS_NAME.source}|,`);
const MOST_LETTERS = 90;
/** "Transport 2000 Bt.": a number such as a year within a name. */
const NUMBERED_NAME = /^["']?\p{Lu}\p{L}{3,}[\p{L} &-]* \d{2,4} $/u;
/** "Tullamore, Co. Offaly": "Co." means "County", it is not a legal form. */
const COUNTY = /^, Co\. \p{Lu}/u;

/** Finds companies by the legal form in their name (Europe and North America). */
export function findCompanies(line: Line): CompanyEntity[] {
  const words = Array.from(line.text.matchAll(WORD), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return withoutOverlaps([...formBehind(line, words), ...formAhead(line, words)]);
}

interface Word {
  start: number;
  end: number;
}

function formBehind(line: Line, words: Word[]): CompanyEntity[] {
  const found: CompanyEntity[] = [];
  for (let at = 1; at < words.length;) {
    const count = formAt(line, words, at, behind);
    if (count === 0) {
      at += 1;
      continue;
    }
    let last = at + count;
    // "Sp. z o.o. Sp.k.": one legal form follows another.
    for (
      let more = formAt(line, words, last, behind);
      more > 0 && WITHIN_FORM.test(line.text.slice(words[last - 1]!.end, words[last]!.start));
      more = formAt(line, words, last, behind)
    )
      last += more;
    found.push(...named(line, words[at]!.start, formEnd(line.plain, words[last - 1]!.end)));
    at = last;
  }
  return found;
}

/** "Lagerweg 9, SE 761 74": letters before digits are a country code. */
const AS_CODE = /^[ -]?\d/;

/** Returns the number of words from `at` that form the longest legal form, or 0 if there is none. */
function formAt(line: Line, words: Word[], at: number, forms: ReadonlySet<string>): number {
  const known = beginnings.get(forms)!;
  const { start } = words[at] ?? { start: 0 };
  let key = "";
  let longest = 0;
  for (let count = 1; count <= MOST_WORDS && at + count <= words.length; count += 1) {
    const last = words[at + count - 1]!;
    key += line.text.slice(last.start, last.end);
    if (!known.has(key) || (count > 1 && !WITHIN_FORM.test(line.text.slice(words[at + count - 2]!.end, last.start))))
      break;
    if (forms.has(key) && writtenAsForm(line.plain.slice(start, last.end))) longest = count;
  }
  return longest;
}

function formEnd(text: string, end: number): number {
  return text[end] === "." ? end + 1 : end;
}

function named(line: Line, formStart: number, end: number): CompanyEntity[] {
  const start = nameStart(line.plain, formStart);
  const name = line.plain.slice(start, formStart);
  const endsInDigit = /\d[ ,.]?$/.test(line.plain.slice(Math.max(0, formStart - 2), formStart));
  if (endsInDigit && !(NUMBERED_NAME.test(name) && /[.]|\p{L}{3}/u.test(line.plain.slice(formStart, end)))) return [];
  if (!/\p{Lu}/u.test(name) || name.replace(/[^\p{L}]/gu, "").length < 2) return [];
  const form = line.plain.slice(formStart, end);
  if (COUNTY.test(line.plain.slice(Math.max(0, formStart - 2), end + 3))) return [];
  if (form.length <= SHORT && AS_CODE.test(line.plain.slice(end))) return [];
  const score =
    form.replace(/[^\p{L}]/gu, "").length > SHORT || /\.\s?\p{L}/u.test(form)
      ? scores.company.longForm
      : scores.company.shortForm;
  return [company(line, start, end, score)];
}

function formAhead(line: Line, words: Word[]): CompanyEntity[] {
  const found: CompanyEntity[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const count = formAt(line, words, at, ahead);
    if (count === 0) continue;
    const form = formEnd(line.plain, words[at + count - 1]!.end);
    const end = nameEnd(line.plain, form);
    const name = line.plain.slice(form, end);
    at += count - 1;
    const first = words[at - count + 1]!.start;
    if (form - first <= SHORT && /\d[ -]?$/.test(line.plain.slice(0, first))) continue;
    if (/^ ?["']?[\p{Lu}\d]/u.test(name) && name.replace(/[^\p{L}]/gu, "").length >= 2)
      found.push(
        company(
          line,
          words[at - count + 1]!.start,
          end,
          /["']/.test(name) ? scores.company.quoted : scores.company.shortForm,
        ),
      );
  }
  return found;
}

/** Surnames that would be legal forms if they were written in capitals. */
const surnames: ReadonlySet<string> = new Set(["Vos", "Sas", "Sal"]);

function writtenAsForm(printed: string): boolean {
  const letters = printed.replace(/[^\p{L}]/gu, "");
  if (surnames.has(printed)) return false;
  return letters.length > SHORT || /\.\s?\p{L}/u.test(printed) || /^\p{Lu}/u.test(letters) || unmistakable.has(letters);
}

function nameStart(text: string, formStart: number): number {
  const from = Math.max(0, formStart - MOST_LETTERS);
  const before = text.slice(from, formStart).replace(/[\s,]+$/, "");
  let start = 0;
  for (const match of before.matchAll(/(?:(?<!\d):|:(?!\d)|[;|\t\n•])\s*|\s{2,}|\s[-–—/]\s|,\s+|\(\s*/g))
    if (!closesWithin(before, match)) start = match.index + match[0].length;
  start += findNameInSentence(before.slice(start));
  const lead = /^(?:[^\p{L}\d"']|\p{Ll}[\p{L}.]*\s+|[\d.]+[.)]\s+)+/u.exec(before.slice(start));
  return from + start + (lead && lead[0].length < before.length - start ? lead[0].length : 0);
}

/** Whether the bracket is closed before the legal form and so belongs to the name: "Hill Haulage (Bradford) Ltd". */
function closesWithin(before: string, { 0: sign, index }: RegExpExecArray): boolean {
  return (
    sign.startsWith("(") && /^\([^()]{2,30}\)/.test(before.slice(index)) && /\p{L} $/u.test(before.slice(0, index))
  );
}

function nameEnd(text: string, nameBegin: number): number {
  const rest = text.slice(nameBegin, nameBegin + MOST_LETTERS);
  const quoted = /^ ?(["'])[^"']{2,60}\1/.exec(rest);
  if (quoted) return nameBegin + quoted[0].length;
  const stop = rest.search(ENDS_NAME_OR_COMMA);
  return nameBegin + (stop < 0 ? rest : rest.slice(0, stop)).trimEnd().length;
}

function company(line: Line, start: number, end: number, score: number): CompanyEntity {
  const span = printedSpan(line, start, end, score);
  return { type: "Company", ...span, value: line.source.slice(span.start, span.end).replace(/\s+/g, " ").trim() };
}

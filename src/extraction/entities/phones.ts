import { findPhoneNumbersInText } from "libphonenumber-js/min";
import type { CountryCode } from "libphonenumber-js/min";
import type { EntityOf, DocumentLocale } from "./entity.ts";
import type { Line } from "./line-spans.ts";

/** Seven figures with nothing but the signs of telephone numbers between them. */
const FIGURES = /(?:\d[^\p{L}\d,:;|]{0,4}){6}\d/u;
const MOST_TRIED = 2;
/** The library goes through a line again and again: longer ones are prose or hostile. */
const LONGEST_LINE = 400;

/** Phone numbers in E.164. Without a country prefix they are read as of the document's countries, with a lower score. */
export function findPhones(line: Line, context: DocumentLocale): EntityOf<"Phone">[] {
  const text = line.source;
  if (text.length > LONGEST_LINE || !FIGURES.test(text)) return [];
  const found: EntityOf<"Phone">[] = [];
  const international = /(?:\+|\b00|\(0?0?\d)/.test(text);
  const countries = international ? [context.countries[0] ?? "PL"] : context.countries.slice(0, MOST_TRIED);
  for (const country of countries) {
    for (const { number, startsAt, endsAt } of findPhoneNumbersInText(text, country as CountryCode)) {
      const printed = text.slice(startsAt, endsAt);
      const score = printed.startsWith("+")
        ? 0.95
        : printed.startsWith("00")
          ? 0.85
          : country === context.countries[0]
            ? 0.4
            : 0.3;
      const span = { start: startsAt - areaCodeBefore(text.slice(0, startsAt)), end: endsAt };
      if (!found.some((other) => other.start < span.end && span.start < other.end))
        found.push({ type: "Phone", ...span, score, value: number.number });
    }
  }
  return found;
}

const AREA_CODE = /(?<![\d/.-])\(?0\d{1,5}\)? ?\/ ?$/u;

/** "07131 / 88 42 - 317": the letters of an area code that is set off with a slash. */
const areaCodeBefore = (before: string): number => AREA_CODE.exec(before)?.[0].length ?? 0;

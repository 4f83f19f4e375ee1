import { scores } from "./scores.ts";
import type { DocumentLocale, EntityOf } from "./entity.ts";
import { printedSpan, type Line } from "./line-spans.ts";
import { findPhoneNumbersInText, type CountryCode } from "libphonenumber-js/min";

const EMAIL = /(?<![\w.+-])[a-z0-9][\w.+'-]{0,63}@[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9][a-z0-9-]{0,62}){1,5}/gi;
const LINK =
  /(?<![\w@])(?:https?:\/\/[^\s<>"']{3,400}|www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}(?:\/[^\s<>"']{0,300})?)/gi;

/** Finds e-mail addresses, returned in lower case. */
export function findEmails(line: Line): EntityOf<"Email">[] {
  if (!line.plain.includes("@")) return [];
  return Array.from(line.plain.matchAll(EMAIL), (match) => ({
    type: "Email",
    ...printedSpan(line, match.index, match.index + match[0].length, scores.email),
    value: match[0].toLowerCase(),
  }));
}

/** Finds web addresses, without the punctuation of the sentence around them. */
export function findLinks(line: Line): EntityOf<"Link">[] {
  if (!line.text.includes("://") && !line.text.includes("www.")) return [];
  return Array.from(line.plain.matchAll(LINK), (match) => {
    const value = match[0].replace(/[.,;:!?)\]}]+$/, "");
    return { type: "Link", ...printedSpan(line, match.index, match.index + value.length, scores.link), value };
  });
}

const FIGURES = /(?:\d[^\p{L}\d,:;|]{0,4}){6}\d/u;
const MOST_TRIED = 2;
/** The library scans a line many times, and longer lines are prose or hostile input. */
const LONGEST_LINE = 400;

/**
 * Finds phone numbers, returned as E.164. A number without a country prefix is parsed with the document's countries and
 * gets a lower score.
 */
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
        ? scores.phone.plus
        : printed.startsWith("00")
          ? scores.phone.doubleZero
          : country === context.countries[0]
            ? scores.phone.firstCountry
            : scores.phone.otherCountry;
      const span = { start: startsAt - areaCodeBefore(text.slice(0, startsAt)), end: endsAt };
      if (!found.some((other) => other.start < span.end && span.start < other.end))
        found.push({ type: "Phone", ...span, score, value: number.number });
    }
  }
  return found;
}

const AREA_CODE = /(?<![\d/.-])\(?0\d{1,5}\)? ?\/ ?$/u;

/** Returns the length of an area code that a slash separates from the match: "07131 / 88 42 - 317". */
const areaCodeBefore = (before: string): number => AREA_CODE.exec(before)?.[0].length ?? 0;

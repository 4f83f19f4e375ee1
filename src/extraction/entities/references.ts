import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const TOKEN =
  /(?<![\p{L}\p{N}])(?:[\p{Lu}]{1,5} )?[\p{L}\p{N}](?:[\p{L}\p{N}]|[-/._#+](?=[\p{L}\p{N}])){1,39}(?![\p{L}\p{N}])/gu;
const UNIT_LIKE = /^\d+(?:[.,]\d+)?(?:kg|kgs|t|to|km|ldm|m|cm|mm|m3|h|x\d+|pcs|szt|pal|eur|pln|th|st|nd|rd)$/i;

/**
 * Finds reference candidates: sequences of letters and digits with at least one digit, as printed. The shape is weak
 * evidence, so scores are low and a label must confirm the reference.
 */
export function findReferences(line: Line): EntityOf<"Reference">[] {
  return Array.from(line.plain.matchAll(TOKEN)).flatMap((match): EntityOf<"Reference">[] => {
    const trimmed = withoutLeadingWord(match[0]);
    const start = match.index + match[0].length - trimmed.length;
    const figures = trimmed.replace(/\D/g, "").length;
    if (figures === 0 || trimmed.length < 3 || UNIT_LIKE.test(trimmed)) return [];
    return [
      {
        type: "Reference",
        ...printedSpan(line, start, start + trimmed.length, score(trimmed, figures)),
        value: line.source.slice(line.at(start), line.at(start + trimmed.length)),
      },
    ];
  });
}

/** Removes a label at the start, such as "NR" of "NR 20431". "TR 20431" stays whole, because "TR" is not a label. */
function withoutLeadingWord(token: string): string {
  return /^(?:NR|NO|N|NUM|REF|VAT|NIP|TEL|FAX|PO|ID|PLZ|UL|AL|STR|CMR|UN|ADR|KG|LDM|EUR|PLN|USD|GBP|CZK|HUF|CHF|RON|PAL|EP|OD|DO|VON|BIS|AB|AM|UM|DE|PL|LT|FR|IT|ES|CZ|NL|BE|AT|HU|RO|SK|GB|FROM|TO|AT|ON|AND|X|FIX) /.test(
    token,
  )
    ? token.slice(token.indexOf(" ") + 1)
    : token;
}

function score(token: string, figures: number): number {
  const letters = /\p{L}/u.test(token);
  const signs = /[-/]/.test(token);
  if (figures >= 4 && letters) return scores.reference.lettersAndFourDigits;
  if (figures >= 5) return scores.reference.fiveDigits;
  if (figures >= 3 && (letters || signs)) return scores.reference.threeDigits;
  return scores.reference.other;
}

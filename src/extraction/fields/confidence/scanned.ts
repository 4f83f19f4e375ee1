import type { Evidence } from "../../document/extraction-result.ts";
import { isContainer, isIban } from "../../entities/codes.ts";
import { isVatValid } from "../../entities/vat.ts";
import { fieldOf } from "./signs.ts";

/** One in six values is wrong if OCR is less confident of its words than this. */
const clear = 0.8;

/**
 * Whether a value from an image may be misread unnoticed: OCR doubts its words, or a misread digit would make another
 * valid value, and it appears only once and has no check digits.
 */
export function mayBeMisread(evidence: Evidence): boolean {
  const { value, text = "", seen } = evidence;
  if (!seen) return false;
  const hangsOnFigures = figure.test(text) && figure.test(String(value));
  return seen.worst < clear || (hangsOnFigures && !seen.again && !hasCheckDigits(evidence));
}

const figure = /\d/u;

function hasCheckDigits({ pointer, value }: Evidence): boolean {
  const [field, code] = [fieldOf(pointer), String(value)];
  if (field.endsWith("vatCode")) return isVatValid(code);
  if (field.endsWith("iban")) return isIban(code);
  return field.endsWith("containerNumber") && isContainer(code);
}

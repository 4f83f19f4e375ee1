import type { Evidence } from "../../document/extraction-result.ts";
import { isContainer, isIban } from "../../entities/codes.ts";
import { isVatValid } from "../../entities/vat.ts";
import { fieldOf } from "./signs.ts";

/** Of values whose words the recogniser is less sure of than this, one in six is wrong. */
const clear = 0.8;

/**
 * Whether a value of words on a picture may be another one without anybody noticing: the recogniser doubts them, or a misread
 * figure would make another value, and they stand on the document only once and have no check digits.
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

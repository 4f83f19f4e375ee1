import { mailEntities } from "../mail/mail-entities.ts";
import type { DocumentContext } from "../fields/labels/values.ts";

const maxNumbers = 60;
/** Letters or signs beside at least three figures: the form of a number that somebody gave. Bare figures may be anything. */
const code =
  /(?<![\p{L}\d/_-])(?=[\p{L}\d/_-]*[\p{L}/_-])(?=(?:[\p{L}/_-]*\d){3})[\p{L}\d]+(?:[/_-][\p{L}\d]+)*(?![\p{L}\d/_-])/gu;
const minLength = 6;

/** Numbers by which a document may name an order: those that are called so first, then whatever has the form of one. */
export function referenceNumbersIn(
  document: DocumentContext,
  today: { year: number; month: number; day: number },
): string[] {
  const { orderNumbers } = mailEntities(document, { today });
  const codes = document.annotations.layout.segments.flatMap(({ text }) => text.match(code) ?? []);
  return [...new Set([...orderNumbers, ...codes.filter(({ length }) => length >= minLength)])].slice(0, maxNumbers);
}

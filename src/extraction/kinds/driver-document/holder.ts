import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import { lineAbove } from "../../layout/page-index.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { FieldNumber } from "./numbered-fields.ts";
import { scores } from "./scores.ts";

const nameLike = /^(?:\p{Ll}{1,4}[ '’])*\p{Lu}[\p{L}'’ .,-]+$/u;
const isName = (text: string): boolean => nameLike.test(text) && text.length < 60;

/** A name in two scripts is that in Latin letters: "HNATIUK" of "ГНАТЮК / HNATIUK". */
function inLatin(text: string): string {
  const parts = text.split("/").map((part) => part.trim());
  return parts.length > 1 ? (parts.find((part) => /^[\p{sc=Latin}\s'’.-]+$/u.test(part)) ?? text) : text;
}

/** The given names come first, whatever the printed order is. */
export function nameOf(
  document: DocumentContext,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
): FieldValue<string> | undefined {
  const [one, other] = [fields.get("1"), fields.get("2")];
  const [last, first] = [one, other].map((span) => cleanedText(inLatin(span?.text ?? "")));
  if (one && last && first && isName(last) && isName(first))
    return new FieldValue(`${first} ${last}`, scores.nameInNumberedFields, one);
  const fits = (text: string) => isName(inLatin(text));
  const surname = textAfter(document, ["surname"], { fits }) ?? textAfter(document, ["companyName"], { fits });
  const givenName =
    textAfter(document, ["givenNames"], { fits }) ??
    (surname && textAfter(document, ["companyName"], { fits: (text) => fits(text) && text !== surname.value }));
  if (surname && givenName && surname.value !== givenName.value)
    return new FieldValue(
      `${inLatin(givenName.value)} ${inLatin(surname.value)}`,
      Math.min(surname.confidence, givenName.confidence),
      surname.span,
    );
  const whole = textAfter(document, ["holderName", "driver"], { fits: isWholeName });
  if (whole) return whole.as(nameAhead(whole.value));
  const born = nameBeforeBirth(document);
  if (born) return born;
  const another = textAfter(document, ["companyName", "contactPerson"], { fits: isWholeName });
  return another?.as(nameAhead(another.value));
}

const isWholeName = (text: string): boolean => isName(nameAhead(text)) && nameAhead(text).includes(" ");

/** The name before further words: "Anna Berg" in "Anna Berg born on 5 May 1980". */
const nameAhead = (text: string): string => text.split(/[\s,]+(?=\p{Ll}{2,}\s|\d|\()/u)[0] ?? text;

/** Two to five words with capitals, as in "that Mr Jan de Vries, passport 1234, was". */
const names =
  /(?<![\p{L}.])\p{Lu}[\p{L}'’-]+(?:[ -](?:(?:de|da|do|dos|van|von|der|den|di|del|la|el|ten|ter|bin|al) ){0,2}\p{Lu}[\p{L}'’-]+){1,4}(?![\p{L}.])/gu;
/** Longest text between the name and the word for birth: the number of an identity card. */
const widestGap = 60;

/** The name ahead of "born on" in its line, otherwise the line above. */
function nameBeforeBirth(document: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, start, meanings } of document.annotations.labels) {
    if (!meanings.some(({ concept }) => concept === "birthDate")) continue;
    const ahead = segment.text.slice(0, start);
    const above = /\p{L}/u.test(ahead) ? undefined : lineAbove(document.annotations, segment);
    const [line, text] = above ? [above, above.text] : [segment, ahead];
    const last = [...text.matchAll(names)].at(-1);
    if (!last || text.length - last.index - last[0].length > widestGap) continue;
    const name = last[0].replace(honorific, "");
    if (!name.includes(" ")) continue;
    const end = last.index + last[0].length;
    return new FieldValue(name, scores.nameBeforeBirth, { segment: line, start: end - name.length, end });
  }
  return undefined;
}

const honorific = /^(?:Herrn?|Frau|Mr|Mrs|Ms|Monsieur|Madame|Signor[ae]?|Sig|Señora?|Pana?|Pani|Pana|Dhr|Mevr|Hr|Fr) /u;

import { lettersOf } from "../fields/find-value/letters.ts";
import { numberedLines } from "../fields/find-value/numbered-lines.ts";
import { findOccurrences, isValid } from "../fields/find-value/find-value.ts";
import type { KindName } from "../kinds/kinds.ts";
import type { AnnotatedPage, LessonContent, Scalar } from "./lesson.ts";
import { fieldOf, valueAt } from "./pointers.ts";

/** A value that a person corrected. */
export interface Correction {
  pointer: string;
  /** The extracted value; undefined if there was none. */
  before: unknown;
  /** The correct value; `null` if there is none. */
  value: Scalar | null;
}

/** A lesson that is not yet linked to its feedback. */
export interface NewLesson {
  field: string;
  taught: LessonContent;
}

/** Fields of parties that are the same on all documents of a sender, so not contact persons and drivers. */
const parties =
  /^\/(?:customer|customerBranch|payer|carrier|seller|buyer|requestedBy|merchant|insurer|policyHolder|authority)(?:$|\/(?!contactPerson|drivers))/;

/** Fields by which an object is recognised in the next document. */
const identifyingFields = ["name", "city", "cargoType", "description"];

/**
 * Creates lessons from corrections. If the document contains the correct value, only the name of a party is a lesson;
 * places of values are learned in `learn.ts`. Otherwise the lesson is the first of these that applies: the value replaces
 * the extracted text; it belongs to every object with the same name, city or other identifying field; it is the sender's
 * default.
 * @param page undefined if the file is no longer available or contains several items; only replacements are learned then
 */
export function lessonsOfCorrections(
  kind: KindName,
  data: unknown,
  corrections: readonly Correction[],
  page: AnnotatedPage | undefined,
): NewLesson[] {
  return corrections.flatMap(({ pointer, before, value }): NewLesson[] => {
    const field = fieldOf(pointer, data);
    const taught = taughtBy(pointer, before, value, data, page);
    return taught.map((each) => ({ field, taught: each }));
  });
}

function taughtBy(
  pointer: string,
  before: unknown,
  value: Scalar | null,
  data: unknown,
  page: AnnotatedPage | undefined,
): LessonContent[] {
  if (page && typeof value !== "boolean" && value !== null) {
    const name = pointer.split("/").at(-1) ?? "";
    const hits =
      isValid(name, value) && isTelling(value)
        ? findOccurrences(pointer, value, numberedLines(page.annotations.layout), page)
        : [];
    const isKnown = hits.length > 0 && typeof value === "string" && parties.test(pointer);
    if (hits.length > 0) return isKnown ? [{ what: "Known", value }] : [];
  }
  if (typeof before === "string" && lettersOf(before).length > 1)
    return [{ what: "Map", of: "", from: lettersOf(before), value }];
  if (value === null || before !== undefined || !page) return [];
  // A value that is not printed becomes the sender's default, but not for stops, because other stops may have other
  // values.
  const teller = tellerOf(pointer, data);
  if (teller) return [{ what: "Map", ...teller, value }];
  return pointer.startsWith("/locations/") ? [] : [{ what: "Default", value }];
}

/** Shorter texts occur in every document by chance, unless they are codes. */
const isTelling = (value: string | number): boolean =>
  typeof value === "number" || lettersOf(value).length > 2 || /^[A-Z]{2}$/.test(value);

/**
 * If the `internalId` of a stop was corrected to LOC-12, returns the field `name` with "Magazyn BDG", by which the stop
 * is recognised in the next document.
 */
function tellerOf(pointer: string, data: unknown): { of: string; from: string } | undefined {
  const steps = pointer.split("/").slice(1, -1);
  if (steps.length === 0) return undefined;
  for (const of of identifyingFields) {
    const text = pointer.endsWith(`/${of}`) ? undefined : valueAt(data, [...steps, of]);
    if (typeof text === "string" && lettersOf(text)) return { of, from: lettersOf(text) };
  }
  return undefined;
}

import { lettersOf } from "../fields/find-value/letters.ts";
import { numberedLines } from "../fields/find-value/numbered-lines.ts";
import { findOccurrences, isValid } from "../fields/find-value/find-value.ts";
import type { KindName } from "../kinds/kinds.ts";
import { createAnchors } from "./anchors.ts";
import type { AnnotatedPage, LessonContent, Scalar } from "./lesson.ts";
import { fieldOf, valueAt } from "./pointers.ts";

/** A value that a person put right. */
export interface Correction {
  pointer: string;
  /** What was read, undefined where nothing was. */
  before: unknown;
  /** What it is; `null` where there is none. */
  value: Scalar | null;
}

/** What a document taught, before anybody knows by which feedback. */
export interface NewLesson {
  field: string;
  taught: LessonContent;
}

/** Fields that say who somebody is: of one sender they are the same each time. */
const parties =
  /^\/(?:customer|customerBranch|payer|carrier|seller|buyer|requestedBy|merchant|insurer|policyHolder|authority)(?:$|\/(?!contactPerson|drivers))/;

/** Fields beside a value that tell whose it is. */
const tellers = ["name", "city", "cargoType", "description"];

/**
 * Makes lessons of corrections: what is written in the document is anchored there, what is not is learnt as what it is said
 * instead of, or as what this sender never says.
 * @param page undefined where the file can no longer be looked at, or holds several things: then nothing is anchored
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
    const anchors = createAnchors(hits, value, page);
    const known = hits.length > 0 && typeof value === "string" && parties.test(pointer);
    const taught: LessonContent[] = [
      ...(known ? [{ what: "Known" as const, value }] : []),
      ...(anchors.length > 0 ? [{ what: "Anchor" as const, anchors }] : []),
    ];
    if (hits.length > 0) return taught;
  }
  if (typeof before === "string" && lettersOf(before).length > 1)
    return [{ what: "Map", of: "", from: lettersOf(before), value }];
  if (value === null || before !== undefined || !page) return [];
  // What one stop has and no paper says, the next one need not have.
  const teller = tellerOf(pointer, data);
  if (teller) return [{ what: "Map", ...teller, value }];
  return pointer.startsWith("/locations/") ? [] : [{ what: "Default", value }];
}

/** Shorter words stand somewhere in every document, unless they are codes. */
const isTelling = (value: string | number): boolean =>
  typeof value === "number" || lettersOf(value).length > 2 || /^[A-Z]{2}$/.test(value);

/** The name beside a value that stands nowhere: "Magazyn BDG" is what `internalId` LOC-12 belongs to. */
function tellerOf(pointer: string, data: unknown): { of: string; from: string } | undefined {
  const steps = pointer.split("/").slice(1, -1);
  if (steps.length === 0) return undefined;
  for (const of of tellers) {
    const said = pointer.endsWith(`/${of}`) ? undefined : valueAt(data, [...steps, of]);
    if (typeof said === "string" && lettersOf(said)) return { of, from: lettersOf(said) };
  }
  return undefined;
}

import type { KindName } from "../kinds/kinds.ts";
import type { MailHead } from "../document/document.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/*
 * Lessons from corrections. A lesson belongs to a company, a sender and one field of one kind of document.
 *
 * 1. `sender.ts` identifies the sender of a document (`keys`) and its layout (`signature`).
 * 2. `lessons-of-corrections.ts` finds a corrected value in its document and creates a lesson: the position (`anchors.ts`) and
 *    the format (`forms.ts`) of the value or, if it is not in the document, the value it replaces.
 * 3. `apply.ts` applies a sender's lessons to the next document. A lesson yields one more candidate; its probability, like
 *    that of the engine's own value, is how often it was right before.
 *
 * A lesson that was wrong twice in a row is disabled. No lesson yields a value with wrong check digits.
 */

/** How the words of a place become the value. */
export type Form =
  | {
      as: "Text";
      /** Words of the place before the value. */
      skip: number;
      /** Where it ends: with the place, at a comma, before a word with a figure, or after so many words. */
      end: "Rest" | "Comma" | "Figures" | number;
      /** Written without blanks and signs, in capitals. */
      tight: boolean;
      /** What the value has in front and the paper has not: the country of a VAT number. */
      prefix: string;
      hasFigures: boolean;
    }
  | { as: "Number"; nth: number; factor: number }
  | {
      as: "Moment";
      date: number;
      clock?: number;
      tail: string;
      /** No hour stood there. */
      isOpen: boolean;
    }
  | { as: "Country" }
  | { as: "Currency" };

/** A place on the page, told by fixed words near it. */
export interface Anchor {
  /** Letters and figures of the fixed words, small and without marks. */
  label: string;
  /** Which of the places where these words stand, from 0. */
  nth: number;
  way: "Same" | "Right" | "Below";
  /** `Right`: how many segments of the row stand between. */
  order: number;
  /** From the left top of the words to that of the value, in heights of the letters. */
  dx: number;
  dy: number;
  page: "First" | "Last" | "Any";
  form: Form;
}

/** What a correction taught. */
export type LessonContent =
  /** It stands there. The likeliest place first. */
  | { what: "Anchor"; anchors: Anchor[] }
  /** It is always this for this sender, where the document has it. */
  | { what: "Known"; value: string }
  /** What is read so means that. `null`: it means nothing. */
  | { what: "Map"; of: string; from: string; value: Scalar | null }
  /** No document says it. */
  | { what: "Default"; value: Scalar };

export type Scalar = string | number | boolean;

/** A lesson as it is kept. */
export interface Lesson {
  kind: KindName;
  /** Pointer of the field, stops by their kind: "/locations/Unloading:0/postalCode". */
  field: string;
  /** The feedback that taught it. */
  feedbackId: string;
  /** What the document looked like. */
  signature: string;
  taught: LessonContent;
  /** How often it was right and wrong, and wrong since it was last right. */
  seen: number;
  failed: number;
  failedInRow: number;
}

/** What a company knows of the sender of a document. */
export interface Memory {
  lessons: Lesson[];
  /** By `kind field`: how often the engine's own value was right and wrong. */
  record: Record<string, { right: number; wrong: number }>;
}

export const recordKey = (kind: KindName, field: string): string => `${kind} ${field}`;

/** Something believed as often as it was right before. */
export const successRate = (right: number, wrong: number): number => (right + 1) / (right + wrong + 2);

const maxConsecutiveFailures = 2;
export const isDisabled = ({ failedInRow }: Lesson): boolean => failedInRow >= maxConsecutiveFailures;

/** A document with all labels and entities on it. */
export interface AnnotatedPage {
  annotations: Annotations;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}

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

/** How a value is parsed from the words at an anchor. */
export type Form =
  | {
      as: "Text";
      /** Words to skip before the value. */
      skip: number;
      /** End of the value: end of the range, a comma, a word with a digit, or a number of words. */
      end: "Rest" | "Comma" | "Figures" | number;
      /** Written without spaces and punctuation, in capitals. */
      tight: boolean;
      /** Prefix of the value that the document omits: the country of a VAT number. */
      prefix: string;
      hasFigures: boolean;
    }
  | { as: "Number"; nth: number; factor: number }
  | {
      as: "Moment";
      date: number;
      clock?: number;
      tail: string;
      /** Whether no time was printed. */
      isOpen: boolean;
    }
  | { as: "Country" }
  | { as: "Currency" };

/** A position on the page, given by fixed words near it. */
export interface Anchor {
  /** Folded letters and digits of the fixed words. */
  label: string;
  /** Which occurrence of these words, from 0. */
  nth: number;
  way: "Same" | "Right" | "Below";
  /** For `Right`: number of segments in between on the row. */
  order: number;
  /** Offset from the top left of the words to that of the value, in letter heights. */
  dx: number;
  dy: number;
  page: "First" | "Last" | "Any";
  form: Form;
}

/** What a correction teaches. */
export type LessonContent =
  /** The value stands at one of these positions, most likely first. */
  | { what: "Anchor"; anchors: Anchor[] }
  /** This sender's value is always this one, if the document contains it. */
  | { what: "Known"; value: string }
  /** The extracted text `from` means this value; `null` means none. */
  | { what: "Map"; of: string; from: string; value: Scalar | null }
  /** The value is never printed. */
  | { what: "Default"; value: Scalar };

export type Scalar = string | number | boolean;

/** A lesson as stored, with its counts of use. */
export interface Lesson {
  kind: KindName;
  /** Pointer of the field, stops by type: "/locations/Unloading:0/postalCode". */
  field: string;
  /** The feedback it comes from. */
  feedbackId: string;
  /** Layout signature of the document. */
  signature: string;
  taught: LessonContent;
  /** How often it was right, how often wrong, and how often wrong since it was last right. */
  seen: number;
  failed: number;
  failedInRow: number;
}

/** The lessons of a company about one sender. */
export interface Memory {
  lessons: Lesson[];
  /** By `kind field`: how often the engine's own value was right and wrong. */
  record: Record<string, { right: number; wrong: number }>;
}

export const recordKey = (kind: KindName, field: string): string => `${kind} ${field}`;

/** Estimated probability from past results (rule of succession). */
export const successRate = (right: number, wrong: number): number => (right + 1) / (right + wrong + 2);

const maxConsecutiveFailures = 2;
export const isDisabled = ({ failedInRow }: Lesson): boolean => failedInRow >= maxConsecutiveFailures;

/** A document with its labels and entities. */
export interface AnnotatedPage {
  annotations: Annotations;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}

import type { KindName } from "../kinds/kinds.ts";
import type { MailHead } from "../document/document.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/*
 * Lessons from corrections. A lesson belongs to a company, a sender and one field of one kind of document.
 *
 * 1. `sender.ts` identifies the sender of a document (`keys`) and its layout (`signature`).
 * 2. `lessons-of-corrections.ts` searches the document for the corrected value and creates a lesson. The lesson describes the
 *    position (`anchors.ts`) and the form (`forms.ts`) of the value. If the document does not contain the value, the lesson
 *    describes which value it replaces or to which object it belongs.
 * 3. `apply.ts` applies a sender's lessons to the next document. A lesson proposes a value. Its probability, like that of the
 *    engine's own value, is estimated from how often it was right before.
 *
 * A lesson that was wrong twice in a row is disabled. Lessons never yield a value with wrong check digits.
 */

/** How a value is parsed from the words at an anchor. */
export type Form =
  | {
      as: "Text";
      /** Number of words between the start of the range and the value. */
      skip: number;
      /**
       * Where the value ends: at the end of the range (`Rest`), at a comma, before a word that contains a digit
       * (`Figures`), or after this number of words.
       */
      end: "Rest" | "Comma" | "Figures" | number;
      /** Whether the value is the printed text in capitals, without spaces and punctuation. */
      tight: boolean;
      /** Prefix of the value that is not printed in the document, such as the country of a VAT number. */
      prefix: string;
      hasFigures: boolean;
    }
  | { as: "Number"; nth: number; factor: number }
  | {
      as: "Moment";
      date: number;
      clock?: number;
      tail: string;
      /** Whether the document from which the form was learned had no time at this position. */
      isOpen: boolean;
    }
  | { as: "Country" }
  | { as: "Currency" };

/** A position on the page, described by words near it that are the same in every document of the sender. */
export interface Anchor {
  /** The letters and digits of these words, folded. */
  label: string;
  /** Which of the occurrences of these words is meant (index from 0). */
  nth: number;
  /** Where the value is: in the segment of the words, to its right, or below it. */
  way: "Same" | "Right" | "Below";
  /** For `Right`: number of segments between the words and the value, in the same row. */
  order: number;
  /** Offset from the top left corner of the words to that of the value, in letter heights. */
  dx: number;
  dy: number;
  page: "First" | "Last" | "Any";
  form: Form;
}

/** The content of a lesson: how the value of a field is found. */
export type LessonContent =
  /** The value is at one of these positions, the most likely first. */
  | { what: "Anchor"; anchors: Anchor[] }
  /** If a document of this sender contains this text, the text is the value. */
  | { what: "Known"; value: string }
  /**
   * If the extracted value has the text `from`, the correct value is `value`. If `of` is not empty, the text of the
   * neighbouring field with that name is compared instead. A `value` of `null` means that there is no value.
   */
  | { what: "Map"; of: string; from: string; value: Scalar | null }
  /** Documents of this sender do not print the value. It is always `value`. */
  | { what: "Default"; value: Scalar };

export type Scalar = string | number | boolean;

/** A stored lesson, with counts of how often it was right and wrong. */
export interface Lesson {
  kind: KindName;
  /** Pointer to the field. Stops are identified by their type, as in "/locations/Unloading:0/postalCode". */
  field: string;
  /** The feedback that the lesson comes from. */
  feedbackId: string;
  /** Layout signature of the document whose correction created the lesson. */
  signature: string;
  taught: LessonContent;
  /**
   * `seen`: how often the lesson was right. `failed`: how often it was wrong. `failedInRow`: how often it was wrong
   * since it was last right.
   */
  seen: number;
  failed: number;
  failedInRow: number;
}

/** The lessons of a company for one sender. */
export interface Memory {
  lessons: Lesson[];
  /**
   * For each field (the key is `kind field`): how often the value that the engine extracted was right, and how often it
   * was wrong.
   */
  record: Record<string, { right: number; wrong: number }>;
}

export const recordKey = (kind: KindName, field: string): string => `${kind} ${field}`;

/** Estimates the probability of being right from past results, by the rule of succession. */
export const successRate = (right: number, wrong: number): number => (right + 1) / (right + wrong + 2);

const maxConsecutiveFailures = 2;
export const isDisabled = ({ failedInRow }: Lesson): boolean => failedInRow >= maxConsecutiveFailures;

/** A document with its labels and entities. */
export interface AnnotatedPage {
  annotations: Annotations;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}

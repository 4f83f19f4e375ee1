import type { KindName } from "../kinds/kinds.ts";
import type { MailHead } from "../document/document.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";

/*
 * Lessons from corrections. A lesson belongs to a company, a sender and one field of one kind of document.
 *
 * 1. `sender.ts` identifies the sender of a document (`keys`) and its layout (`signature`).
 * 2. `lessons-of-corrections.ts` searches the document for the corrected value and creates a lesson. The lesson
 *    describes the position (`anchors.ts`) and the form (`forms.ts`) of the value. If the document does not contain the
 *    value, the lesson describes which value it replaces or to which object it belongs.
 * 3. `apply.ts` applies a sender's lessons to the next document. A lesson proposes a value. Its probability, like that
 *    of the engine's own value, is estimated from how often it was right before.
 *
 * A lesson that was wrong twice in a row is disabled. Lessons never yield a value with wrong check digits.
 */

/** How a value is parsed from the text at an anchor. */
export type Form =
  | {
      as: "Text";
      /** Number of words before the value. */
      skip: number;
      /**
       * Where the value ends: at the end of the range (`Rest`), at a comma, before a word that contains a digit
       * (`Figures`), or after this number of words.
       */
      end: "Rest" | "Comma" | "Figures" | number;
      /** The value is the printed text in capitals, without spaces and punctuation. */
      tight: boolean;
      /** Start of the value that is not printed, such as the country of a VAT number. */
      prefix: string;
      hasFigures: boolean;
    }
  | { as: "Number"; nth: number; factor: number }
  | {
      as: "Moment";
      date: number;
      clock?: number;
      tail: string;
      /** The document from which the form was learned had no time at this position. */
      isOpen: boolean;
    }
  | { as: "Country" }
  | { as: "Currency" };

/** A position on the page, described by nearby words that recur in every document of the sender. */
export interface Anchor {
  /** The letters and digits of these words, folded. */
  label: string;
  /** Which occurrence of these words is meant, from 0. */
  nth: number;
  way: "Same" | "Right" | "Below";
  /** For `Right`: number of segments between the words and the value. */
  order: number;
  /** Distance from the top left corner of the words to that of the value, in letter heights. */
  dx: number;
  dy: number;
  page: "First" | "Last" | "Any";
  form: Form;
}

/** How the value of a field is found. */
export type LessonContent =
  /** The value is at one of these positions, the most likely first. */
  | { what: "Anchor"; anchors: Anchor[] }
  /** The value is this text if the document contains it. */
  | { what: "Known"; value: string }
  /**
   * If the extracted text is `from`, the correct value is `value` (`null`: none). If `of` is not empty, `from` is the
   * text of the field `of` of the same object.
   */
  | { what: "Map"; of: string; from: string; value: Scalar | null }
  /** Documents do not print the value. It is always this one. */
  | { what: "Default"; value: Scalar };

export type Scalar = string | number | boolean;

/** A stored lesson. */
export interface Lesson {
  kind: KindName;
  /** Pointer to the field. Stops are identified by type and index, as in "/locations/Unloading:0/postalCode". */
  field: string;
  feedbackId: string;
  /** Layout of the corrected document (`Sender.signature`). */
  signature: string;
  taught: LessonContent;
  /** How often the lesson was right (`seen`), was wrong (`failed`), and was wrong since it was last right. */
  seen: number;
  failed: number;
  failedInRow: number;
}

/** The lessons of a company for one sender. */
export interface Memory {
  lessons: Lesson[];
  /** How often the value that the engine extracted was right or wrong. The key is `kind field`. */
  record: Record<string, { right: number; wrong: number }>;
}

export const recordKey = (kind: KindName, field: string): string => `${kind} ${field}`;

/** Estimates the probability of being right from earlier results, by the rule of succession. */
export const successRate = (right: number, wrong: number): number => (right + 1) / (right + wrong + 2);

const maxConsecutiveFailures = 2;
export const isDisabled = ({ failedInRow }: Lesson): boolean => failedInRow >= maxConsecutiveFailures;

/** A document with its labels and entities. */
export interface AnnotatedPage {
  annotations: Annotations;
  locale: DocumentLocale;
  mail: MailHead | undefined;
}

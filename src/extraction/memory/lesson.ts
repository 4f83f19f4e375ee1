import type { KindName } from "../kinds/kinds.ts";
import type { MailHead } from "../document/document.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Annotations } from "../fields/labels/annotations.ts";
import type { Family } from "./family.ts";

/*
 * What a company's corrections teach. There are two kinds of memory: of layouts (families) and of senders (lessons).
 *
 * 1. `family.ts` compares layouts by their texts. `learn.ts` searches a document that was corrected or confirmed for
 *    all of its values, and notes what stands around each (`positions.ts`) and how it is written (`forms.ts`).
 *    `read-family.ts` reads the next document of the layout at these places, whoever sends it.
 * 2. `sender.ts` identifies the sender of a document. `lessons-of-corrections.ts` creates lessons from corrections: which
 *    value replaces another, belongs to an object, or is always the same.
 * 3. `apply-family.ts` and `apply.ts` apply both to the next document. The probability of a remembered value, like that of
 *    the engine's own value, is estimated from how often it was right before.
 *
 * A lesson that was wrong twice in a row is disabled. Places that are mostly wrong are forgotten. Memory never yields a
 * value with wrong check digits.
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
  /** Of a period of days or hours, the first (0) or the last (1). */
  | { as: "Day" | "Time"; nth: number }
  | { as: "Country" }
  | { as: "Currency" };

/** How the value of a field is found. */
export type LessonContent =
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
  taught: LessonContent;
  /** How often the lesson was right (`seen`), was wrong (`failed`), and was wrong since it was last right. */
  seen: number;
  failed: number;
  failedInRow: number;
}

/** What a company taught about a sender of documents. */
export interface Memory {
  lessons: Lesson[];
  /** The layout that the document is most similar to. */
  family?: Family | undefined;
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

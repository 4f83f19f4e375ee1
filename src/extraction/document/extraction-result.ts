import type { OpenedDocument } from "./document.ts";
import type { ExtractionFailureReason } from "../problem.ts";

/** Origin of a value, as spelled in the API. */
export type Source = "Document" | "Learned" | "Registry" | "Computed" | "Human";

/** Reliability of words that OCR recognised in a picture. */
export interface OcrCertainty {
  /** Lowest OCR confidence of the words, 0..1. */
  worst: number;
  /** Whether these words occur at least twice in the document. */
  again: boolean;
}

/** Evidence for one field. `pointer` is a JSON pointer into the view, such as "/locations/0/city". */
export interface Evidence {
  pointer: string;
  value: unknown;
  /** 0..1, calibrated: of ten values with a confidence of 0.9, nine are correct. */
  confidence: number;
  source: Source;
  /** The words on the page that the value was extracted from. `box` is in fractions of the page size. */
  text?: string;
  page?: number;
  box?: [number, number, number, number];
  feedbackId?: string;
  /** Present for words of a scan. It is stored in records, but is not part of the API. */
  seen?: OcrCertainty;
  /** Whether the labeller of orders found it, whose confidences need no calibration. Not part of the API. */
  labelled?: true;
}

/**
 * A check of whether values agree. `detail` states the requirement. A failed check lowers the confidence of the values.
 */
export interface Check {
  name: string;
  passed: boolean;
  detail: string;
  pointers: string[];
}

/** A value that one of the engines extracted, but that was not used. */
export interface Alternative {
  pointer: string;
  value: unknown;
  confidence: number;
  /** `differs`: another value was used. `not_grounded`: it is not in the document. `not_valid`: wrong check digits. */
  reason: "differs" | "not_grounded" | "not_valid";
}

/** One item extracted from a file, such as one of several orders. */
export interface ExtractedItem<View> {
  data: View;
  evidence: Evidence[];
  checks: Check[];
  /** Present if a second engine was used. */
  alternatives?: Alternative[];
}

/** The company that the account belongs to. These facts identify it among the parties of a document. */
export interface CompanyFacts {
  names: string[];
  vatCodes: string[];
  emailDomains: string[];
  country?: string;
}

/** Input of an extraction in addition to the file. */
export interface ExtractionContext {
  company: CompanyFacts;
  /** ISO date. */
  today: string;
  /** ISO date of the mail that delivered the file. */
  sentOn?: string;
  /** Text that was sent with the file, such as the mail that it was attached to. */
  additionalInfo?: string;
}

/** The result of an extraction: its items, or the reason why it failed. */
export interface ExtractionResult<View> {
  status: "Read" | "Failed";
  reason?: ExtractionFailureReason;
  message?: string;
  items: ExtractedItem<View>[];
  engine: string;
  language?: string;
  pages: number;
  format: OpenedDocument["format"];
  warnings: string[];
}

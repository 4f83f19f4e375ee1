import type { OpenedDocument } from "./document.ts";
import type { ExtractionFailureReason } from "../problem.ts";

/** Origin of a value, spelled as on the wire. */
export type Source = "Document" | "Learned" | "Registry" | "Computed" | "Human";

/** Reliability of words that were recognised on a picture. */
export interface OcrCertainty {
  /** Confidence of the recogniser in the worst word, 0..1. */
  worst: number;
  /** Whether the same words occur on the pages again. */
  again: boolean;
}

/** Evidence of one field. `pointer` is a JSON pointer into the view: "/locations/0/city". */
export interface Evidence {
  pointer: string;
  value: unknown;
  /** 0..1, calibrated: of the values with 0.9, nine of ten are right. */
  confidence: number;
  source: Source;
  /** The source words on the page, and their box in fractions of the page size. */
  text?: string;
  page?: number;
  box?: [number, number, number, number];
  /** The feedback that taught a learned value. */
  feedbackId?: string;
  /** Present for scanned words. Not on the wire; the name is stored. */
  seen?: OcrCertainty;
}

/**
 * A check whether values agree with each other. `detail` states the requirement. A failed check lowers confidences and
 * changes no value.
 */
export interface Check {
  name: string;
  passed: boolean;
  detail: string;
  pointers: string[];
}

/** A value that an engine extracted and that was not used. */
export interface Alternative {
  /** Pointer of the field. */
  pointer: string;
  value: unknown;
  confidence: number;
  /**
   * `differs`: another value was used; `not_grounded`: it is not in the document; `not_valid`: its check digits are
   * wrong.
   */
  reason: "differs" | "not_grounded" | "not_valid";
}

/** One item extracted from a file, such as one of several orders. */
export interface ExtractedItem<View> {
  data: View;
  evidence: Evidence[];
  checks: Check[];
  /** Present where a second engine was used. */
  alternatives?: Alternative[];
}

/** The account's company. Party roles are told apart by it rather than by position on the page. */
export interface CompanyFacts {
  names: string[];
  vatCodes: string[];
  emailDomains: string[];
  country?: string;
}

/** Input of an extraction besides the file. */
export interface ExtractionContext {
  company: CompanyFacts;
  /** ISO date of the extraction. */
  today: string;
  /** ISO date of the mail that delivered the file. */
  sentOn?: string;
  /** Text submitted with the file, such as the mail it was attached to. */
  additionalInfo?: string;
}

/** The result of an extraction: the items, or the reason of the failure. */
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

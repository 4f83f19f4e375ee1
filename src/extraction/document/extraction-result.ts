import type { OpenedDocument } from "./document.ts";
import type { ExtractionFailureReason } from "../problem.ts";

/** Where a value comes from, spelled as on the wire. */
export type Source = "Document" | "Learned" | "Registry" | "Computed" | "Human";

/** How the words of a value on a picture were made out. */
export interface OcrCertainty {
  /** How sure the recogniser is of the worst of them, 0..1. */
  worst: number;
  /** Whether the same words stand on the document's pages once more. */
  again: boolean;
}

/** Why one field has its value. `pointer` is a JSON pointer into the view: "/locations/0/city". */
export interface Evidence {
  pointer: string;
  value: unknown;
  /** 0..1, calibrated: of the values said with 0.9, nine of ten are right. */
  confidence: number;
  source: Source;
  /** The words on the page the value was read from, and where they stand (parts of the page, 0..1). */
  text?: string;
  page?: number;
  box?: [number, number, number, number];
  /** Of learnt values: the feedback that taught it. */
  feedbackId?: string;
  /** Of words on a picture. Nobody outside is told. */
  seen?: OcrCertainty;
}

/** A look at whether the values agree with each other. A failed check lowers confidence; it never changes a value. */
export interface Check {
  name: string;
  passed: boolean;
  detail: string;
  pointers: string[];
}

/** What an engine read as well and what was not taken. */
export interface Alternative {
  /** Where it would have stood. */
  pointer: string;
  value: unknown;
  confidence: number;
  /** `differs`: another value was taken; `not_grounded`: it is not in the document; `not_valid`: its check digits are wrong. */
  reason: "differs" | "not_grounded" | "not_valid";
}

/** One thing read from a document: one order of perhaps several in a file. */
export interface ExtractedItem<View> {
  data: View;
  evidence: Evidence[];
  checks: Check[];
  /** Only where a second engine had its say. */
  alternatives?: Alternative[];
}

/** What is known of the company that posts: the engine tells roles apart by it, not by the place on the page. */
export interface CompanyFacts {
  names: string[];
  vatCodes: string[];
  emailDomains: string[];
  country?: string;
}

/** What the engine is told beside the file. */
export interface ExtractionContext {
  company: CompanyFacts;
  /** ISO date of the day of reading. */
  today: string;
  /** ISO date of the mail that brought the file. */
  sentOn?: string;
  /** Text that came with the file, such as the mail it was attached to. */
  additionalInfo?: string;
}

/** What became of a file: what was read, or why nothing was. */
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

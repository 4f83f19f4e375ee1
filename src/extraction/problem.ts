/**
 * Why a file cannot be extracted. The first four refuse the upload; the others create a record with the status
 * `Failed`.
 */
export type ExtractionFailureReason =
  | "file_empty"
  | "file_encrypted"
  | "unsupported_file_type"
  | "file_unreadable"
  | "file_corrupted"
  | "too_many_pages"
  | "no_text_found"
  | "input_not_freight"
  | "input_not_a_document_of_this_kind"
  | "engine_timeout";

/** Returns the error code of a failed record. Reasons that normally refuse the upload are converted. */
export const failureOf = (reason: ExtractionFailureReason): ExtractionFailureReason => lateRefusals[reason] ?? reason;

const lateRefusals: Partial<Record<ExtractionFailureReason, ExtractionFailureReason>> = {
  file_empty: "no_text_found",
  file_encrypted: "file_corrupted",
  file_unreadable: "file_corrupted",
  unsupported_file_type: "file_corrupted",
};

/** Ends an extraction. The message is shown to users. */
export class ExtractionProblem extends Error {
  readonly reason: ExtractionFailureReason;
  constructor(reason: ExtractionFailureReason, message: string) {
    super(message);
    this.name = "ExtractionProblem";
    this.reason = reason;
  }
}

/** A stored file could not be loaded. This is a fault of the service, not of the file. */
export class SourceFault extends Error {}

/** The time that one extraction may take. Long loops check it, so that a hostile file cannot block the service. */
export class Budget {
  private end: number;
  private readonly signal: AbortSignal | undefined;
  /** @param signal ends the extraction when it is aborted */
  constructor(milliseconds: number, signal?: AbortSignal) {
    this.end = Date.now() + milliseconds;
    this.signal = signal;
  }
  /** Adds time that was spent on other work. */
  allow(milliseconds: number): void {
    this.end += milliseconds;
  }
  /** @throws ExtractionProblem `engine_timeout`, or the reason of the aborted signal */
  check(): void {
    this.signal?.throwIfAborted();
    if (Date.now() > this.end)
      throw new ExtractionProblem("engine_timeout", "Extraction from this file took too long.");
  }
  /**
   * Lets other requests run, and advances the clock, which Cloudflare stops during computation.
   * @throws ExtractionProblem `engine_timeout`, or the reason of the aborted signal
   */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.check();
  }
}

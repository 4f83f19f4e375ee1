/**
 * Why a file cannot be extracted. For the first four reasons, the upload is refused; for the others, a record with the
 * status `Failed` is created.
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

/**
 * Converts a reason that normally refuses the upload, but was found only during the extraction, to the error code of the
 * failed record.
 */
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

/**
 * The time that one extraction may take. Long loops check it, so that the extraction of a hostile file ends instead of
 * blocking the service.
 */
export class Budget {
  private end: number;
  private readonly signal: AbortSignal | undefined;
  /** @param signal the extraction ends when this signal is aborted */
  constructor(milliseconds: number, signal?: AbortSignal) {
    this.end = Date.now() + milliseconds;
    this.signal = signal;
  }
  /** Extends the budget, for time that was spent on other work. */
  allow(milliseconds: number): void {
    this.end += milliseconds;
  }
  /**
   * Checks whether the extraction must end.
   * @throws ExtractionProblem `engine_timeout`, or the reason of the signal
   */
  check(): void {
    this.signal?.throwIfAborted();
    if (Date.now() > this.end)
      throw new ExtractionProblem("engine_timeout", "Extraction from this file took too long.");
  }
  /**
   * Lets other requests run. This also advances the clock, which Cloudflare stops during computation.
   * @throws ExtractionProblem `engine_timeout`, or the reason of the signal
   */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.check();
  }
}

/**
 * Why a file cannot be extracted. The first four are reasons to refuse the upload; the others result in a record with
 * status `Failed`.
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

/** Ends an extraction. The message is for users. */
export class ExtractionProblem extends Error {
  readonly reason: ExtractionFailureReason;
  constructor(reason: ExtractionFailureReason, message: string) {
    super(message);
    this.name = "ExtractionProblem";
    this.reason = reason;
  }
}

/** Thrown if a stored file could not be loaded. This is a fault of the service, not of the file. */
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
  /** Extends the budget by time that was spent on other work. */
  allow(milliseconds: number): void {
    this.end += milliseconds;
  }
  /** @throws ExtractionProblem `engine_timeout` if the time is spent; the signal's reason if the signal is aborted */
  check(): void {
    this.signal?.throwIfAborted();
    if (Date.now() > this.end)
      throw new ExtractionProblem("engine_timeout", "Extraction from this file took too long.");
  }
  /**
   * Yields to other requests, and lets the clock advance, which Cloudflare stops during computation.
   * @throws ExtractionProblem `engine_timeout` if the time is spent
   */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.check();
  }
}

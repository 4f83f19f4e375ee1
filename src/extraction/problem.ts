/** Why bytes cannot be turned into a document. The first four refuse the upload, the others end as a `Failed` record. */
export type ReadingReason =
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

/** Ends a reading; the message is for people. */
export class ReadingProblem extends Error {
  readonly reason: ReadingReason;
  constructor(reason: ReadingReason, message: string) {
    super(message);
    this.name = "ReadingProblem";
    this.reason = reason;
  }
}

/** A stored file could not be read again: a fault of the service that says nothing about the file. */
export class SourceFault extends Error {}

/** The time one reading may take. Long loops ask it, so that a hostile file ends instead of hanging the service. */
export class Budget {
  private end: number;
  private readonly signal: AbortSignal | undefined;
  /** @param signal ends the reading when it is aborted */
  constructor(milliseconds: number, signal?: AbortSignal) {
    this.end = Date.now() + milliseconds;
    this.signal = signal;
  }
  /** Time that somebody else took is not counted. */
  allow(milliseconds: number): void {
    this.end += milliseconds;
  }
  /** @throws ReadingProblem `engine_timeout`, and the signal's reason */
  check(): void {
    this.signal?.throwIfAborted();
    if (Date.now() > this.end) throw new ReadingProblem("engine_timeout", "Reading this file took too long.");
  }
  /**
   * Lets others have a turn, and lets the clock move: on Cloudflare it stands still while code computes.
   * @throws ReadingProblem `engine_timeout`
   */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.check();
  }
}

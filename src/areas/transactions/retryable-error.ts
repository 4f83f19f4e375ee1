import { LeaseLost } from "../../platform/lease.ts";
import { Problem } from "../../platform/problem.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";

/** An import failed because storage, company or ledger did not respond, not because of its file. */
export class RetryableError extends Error {}

/** Wraps failures of storage, company or ledger, which may be retried; a refused file or a lost lease is passed on. @throws RetryableError */
export const retryable = <Reply>(request: Promise<Reply>): Promise<Reply> =>
  request.catch((cause: unknown) => {
    if (cause instanceof ExtractionProblem || cause instanceof Problem || cause instanceof LeaseLost) throw cause;
    throw new RetryableError(cause instanceof Error ? cause.message : String(cause), { cause });
  });

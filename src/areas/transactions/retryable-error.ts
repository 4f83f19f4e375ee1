import { LeaseLost } from "../../platform/lease.ts";
import { Problem } from "../../platform/problem.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";

/** Why the reading of a statement broke off that is no doing of its file: storage, company or ledger did not answer. */
export class RetryableError extends Error {}

/** What is asked of others: where they fail, the fault is ours. A file that is refused is none, nor a lease that was lost. @throws OurFault */
export const retryable = <Reply>(asked: Promise<Reply>): Promise<Reply> =>
  asked.catch((cause: unknown) => {
    if (cause instanceof ExtractionProblem || cause instanceof Problem || cause instanceof LeaseLost) throw cause;
    throw new RetryableError(cause instanceof Error ? cause.message : String(cause), { cause });
  });

import type * as z from "zod";
import type { Operation } from "../http/operation.ts";
import type { Env, Job } from "../platform/env.ts";
import type { RecordType } from "../platform/registered.ts";

/** Runs a job of the queue. A job may run more than once; a repeated run must change nothing. */
export type JobHandler = (job: Job, env: Env) => Promise<void>;

/** What an area adds to the service. How its records are stored is declared in `src/records.ts`. */
export interface Area {
  /** Operations by the first part of their ids: `orders.read` is in `orders`. */
  operations: Record<string, Record<string, Operation>>;
  descriptions: Record<string, string>;
  /** Schemas of the data of the webhook events, by type of record and event. */
  events?: Partial<Record<RecordType, Record<string, z.ZodType>>>;
  /**
   * Handlers by the name of the job. A job for a part of a record adds a slash and the name of the part, as in
   * `documentCollections.look/0:1-6`.
   */
  jobs?: Record<string, JobHandler>;
}

/** Declares an area. Its exact type is kept for the typed client. */
export const defineArea = <const Definition extends Area>(
  area: Definition & { descriptions: Record<keyof Definition["operations"], string> },
): Definition => area;

import type * as z from "zod";
import type { Operation } from "../http/operation.ts";
import type { Env, Job } from "../platform/env.ts";
import type { RecordType } from "../platform/registered.ts";

/** Runs a job in a queue consumer. A job may run more than once, so repeating a completed run must change nothing. */
export type JobHandler = (job: Job, env: Env) => Promise<void>;

/** The parts that an area adds to the service. `src/records.ts` declares how the records of the area are stored. */
export interface Area {
  /**
   * The operations of the area, grouped by the first part of their ids. The operation `orders.read` is in the group
   * `orders`.
   */
  operations: Record<string, Record<string, Operation>>;
  /** A sentence about each group of operations, for the documentation. */
  descriptions: Record<string, string>;
  /** The webhook events of the area with the schemas of their data, by type of record. */
  events?: Partial<Record<RecordType, Record<string, z.ZodType>>>;
  /**
   * The handlers of the area's jobs, by the name of the job. A job that processes only a part of its record is
   * requested by this name, a slash and the name of the part, as in `documentCollections.look/0:1-6`.
   */
  jobs?: Record<string, JobHandler>;
}

/** Declares an area, which is then listed in `src/areas.ts`. Its exact type is kept for the typed client. */
export const defineArea = <const Definition extends Area>(
  area: Definition & { descriptions: Record<keyof Definition["operations"], string> },
): Definition => area;

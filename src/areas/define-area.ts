import type * as z from "zod";
import type { Operation } from "../http/operation.ts";
import type { Env, Job } from "../platform/env.ts";
import type { RecordType } from "../platform/registered.ts";

/** Runs a job in a queue consumer. A job may run more than once, so a second run must change nothing. */
export type JobHandler = (job: Job, env: Env) => Promise<void>;

/** The parts that an area adds to the service. How its records are stored is declared in `src/records.ts`. */
export interface Area {
  /** Its operations, by the first part of their ids: `orders` for `orders.read`. */
  operations: Record<string, Record<string, Operation>>;
  /** A sentence about each group of operations, for the documentation. */
  descriptions: Record<string, string>;
  /** Its webhook events with the schemas of their data, by type of record. */
  events?: Partial<Record<RecordType, Record<string, z.ZodType>>>;
  /** Handlers of its jobs, by name. A job may name a part after a slash: `documentCollections.look/0:1-5`. */
  jobs?: Record<string, JobHandler>;
}

/** Declares an area, which is then listed in `src/areas.ts`. Its exact type is kept for the typed client. */
export const defineArea = <const Definition extends Area>(
  area: Definition & { descriptions: Record<keyof Definition["operations"], string> },
): Definition => area;

import type * as z from "zod";
import type { Operation } from "../http/operation.ts";
import type { Env, Job } from "../platform/env.ts";
import type { RecordType } from "../platform/registered.ts";

/** Runs in a queue consumer, at least once: a second run of the same job must change nothing. */
export type JobHandler = (job: Job, env: Env) => Promise<void>;

/** What an area adds to the service. What must be known of the records it keeps is in `src/records.ts`. */
export interface Area {
  /** Its operations, by the first part of their ids: `orders` for `orders.read`. */
  operations: Record<string, Record<string, Operation>>;
  /** A sentence for each, for the documentation. */
  descriptions: Record<string, string>;
  /** Its webhook events with the schemas of their data, by the type of record that they are about. */
  events?: Partial<Record<RecordType, Record<string, z.ZodType>>>;
  /** Handlers of its jobs by name; a job may name a part behind a slash, as in `documentCollections.look/0:1-5`. */
  jobs?: Record<string, JobHandler>;
}

/** Registers an area in `src/areas.ts`; its exact type stays, for the typed client. */
export const defineArea = <const Definition extends Area>(
  area: Definition & { descriptions: Record<keyof Definition["operations"], string> },
): Definition => area;

import { refuse, type Decision, type CommandContext, type Refusal } from "../../platform/decision.ts";
import type { Env, Job } from "../../platform/env.ts";
import { forgetFolder, type StoredFile } from "../../platform/files.ts";
import { lastWriteOf, type Lease } from "../../platform/lease.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand, releaseClaim } from "../../platform/aggregates.ts";
import type { Intake } from "./intake.ts";
import { fileClaim } from "./receiving.ts";

type Decided<Reply> = Omit<Decision<never, unknown, Reply>, "state" | "events"> & {
  state?: unknown;
  events?: unknown[];
};
type RemovalDecision<State, Event, Reply> =
  | (Omit<Decision<State, unknown, Reply>, "events"> & { events?: Event[] })
  | Refusal;

/** How an area deletes its records. */
interface Removal<State, Event> {
  /** The job that deletes what is stored beside the record: `orders.remove`. */
  job: string;
  /** The job that reads the file, which is not needed any more. */
  reading: string;
  /** Where files of the area lie in R2, and under what else than its digest a file is known as a duplicate. */
  folder: string;
  claimedAs?: (state: State) => string;
  /** The leases of all who may be reading it, where it has more than its own. */
  leases?: (state: State) => (Lease | undefined)[];
  /** What subscribers are told. */
  deleted: (id: string, previousStatus: State["status" & keyof State]) => Event;
}

/** The commands that a record refuses once it is deleted. */
interface Commands<State, Received, Finished> {
  receive: (state: State | undefined, ask: Received, context: CommandContext) => Decided<unknown> | Refusal;
  finish: (state: State | undefined, ask: Finished, context: CommandContext) => Decided<unknown> | Refusal;
}

/** A record that is there, and not one that was deleted. */
export const isThere = <State extends object>(now: State | undefined): now is State =>
  now !== undefined && !(now as { removed?: true }).removed;

const beingDeleted = refuse("in_progress", "The record is just being deleted.", { headers: { "retry-after": "1" } });

/** What a deleted record leaves: which bytes it had, and under which name these were known. */
export interface Remains {
  claim: string;
  files: StoredFile[];
  /** Whether a reading that its deletion interrupted may still write something. */
  isWritten: boolean;
}

/** Whether a reading that was interrupted by the deletion of a record may still write something. */
export const isStillWritten = ({ writtenUntil }: Pick<Intake, "writtenUntil">, at: string): boolean =>
  writtenUntil !== undefined && at < writtenUntil;

/**
 * Deleting a record, as commands of its aggregate. Of a deleted record only a tombstone stays, so that whatever still runs for it
 * (its reading, a delayed update of the archive) finds nothing to write to. Its files are deleted by a job. Where it was being
 * read, the job is asked for again until nothing of that reading can be written any more, whether the reading ends, notices
 * that its lease is lost, or dies.
 */
export function removalOf<
  State extends Intake,
  Event,
  Received,
  Finished,
  S extends Commands<State, Received, Finished>,
>(
  commands: S & Commands<State, Received, Finished>,
  { job, reading, folder, claimedAs, leases = ({ lease }) => [lease], deleted }: Removal<State, Event>,
) {
  return {
    /** The same bytes make another record once the files of this one are deleted. */
    receive: ((state, ask, context) => {
      if (!state?.removed) return commands.receive(state, ask, context);
      return state.file.key ? beingDeleted : { reply: { duplicateOf: context.id } };
    }) as S["receive"],

    finish: ((state, ask, context) =>
      state?.removed
        ? { completedJobs: [reading], jobs: [job], reply: {} }
        : commands.finish(state, ask, context)) as S["finish"],

    look: (now: State | undefined): RemovalDecision<State, Event, State> =>
      isThere(now) ? { reply: now } : refuse("not_found"),

    /** Deleting again is no fault. */
    remove: (
      state: State | undefined,
      _: object,
      { at, id }: CommandContext,
    ): RemovalDecision<State, Event, Record<string, never>> => {
      if (!state) return refuse("not_found");
      if (!isThere(state)) return { reply: {} };
      const { file, files, metadata, attempts, createdAt } = state as State & { files?: StoredFile[] };
      const writtenUntil = lastWriteOf(leases(state));
      const claim = fileClaim(folder, file.sha256, claimedAs?.(state));
      const tombstone = {
        status: "Failed" as const,
        file: nameless(file),
        ...(files && { files: files.map(nameless) }),
        envelopes: [],
        attempts,
        removed: true as const,
        claim,
        ...(writtenUntil && { writtenUntil }),
        ...(metadata && { metadata }),
        createdAt,
        updatedAt: at,
      };
      const events = [deleted(id, state.status)];
      return { state: tombstone as unknown as State, events, completedJobs: [reading], jobs: [job], reply: {} };
    },

    remains: (state: State | undefined, _: object, { at }: CommandContext): RemovalDecision<State, Event, Remains> => {
      if (!state?.removed) return refuse("not_found");
      const { claim = "", files = [] } = state as State & Partial<Remains>;
      return { reply: { claim, files, isWritten: isStillWritten(state, at) } };
    },

    /** Its files are deleted: nothing of it is kept but that it was there. */
    removed: (now: State | undefined): RemovalDecision<State, Event, object> => {
      if (!now?.removed) return refuse("not_found");
      const { metadata: _, claim: __, writtenUntil: ___, ...rest } = now as State & Partial<Remains>;
      const nothing = { key: "", name: "", mediaType: "", sizeBytes: 0, sha256: "" };
      const state = { ...rest, file: nothing, ...("files" in rest && { files: [] }) };
      return { state: state as unknown as State, completedJobs: [job], reply: {} };
    },
  };
}

const nameless = (file: StoredFile): StoredFile => ({ ...file, name: "" });

/** The job that deletes the files of a deleted record and frees the name of its bytes. May run twice. */
export const removingAt =
  ({
    folder,
    commands,
  }: {
    folder: string;
    commands: { remains: Command<object, Remains>; removed: Command<object, object> };
  }) =>
  async ({ company, id }: Job, env: Env): Promise<void> => {
    const call = { company, id };
    const stored = `${company}/${folder}/${id}`;
    const { claim, files, isWritten } = (await executeCommand(env, commands.remains, call, {})).reply;
    await forgetFolder(env.FILES, stored);
    if (files.length > 0) await env.FILES.delete(files.map(({ key }) => key));
    if (claim) await releaseClaim(env, company, claim, { holder: id });
    // Bytes that were sent again before their name was free.
    await forgetFolder(env.FILES, stored);
    // Its owner asks for this job again.
    if (isWritten) return;
    await executeCommand(env, commands.removed, call, {});
  };

import { refuse, type CommandContext, type Decision, type Refusal } from "../../platform/decision.ts";
import type { Env, Job } from "../../platform/env.ts";
import { deleteFolder, type StoredFile } from "../../platform/files.ts";
import { lastWriteOf, type Lease } from "../../platform/lease.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand, releaseClaim } from "../../platform/aggregates.ts";
import type { RecordId, IntakeDecision } from "./commands.ts";
import { fileClaim, isPresent, type FileArea, type Intake } from "./model.ts";

interface Removal<State, Event extends string> {
  /** Type of the event that is sent, such as `OrderDeleted`. */
  event: Event;
  /**
   * The further condition for a duplicate, if the area has one.
   * @see fileClaim
   */
  variantOf?: (state: State) => string;
  /** The leases of all workers that may be extracting the record. Default: the lease of the record. */
  leases?: (state: State) => (Lease | undefined)[];
}

/** The commands that behave differently for a deleted record. */
interface Extraction<State, Received, Finished> {
  receive: (state: State | undefined, input: Received, context: CommandContext) => AnyDecision | Refusal;
  finish: (state: State | undefined, input: Finished, context: CommandContext) => AnyDecision | Refusal;
}
type AnyDecision = Omit<Decision<never, unknown, unknown>, "state" | "events"> & {
  state?: unknown;
  events?: unknown[];
};

/** The remains of a deleted record: its files, and the claim on their bytes. */
export interface Remains {
  claim: string;
  files: StoredFile[];
  /** Whether an extraction that the deletion interrupted may still write. */
  isWritten: boolean;
}

/** Whether an extraction that the deletion of its record interrupted may still write. */
export const mayStillWrite = ({ writtenUntil }: Pick<Intake, "writtenUntil">, at: string): boolean =>
  writtenUntil !== undefined && at < writtenUntil;

/**
 * Creates the commands that delete a record. A tombstone remains, so that neither a running extraction nor a delayed
 * update of the archive restores the record. The job that deletes its files is repeated until no extraction can write
 * any more: it has ended, has noticed that its lease is lost, or its lease expired some time ago.
 */
export function removalCommands<
  State extends Intake,
  Name extends string,
  Event extends string,
  Received,
  Finished,
  C extends Extraction<State, Received, Finished>,
>(
  extraction: C & Extraction<State, Received, Finished>,
  { idName, folder, jobs: { extract, remove: job } }: FileArea<Name>,
  { event, variantOf, leases = ({ lease }) => [lease] }: Removal<State, Event>,
) {
  interface Deleted {
    type: Event;
    status: string;
    previousStatus: State["status"];
    data: RecordId<Name>;
  }

  return {
    /**
     * The same file is refused while the files of the deleted record are being deleted. After that, it becomes a new
     * record.
     */
    receive: ((state, input, context) => {
      if (!state?.removed) return extraction.receive(state, input, context);
      return state.file.key ? beingDeleted : { reply: { duplicateOf: context.id } };
    }) as C["receive"],

    finish: ((state, input, context) =>
      state?.removed
        ? { completedJobs: [extract], jobs: [job], reply: {} }
        : extraction.finish(state, input, context)) as C["finish"],

    /** Idempotent. */
    remove: (
      state: State | undefined,
      _: object,
      { at, id }: CommandContext,
    ): IntakeDecision<State, Deleted, Record<string, never>> | Refusal => {
      if (!state) return refuse("not_found");
      if (!isPresent(state)) return { reply: {} };
      const { file, files, metadata, attempts, createdAt } = state as State & { files?: StoredFile[] };
      const writtenUntil = lastWriteOf(leases(state));
      const tombstone = {
        status: "Failed" as const,
        file: withoutName(file),
        ...(files && { files: files.map(withoutName) }),
        envelopes: [],
        attempts,
        removed: true as const,
        claim: fileClaim(folder, file.sha256, variantOf?.(state)),
        ...(writtenUntil && { writtenUntil }),
        ...(metadata && { metadata }),
        createdAt,
        updatedAt: at,
      };
      const data = { [idName]: id } as RecordId<Name>;
      const events = [{ type: event, status: "Deleted", previousStatus: state.status, data }];
      return { state: tombstone as unknown as State, events, completedJobs: [extract], jobs: [job], reply: {} };
    },

    remains: (
      state: State | undefined,
      _: object,
      { at }: CommandContext,
    ): IntakeDecision<State, never, Remains> | Refusal => {
      if (!state?.removed) return refuse("not_found");
      const { claim = "", files = [] } = state as State & Partial<Remains>;
      return { reply: { claim, files, isWritten: mayStillWrite(state, at) } };
    },

    /** Completes the job after the files were deleted. The tombstone then shows only that there was a record. */
    removed: (state: State | undefined): IntakeDecision<State, never, object> | Refusal => {
      if (!state?.removed) return refuse("not_found");
      const { metadata: _, claim: __, writtenUntil: ___, ...rest } = state as State & Partial<Remains>;
      const nothing = { key: "", name: "", mediaType: "", sizeBytes: 0, sha256: "" };
      const next = { ...rest, file: nothing, ...("files" in rest && { files: [] }) };
      return { state: next as unknown as State, completedJobs: [job], reply: {} };
    },
  };
}

const beingDeleted = refuse("in_progress", "The record is being deleted. Send the file again in a second.", {
  headers: { "retry-after": "1" },
});

const withoutName = (file: StoredFile): StoredFile => ({ ...file, name: "" });

/** The commands of {@link removalCommands} that the job below executes. */
export interface RemovalCommands {
  remains: Command<object, Remains>;
  removed: Command<object, object>;
}

/**
 * Creates the job that deletes the files of a deleted record and releases the claim on their bytes. It may run twice.
 */
export const removalJob =
  ({ folder }: FileArea, commands: RemovalCommands) =>
  async ({ company, id }: Job, env: Env): Promise<void> => {
    const call = { company, id };
    const recordFolder = `${company}/${folder}/${id}`;
    const { claim, files, isWritten } = (await executeCommand(env, commands.remains, call, {})).reply;
    await deleteFolder(env.FILES, recordFolder);
    if (files.length > 0) await env.FILES.delete(files.map(({ key }) => key));
    if (claim) await releaseClaim(env, company, claim, { holder: id });
    // Deleted a second time, because the same bytes may have been sent again and stored before the claim was released.
    await deleteFolder(env.FILES, recordFolder);
    // An extraction may still write files. The job then remains incomplete, so that the aggregate requests it again.
    if (isWritten) return;
    await executeCommand(env, commands.removed, call, {});
  };

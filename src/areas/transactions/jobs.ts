import { commands as companyCommands } from "../companies/commands.ts";
import type { Env, Job } from "../../platform/env.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { requestWaitMilliseconds } from "../../http/memory-pool.ts";
import { isOverloaded } from "../intake/stored-files.ts";
import type { Format } from "../../extraction/document/document.ts";
import { likeliestCodePage } from "../../extraction/formats/encoding.ts";
import { ExtractionProblem, failureOf } from "../../extraction/problem.ts";
import {
  beginningOf,
  bytesOf,
  carriedOver,
  headingStrength,
  layoutBelow,
  parseRow,
  rowsIn,
  convertedFormats,
  textOf,
  type Layout,
  type Row,
  type StatementLine,
} from "../../extraction/statements/index.ts";
import { normalizeLines, type ImportContext } from "./normalize-lines.ts";
import {
  RetryableError,
  retryable,
  ledgerOf,
  type Cursor,
  type LineBatch,
  type Rejected,
  type Task,
} from "./ledger.ts";
import { rowsKey, stagedRows, isWide, fileMissing, type Reading } from "./stage-rows.ts";

const pieceBytes = 256 * 1024;
const longestPiece = 8 * 1024 * 1024;
/** Each row may cause an event. */
const mostRows = 4000;
const beginningBytes = 128 * 1024;
const runMilliseconds = 20_000;
/** Larger files are not converted to rows within their request, but in the background. */
const maxStagedBytes = 2 * 1024 * 1024;

/**
 * Runs the job that imports the files of all waiting feeds. May run twice. A file that fails does not block the others.
 */
export async function importFeeds({ company }: Pick<Job, "company">, env: Env): Promise<void> {
  const until = Date.now() + runMilliseconds;
  const failed: string[] = [];
  for (let isMore = true; isMore;) {
    const ended = await readNext(env, company, { asked: { but: failed }, until });
    if (ended === "Left") return;
    if (typeof ended === "object") failed.push(ended.failed);
    isMore = ended !== undefined;
  }
  if (failed.length > 0) throw new Error(`Feeds that could not be processed: ${failed.join(", ")}`);
}

/**
 * Imports a feed within its request until a deadline. The rest of the file is imported in the background.
 * @param reader token of the lease that was taken when the feed was posted
 */
export async function importInRequest(
  env: Env,
  company: string,
  { reader, feedId, until }: { reader: string; feedId: string; until: number },
): Promise<void> {
  const turn = { asked: { only: feedId }, until, stagedMost: maxStagedBytes, reader };
  try {
    let ended = await readNext(env, company, turn);
    while (ended === "Done") ended = await readNext(env, company, turn);
    if (ended === "Left") await ledgerOf(env, company).waitUntilComplete(until - Date.now());
  } catch (error) {
    logFault("transactions.import", error, { company, id: feedId });
  }
}

/** @returns "Left" if another run must continue the feed, undefined if no feed is waiting */
async function readNext(
  env: Env,
  company: string,
  turn: RunLimits,
): Promise<"Done" | "Left" | { failed: string } | undefined> {
  const ledger = ledgerOf(env, company);
  let failed: string | undefined;
  const ended = underLease({
    name: "transactions.import",
    ...(turn.reader && { token: turn.reader }),
    begin: (reader) => ledger.next(reader, turn.asked),
    renew: (reader, { feedId }) => ledger.hold({ feedId, reader }),
    release: (reader, { feedId }, cause) => {
      failed = feedId;
      return ledger.leave({ feedId, reader }, endedBy(cause));
    },
    work: async (task, lease) => {
      if (await workOn(env, company, task, lease, turn)) return "Done" as const;
      await ledger.leave({ feedId: task.feedId, reader: lease.token }, "Others");
      return "Left" as const;
    },
  });
  return ended.catch((error: unknown) => {
    if (failed === undefined) throw error;
    logFault("transactions.import", error, { company, id: failed });
    return { failed };
  });
}

/**
 * Why an import was interrupted. `Others`: not enough memory, another run continues. `Fault`: storage, company or
 * ledger did not respond. `File`: any other error, which the file may have caused.
 */
function endedBy(cause: unknown): "Fault" | "File" | "Others" {
  if (isOverloaded(cause)) return "Others";
  return cause instanceof RetryableError ? "Fault" : "File";
}

interface RunLimits {
  asked: { but?: string[]; only?: string };
  until: number;
  reader?: string;
  /** In bytes. Larger files are converted in the background. */
  stagedMost?: number;
}

/**
 * A task without `cursor` only deletes the converted rows of an imported feed. @returns whether the feed is complete
 */
async function workOn(env: Env, company: string, task: Task, lease: HeldLease, turn: RunLimits): Promise<boolean> {
  const { feedId } = task;
  const read = { feedId, reader: lease.token };
  const ledger = ledgerOf(env, company);
  if (!task.cursor) {
    await env.FILES.delete(rowsKey(company, feedId));
    await ledger.tidied(read);
    return true;
  }
  return importOne({ env, company, ledger, task, lease }, task.cursor, turn).catch(async (error: unknown) => {
    if (!(error instanceof ExtractionProblem)) throw error;
    await ledger.fail(read, failureOf(error.reason), error.message);
    return true;
  });
}

async function importOne(reading: Reading, from: Cursor, { until, stagedMost }: RunLimits): Promise<boolean> {
  const began = Date.now();
  const { env, company, ledger, task, lease } = reading;
  const { feedId, provider, file } = task;
  const read = { feedId, reader: lease.token };
  let cursor = from.layout ? from : await prepareImport(reading, stagedMost);
  if (!cursor) return false;
  const { reply: facts } = await retryable(executeCommand(env, companyCommands.facts, { company, id: company }, {}));
  const desk: ImportContext = { env, company, provider, homeCountry: facts.country };
  const source = cursor.staged ?? file;
  let lines = 0;
  while (cursor) {
    if (Date.now() > until) return false;
    const batch: LineBatch = await nextBatch(env, source, cursor, desk);
    lines += batch.entries.length;
    await yieldToOthers();
    cursor = await retryable(ledger.take(read, cursor.offset, JSON.stringify(batch)));
    await yieldToOthers();
  }
  log({ what: "transactions.import", company, id: feedId, lines, milliseconds: Date.now() - began });
  return true;
}

/** A local runtime serves no other requests during synchronous work. */
const yieldToOthers = () => new Promise<void>((passed) => setTimeout(passed, 1));

/** @returns undefined if the file must be converted and is larger than `stagedMost` */
async function prepareImport(reading: Reading, stagedMost = Infinity): Promise<Cursor | undefined> {
  const { env, ledger, task, lease } = reading;
  const { feedId, file } = task;
  const format = file.format as Format;
  const start = await bytesAt(env, file, 0, beginningBytes);
  const isStaged = convertedFormats.includes(format) || isWide(start);
  if (isStaged && file.sizeBytes > stagedMost) return undefined;
  const patience = stagedMost === Infinity ? undefined : requestWaitMilliseconds;
  const staged = isStaged ? await stagedRows(reading, start, patience) : undefined;
  const head = staged ? await bytesAt(env, staged, 0, beginningBytes) : start;
  const codePage = likeliestCodePage(head);
  const isWhole = head.length === (staged ?? file).sizeBytes;
  const beginning = beginningOf(textOf(head, codePage), isWhole, convertedFormats.includes(format));
  if (!beginning)
    throw new ExtractionProblem(
      "input_not_a_document_of_this_kind",
      "The file needs a column with dates and a column with amounts or quantities. They were not found.",
    );
  const { dialect, layout, headingAt } = beginning;
  const place = { offset: 0, row: 0, carried: {} };
  const next: Cursor = { ...place, codePage, dialect, layout, headingAt, ...(staged && { staged }) };
  await retryable(ledger.staged({ feedId, reader: lease.token }, next));
  return next;
}

async function bytesAt(
  env: Env,
  { key, sizeBytes }: { key: string; sizeBytes: number },
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const range = { offset, length: Math.min(length, sizeBytes - offset) };
  const stored = await env.FILES.get(key, { range }).catch(async (cause: unknown) => {
    const isShort = ((await retryable(env.FILES.head(key)))?.size ?? sizeBytes) < sizeBytes;
    throw isShort ? cause : new RetryableError("A piece of the file could not be read from storage.", { cause });
  });
  if (!stored) throw fileMissing();
  return retryable(stored.bytes());
}

interface Read {
  lines: { row: number; line: StatementLine }[];
  rejected: Rejected[];
  cursor: Cursor;
}

async function nextBatch(
  env: Env,
  source: { key: string; sizeBytes: number },
  cursor: Cursor,
  desk: ImportContext,
): Promise<LineBatch> {
  for (let length = pieceBytes; ; length *= 4) {
    const piece = await bytesAt(env, source, cursor.offset, length);
    const isEnd = cursor.offset + piece.length >= source.sizeBytes || length >= longestPiece;
    const text = textOf(piece, cursor.codePage ?? "utf-8");
    const { rows, length: characters, isCut } = rowsIn(text, cursor.dialect!, isEnd, mostRows);
    if (rows.length === 0 && !isEnd) continue;
    const offset = cursor.offset + (isEnd && !isCut ? piece.length : bytesOf(piece, text, characters));
    const read = linesIn(rows, { ...cursor, offset });
    const { entries, rejected } = await normalizeLines(desk, read.lines);
    const wrong = [...read.rejected, ...rejected];
    return { entries, rejected: wrong, cursor: read.cursor, isLast: offset >= source.sizeBytes };
  }
}

function linesIn(rows: readonly Row[], cursor: Cursor): Read {
  const { headingAt = -1 } = cursor;
  let { layout, carried } = cursor as { layout: Layout } & Cursor;
  const [lines, rejected]: [Read["lines"], Rejected[]] = [[], []];
  for (const [at, row] of rows.entries()) {
    const place = cursor.row + at;
    if (place === headingAt) continue;
    const read = place > headingAt ? parseRow(row, layout, carried) : undefined;
    if (!read) {
      const next = place > headingAt ? layoutFrom(row, rows, at, layout) : undefined;
      if (next) layout = next;
      else carried = carriedOver(row, carried, layout);
    } else if ("line" in read) lines.push({ row: place + 1, line: read.line });
    else rejected.push({ row: place + 1, errors: read.problems });
  }
  return { lines, rejected, cursor: { ...cursor, row: cursor.row + rows.length, layout, carried } };
}

const rowsBelowHeading = 60;

/** Detects the layout of a further table in the same file, if the row is the heading of one. */
function layoutFrom(row: Row, rows: readonly Row[], at: number, layout: Layout): Layout | undefined {
  if (row.length < 3 || row.every((cell, column) => cell === layout.heading[column]) || headingStrength(row) < 3)
    return undefined;
  return layoutBelow(row, rows.slice(at + 1, at + 1 + rowsBelowHeading), { decimal: layout.decimal });
}

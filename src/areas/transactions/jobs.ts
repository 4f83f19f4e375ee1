import { commands as companyCommands } from "../companies/commands.ts";
import type { Env, Job } from "../../platform/env.ts";
import { fileKey } from "../../platform/files.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { storeStream } from "../../http/uploads/store-stream.ts";
import { isOverloaded, requestPatienceMilliseconds, whileReading } from "../intake/read-stored.ts";
import type { Format } from "../../extraction/document/document.ts";
import { likeliestCodePage } from "../../extraction/formats/encoding.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import {
  beginningOf,
  bytesOf,
  carriedOver,
  headingStrength,
  layoutBelow,
  parseRow,
  recordText,
  rowsIn,
  sheetText,
  convertedFormats,
  textOf,
  type Layout,
  type Row,
  type StatementLine,
} from "../../extraction/statements/index.ts";
import { normalizeLines, type ImportContext } from "./normalize-lines.ts";
import { RetryableError, retryable } from "./retryable-error.ts";
import { ledgerOf, type Cursor, type Ledger, type LineBatch, type Rejected, type Task } from "./ledger.ts";

/** Bytes read and taken together; a row that is longer makes the piece longer. */
const pieceBytes = 256 * 1024;
const longestPiece = 8 * 1024 * 1024;
/** So many rows are taken together at most, however short they are: each may be told of. */
const mostRows = 4000;
const beginningBytes = 128 * 1024;
/** How long one reader goes on before another takes over. */
const runMilliseconds = 20_000;
const stagedLimit = 1024 ** 3;
/** What must be set out as rows first is read within a request only up to so many bytes. */
const stagedInRequest = 2 * 1024 * 1024;

/**
 * The work that reads files of feeds: again and again until nothing is left. Doing it twice does no harm. A file that
 * cannot be read now holds up no other.
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
  if (failed.length > 0) throw new Error(`Feeds that could not be read now: ${failed.join(", ")}`);
}

/**
 * Reads one feed for whoever handed it in, until a moment; what is left then goes on in the background, and so does what
 * takes long from the beginning.
 * @param reader the token under which it is held since it was posted
 */
export async function importInRequest(
  env: Env,
  company: string,
  { reader, feedId, until }: { reader: string; feedId: string; until: number },
): Promise<void> {
  const turn = { asked: { only: feedId }, until, stagedMost: stagedInRequest, reader };
  try {
    let ended = await readNext(env, company, turn);
    while (ended === "Done") ended = await readNext(env, company, turn);
    if (ended === "Left") await ledgerOf(env, company).settled(until - Date.now());
  } catch (error) {
    logFault("transactions.import", error, { company, id: feedId });
  }
}

/**
 * Reads the next feed under its lease. One whose reading broke off is begun again when the work is sent again.
 * @returns "Left" when others go on with it, nothing where there is none
 */
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

/** Why a reading broke off; one that never got the memory to begin is left to others. */
function endedBy(cause: unknown): "Fault" | "File" | "Others" {
  if (isOverloaded(cause)) return "Others";
  return cause instanceof RetryableError ? "Fault" : "File";
}

interface RunLimits {
  /** Which feeds the ledger is asked for. */
  asked: { but?: string[]; only?: string };
  until: number;
  reader?: string;
  /** What must be set out first and is longer is left to others. */
  stagedMost?: number;
}

/** @returns whether nothing is left to do for it */
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
    await ledger.fail(read, error.reason, error.message);
    return true;
  });
}

const rowsKey = (company: string, feedId: string) => fileKey(company, "transactions-feed", feedId, "rows.txt");

/** A feed that is being read. */
interface Reading {
  env: Env;
  company: string;
  ledger: Ledger;
  task: Task;
  lease: HeldLease;
}

async function importOne(reading: Reading, from: Cursor, { until, stagedMost }: RunLimits): Promise<boolean> {
  const began = Date.now();
  const { env, company, ledger, task, lease } = reading;
  const { feedId, provider, file } = task;
  const read = { feedId, reader: lease.token };
  let cursor = from.layout ? from : await begun(reading, stagedMost);
  if (!cursor) return false;
  const { reply: facts } = await retryable(executeCommand(env, companyCommands.facts, { company, id: company }, {}));
  const desk: ImportContext = { env, company, provider, homeCountry: facts.country };
  const source = cursor.staged ?? file;
  let lines = 0;
  while (cursor) {
    if (Date.now() > until) return false;
    const portion: LineBatch = await portionFrom(env, source, cursor, desk);
    lines += portion.entries.length;
    await yieldToOthers();
    cursor = await retryable(ledger.take(read, cursor.offset, JSON.stringify(portion)));
    await yieldToOthers();
  }
  log({ what: "transactions.import", company, id: feedId, lines, milliseconds: Date.now() - began });
  return true;
}

/** A runtime on one machine hears no request as long as something within it goes on: so there is a moment of rest. */
const yieldToOthers = () => new Promise<void>((passed) => setTimeout(passed, 1));

/** Finds out how the file is to be read, and sets it out as rows of text where it is none. Undefined when that is too much. */
async function begun(reading: Reading, stagedMost = Infinity): Promise<Cursor | undefined> {
  const { env, ledger, task, lease } = reading;
  const { feedId, file } = task;
  const format = file.format as Format;
  const start = await bytesAt(env, file, 0, beginningBytes);
  const isStaged = convertedFormats.includes(format) || isWide(start);
  if (isStaged && file.sizeBytes > stagedMost) return undefined;
  const patience = stagedMost === Infinity ? undefined : requestPatienceMilliseconds;
  const staged = isStaged ? await stagedRows(reading, start, patience) : undefined;
  const head = staged ? await bytesAt(env, staged, 0, beginningBytes) : start;
  const codePage = likeliestCodePage(head);
  const isWhole = head.length === (staged ?? file).sizeBytes;
  const beginning = beginningOf(textOf(head, codePage), isWhole, convertedFormats.includes(format));
  if (!beginning)
    throw new ExtractionProblem(
      "input_not_a_document_of_this_kind",
      "No columns were found that tell a date and an amount or a quantity.",
    );
  const { dialect, layout, headingAt } = beginning;
  const place = { offset: 0, row: 0, carried: {} };
  const next: Cursor = { ...place, codePage, dialect, layout, headingAt, ...(staged && { staged }) };
  await retryable(ledger.staged({ feedId, reader: lease.token }, next));
  return next;
}

async function stagedRows(
  { env, company, task: { feedId, file }, lease }: Reading,
  head: Uint8Array,
  patienceMilliseconds?: number,
): Promise<{ key: string; sizeBytes: number }> {
  const key = rowsKey(company, feedId);
  const stage = async () => {
    const text = whileHeld(lease, await textFor(env, file, head));
    const stored = { contentType: "text/plain", limit: stagedLimit };
    return retryable(storeStream(env.FILES, key, encoded(text), stored));
  };
  const { sizeBytes } = await (isBook(file) ? whileReading(file.sizeBytes, stage, patienceMilliseconds) : stage());
  if (sizeBytes === 0) throw new ExtractionProblem("no_text_found", "There are no rows in the file.");
  return { key, sizeBytes };
}

/** Workbooks are held as a whole. */
const isBook = ({ format }: Task["file"]) => format !== "Xml" && convertedFormats.includes(format as Format);

async function textFor(env: Env, file: Task["file"], head: Uint8Array): Promise<AsyncIterable<string>> {
  const format = file.format as Format;
  const stored = await retryable(env.FILES.get(file.key));
  if (!stored) throw gone();
  if (isBook(file)) return sheetText(await retryable(stored.bytes()), format);
  const encoding = isWide(head) ? wideEncoding(head) : declaredIn(head);
  const text = decoded(stored.body, encoding);
  return format === "Xml" ? recordText(text, decoderFor(encoding).decode(head)) : text;
}

/** Letters of two bytes each. */
const isWide = (head: Uint8Array) => head.subarray(0, 2000).includes(0);
const wideEncoding = ([first, second]: Uint8Array) =>
  first === 0 || (first === 0xfe && second === 0xff) ? "utf-16be" : "utf-16le";

const declaredIn = (head: Uint8Array) =>
  /encoding="([\w-]+)"/i.exec(new TextDecoder("latin1").decode(head.subarray(0, 200)))?.[1];

async function* decoded(body: ReadableStream, encoding: string | undefined): AsyncGenerator<string> {
  const decoder = decoderFor(encoding);
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function decoderFor(encoding = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of text) yield encoder.encode(piece);
}

/** The same pieces, until the lease is lost. */
async function* whileHeld({ signal }: HeldLease, text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    signal.throwIfAborted();
    yield piece;
  }
}

const gone = () => new ExtractionProblem("file_corrupted", "The file is no longer there.");

async function bytesAt(
  env: Env,
  { key, sizeBytes }: { key: string; sizeBytes: number },
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const range = { offset, length: Math.min(length, sizeBytes - offset) };
  const stored = await env.FILES.get(key, { range }).catch(async (cause: unknown) => {
    const isShort = ((await retryable(env.FILES.head(key)))?.size ?? sizeBytes) < sizeBytes;
    throw isShort ? cause : new RetryableError("A piece of the file was not given out.", { cause });
  });
  if (!stored) throw gone();
  return retryable(stored.bytes());
}

interface Read {
  lines: { row: number; line: StatementLine }[];
  rejected: Rejected[];
  cursor: Cursor;
}

/** The next piece of the file as lines, and the place behind it. */
async function portionFrom(
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

/** Rows below this say how columns that begin anew are to be read. */
const below = 60;

/** Another table begins in the middle of a file. */
function layoutFrom(row: Row, rows: readonly Row[], at: number, layout: Layout): Layout | undefined {
  if (row.length < 3 || row.every((cell, column) => cell === layout.heading[column]) || headingStrength(row) < 3)
    return undefined;
  return layoutBelow(row, rows.slice(at + 1, at + 1 + below), { decimal: layout.decimal });
}

import { steps as companySteps } from "../companies.ts";
import type { Env, Job } from "../../kit/env.ts";
import { fileKey } from "../../kit/files.ts";
import { newId } from "../../kit/ids.ts";
import { log } from "../../kit/log.ts";
import { askOwner } from "../../kit/owners.ts";
import { storeStream } from "../../kit/streams.ts";
import type { Format } from "../../reading/document.ts";
import { likeliestCodePage } from "../../reading/open/encoding.ts";
import { ReadingProblem } from "../../reading/problem.ts";
import {
  beginningOf,
  bytesOf,
  carriedOn,
  headingStrength,
  layoutBelow,
  readRow,
  recordText,
  rowsIn,
  sheetText,
  stagedFormats,
  textOf,
  type Layout,
  type Row,
  type StatementLine,
} from "../../reading/statements/index.ts";
import { entriesOf, type Desk } from "./entry.ts";
import { ledgerOf, type Cursor, type Ledger, type Rejected, type Task } from "./ledger.ts";

/** Bytes read and taken together; a row that is longer makes the piece longer. */
const pieceBytes = 256 * 1024;
const longestPiece = 8 * 1024 * 1024;
const beginningBytes = 128 * 1024;
/** How long one reader goes on before another takes over. */
const turnMilliseconds = 20_000;
const stagedLimit = 1024 ** 3;

/** The work that reads files of feeds: again and again until nothing is left. Doing it twice does no harm. */
export async function importFeeds({ company }: Job, env: Env): Promise<void> {
  await importFor(env, company, newId(), Date.now() + turnMilliseconds);
}

/**
 * Reads what waits, until a moment; what is left then goes on in the background.
 * @param reader who reads: others wait for it
 */
export async function importFor(env: Env, company: string, reader: string, until: number): Promise<void> {
  const ledger = ledgerOf(env, company);
  for (;;) {
    const task = await ledger.next(reader);
    if (!task) return;
    const isDone = await importOne(env, company, ledger, task, until).catch(async (error: unknown) => {
      if (!(error instanceof ReadingProblem)) throw error;
      await ledger.fail(task.feedId, error.reason, error.message);
      return true;
    });
    if (!isDone) return ledger.leave(reader);
  }
}

async function importOne(env: Env, company: string, ledger: Ledger, task: Task, until: number): Promise<boolean> {
  const began = Date.now();
  const { feedId, provider, file } = task;
  let cursor: Cursor | undefined = task.cursor;
  if (!cursor.layout) cursor = await begun(env, company, ledger, task);
  const { reply: facts } = await askOwner(env, companySteps.facts, { company, id: company }, {});
  const desk: Desk = { env, company, provider, homeCountry: facts.country };
  const source = cursor.staged ?? file;
  let lines = 0;
  while (cursor) {
    if (Date.now() > until) return false;
    const portion = await portionFrom(env, source, cursor, desk);
    lines += portion.entries.length;
    cursor = await ledger.take(feedId, cursor.offset, JSON.stringify(portion));
  }
  log({ what: "transactions.import", company, id: feedId, lines, milliseconds: Date.now() - began });
  return true;
}

/** Finds out how the file is to be read, and sets it out as rows of text where it is none. */
async function begun(env: Env, company: string, ledger: Ledger, { feedId, file, cursor }: Task): Promise<Cursor> {
  const format = file.format as Format;
  const staged = cursor.staged ?? (await stagedRows(env, company, feedId, file));
  const head = await bytesAt(env, staged ?? file, 0, beginningBytes);
  const codePage = likeliestCodePage(head);
  const isWhole = head.length === (staged ?? file).sizeBytes;
  const beginning = beginningOf(textOf(head, codePage), isWhole, stagedFormats.includes(format));
  if (!beginning)
    throw new ReadingProblem(
      "input_not_a_document_of_this_kind",
      "No columns were found that tell a date and an amount or a quantity.",
    );
  const { dialect, layout, headingAt } = beginning;
  const next: Cursor = {
    offset: 0,
    row: 0,
    carried: {},
    codePage,
    dialect,
    layout,
    headingAt,
    ...(staged && { staged }),
  };
  await ledger.staged(feedId, next);
  return next;
}

async function stagedRows(
  env: Env,
  company: string,
  feedId: string,
  file: Task["file"],
): Promise<{ key: string; sizeBytes: number } | undefined> {
  const format = file.format as Format;
  const head = await bytesAt(env, file, 0, beginningBytes);
  const isWide = head.subarray(0, 2000).includes(0);
  if (!stagedFormats.includes(format) && !isWide) return undefined;
  const key = fileKey(company, "transactions-feed", feedId, "rows.txt");
  const text = await textFor(env, file, format, head);
  const { sizeBytes } = await storeStream(env.FILES, key, encoded(text), {
    contentType: "text/plain",
    limit: stagedLimit,
  });
  if (sizeBytes === 0) throw new ReadingProblem("no_text_found", "There are no rows in the file.");
  return { key, sizeBytes };
}

async function textFor(env: Env, file: Task["file"], format: Format, head: Uint8Array): Promise<AsyncIterable<string>> {
  const stored = await env.FILES.get(file.key);
  if (!stored) throw gone();
  if (format === "Xml") {
    const declared = /encoding="([\w-]+)"/i.exec(new TextDecoder("latin1").decode(head.subarray(0, 200)))?.[1];
    return recordText(decoded(stored.body, declared), textOf(head, declared ?? "utf-8"));
  }
  const bytes = await stored.bytes();
  return stagedFormats.includes(format) ? sheetText(bytes, format) : once(textOf(bytes, "utf-8"));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* decoded(body: ReadableStream, declared: string | undefined): AsyncGenerator<string> {
  const decoder = decoderFor(declared);
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function decoderFor(declared = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(declared);
  } catch {
    return new TextDecoder();
  }
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of text) yield encoder.encode(piece);
}

const gone = () => new ReadingProblem("file_corrupted", "The file is no longer there.");

async function bytesAt(
  env: Env,
  { key, sizeBytes }: { key: string; sizeBytes: number },
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const stored = await env.FILES.get(key, { range: { offset, length: Math.min(length, sizeBytes - offset) } });
  if (!stored) throw gone();
  return stored.bytes();
}

interface Read {
  lines: { row: number; line: StatementLine }[];
  rejected: Rejected[];
  cursor: Cursor;
}

/** The next piece of the file as lines, and the place behind it. */
async function portionFrom(env: Env, source: { key: string; sizeBytes: number }, cursor: Cursor, desk: Desk) {
  for (let length = pieceBytes; ; length *= 4) {
    const piece = await bytesAt(env, source, cursor.offset, length);
    const isEnd = cursor.offset + piece.length >= source.sizeBytes || length >= longestPiece;
    const text = textOf(piece, cursor.codePage ?? "utf-8");
    const { rows, length: characters } = rowsIn(text, cursor.dialect!, isEnd);
    if (rows.length === 0 && !isEnd) continue;
    const offset = cursor.offset + (isEnd ? piece.length : bytesOf(piece, text, characters));
    const { lines, rejected, cursor: next } = linesIn(rows, { ...cursor, offset });
    return { entries: await entriesOf(desk, lines), rejected, cursor: next, isLast: offset >= source.sizeBytes };
  }
}

function linesIn(rows: readonly Row[], cursor: Cursor): Read {
  const { headingAt = -1 } = cursor;
  let { layout, carried } = cursor as { layout: Layout } & Cursor;
  const [lines, rejected]: [Read["lines"], Rejected[]] = [[], []];
  for (const [at, row] of rows.entries()) {
    const place = cursor.row + at;
    if (place === headingAt) continue;
    const read = place > headingAt ? readRow(row, layout, carried) : undefined;
    if (!read) {
      const next = place > headingAt ? layoutFrom(row, rows, at, layout) : undefined;
      if (next) layout = next;
      else carried = carriedOn(row, carried, layout);
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

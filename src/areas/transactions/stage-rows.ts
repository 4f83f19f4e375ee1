import type { Env } from "../../platform/env.ts";
import { fileKey } from "../../platform/files.ts";
import type { HeldLease } from "../../platform/lease.ts";
import { storeStream } from "../../http/uploads/store-stream.ts";
import { withFileMemory } from "../intake/stored-files.ts";
import type { Format } from "../../extraction/document/document.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import { recordText, sheetText, convertedFormats } from "../../extraction/statements/index.ts";
import { retryable, type Ledger, type Task } from "./ledger.ts";

// Converts workbooks, XML and UTF-16 text to rows of UTF-8 text, which are imported piece by piece.

const stagedLimit = 1024 ** 3;

export const rowsKey = (company: string, feedId: string) => fileKey(company, "transactions-feed", feedId, "rows.txt");

/** A feed that is being imported, with its lease. */
export interface Reading {
  env: Env;
  company: string;
  ledger: Ledger;
  task: Task;
  lease: HeldLease;
}

export async function stagedRows(
  { env, company, task: { feedId, file }, lease }: Reading,
  head: Uint8Array,
  waitMilliseconds?: number,
): Promise<{ key: string; sizeBytes: number }> {
  const key = rowsKey(company, feedId);
  const stage = async () => {
    const text = whileHeld(lease, await textFor(env, file, head));
    const stored = { contentType: "text/plain", limit: stagedLimit };
    return retryable(storeStream(env.FILES, key, encoded(text), stored));
  };
  const { sizeBytes } = await (isBook(file) ? withFileMemory(file.sizeBytes, stage, waitMilliseconds) : stage());
  if (sizeBytes === 0) throw new ExtractionProblem("no_text_found", "The file has no rows.");
  return { key, sizeBytes };
}

const isBook = ({ format }: Task["file"]) => format !== "Xml" && convertedFormats.includes(format as Format);

async function textFor(env: Env, file: Task["file"], head: Uint8Array): Promise<AsyncIterable<string>> {
  const format = file.format as Format;
  const stored = await retryable(env.FILES.get(file.key));
  if (!stored) throw fileMissing();
  if (isBook(file)) return sheetText(await retryable(stored.bytes()), format);
  const encoding = isWide(head) ? wideEncoding(head) : declaredIn(head);
  const text = decoded(stored.body, encoding);
  return format === "Xml" ? recordText(text, decoderFor(encoding).decode(head)) : text;
}

/** Whether the text is UTF-16. */
export const isWide = (head: Uint8Array) => head.subarray(0, 2000).includes(0);
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

async function* whileHeld({ signal }: HeldLease, text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    signal.throwIfAborted();
    yield piece;
  }
}

export const fileMissing = () => new ExtractionProblem("file_corrupted", "The file is no longer stored.");

import type { Env } from "../../platform/env.ts";
import type { PersonFinder } from "../../domain/person.ts";
import { decode } from "../../extraction/formats/encoding.ts";
import { sniff, openDocument, defaultLimits } from "../../extraction/formats/open.ts";
import { Budget, ExtractionProblem } from "../../extraction/problem.ts";
import { overlapBytes, pieceBytes } from "./data-map.ts";

const budgetMilliseconds = 10_000;

/** How a file is searched: as a document, or only as bytes because opening it has probably crashed a worker. */
export type Opening = "Opened" | "Bytes";

/**
 * Whether a file mentions the person, in its bytes read as text or in the text of the opened document. Text in images
 * is not recognised.
 */
export async function isInFile(
  finder: PersonFinder,
  name: string,
  bytes: Uint8Array,
  opening: Opening,
): Promise<boolean> {
  if (isOurs(name)) return finder.isInJson(new TextDecoder().decode(bytes));
  for (let from = 0; from < bytes.length; from += pieceBytes - overlapBytes)
    if (isInBytes(finder, bytes.subarray(from, from + pieceBytes))) return true;
  return opening === "Opened" && (await textsIn(name, bytes)).some((text) => finder.isIn(text));
}

/** Whether a piece of a long file mentions the person. @param from byte offset of the piece */
export async function isInPiece({ FILES }: Env, finder: PersonFinder, key: string, from: number): Promise<boolean> {
  const stored = await FILES.get(key, { range: { offset: from, length: pieceBytes } });
  return stored !== null && isInBytes(finder, await stored.bytes());
}

const isOurs = (name: string) => name.endsWith(".json");

/**
 * Bytes that are not valid UTF-8, or contain a NUL as UTF-16 does, are also decoded with the likeliest other encoding.
 */
function isInBytes(finder: PersonFinder, piece: Uint8Array): boolean {
  const start = piece.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const bytes = piece.subarray(start > 0 && start < 4 ? start : 0);
  const text = new TextDecoder().decode(bytes);
  return finder.isIn(text) || (/[\0\uFFFD]/.test(text) && finder.isIn(decode(bytes)));
}

async function textsIn(name: string, bytes: Uint8Array): Promise<string[]> {
  try {
    const { format } = sniff(bytes, name);
    if (format === "Image") return [];
    const { parts, structured, mail } = await openDocument(
      { name, bytes },
      defaultLimits,
      new Budget(budgetMilliseconds),
    );
    const pages = parts.flatMap((part) => [
      part.name,
      ...part.pages.map(({ tokens }) => tokens.map(({ text }) => text).join(" ")),
    ]);
    return [...pages, ...structured.map(({ text }) => text), JSON.stringify(mail ?? {})];
  } catch (error) {
    if (error instanceof ExtractionProblem) return [];
    throw error;
  }
}

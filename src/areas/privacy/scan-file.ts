import type { Env } from "../../platform/env.ts";
import type { PersonFinder } from "../../domain/person.ts";
import { decode } from "../../extraction/formats/encoding.ts";
import { sniff, openDocument, defaultLimits } from "../../extraction/formats/open.ts";
import { Budget, ExtractionProblem } from "../../extraction/problem.ts";
import { overlapBytes, pieceBytes } from "./data-map.ts";

const budgetMilliseconds = 10_000;

/** How a file is looked at: opened, or as its bytes alone where opening it has ended the one who did. */
export type Opening = "Opened" | "Bytes";

/** Whether a file names somebody: in its bytes as text, or in what stands in it once it is opened. Pictures are not read. */
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

/** Whether the piece of a long file that begins there names somebody. */
export async function isInPiece({ FILES }: Env, finder: PersonFinder, key: string, from: number): Promise<boolean> {
  const stored = await FILES.get(key, { range: { offset: from, length: pieceBytes } });
  return stored !== null && isInBytes(finder, await stored.bytes());
}

/** What we wrote ourselves stands there as it is. */
const isOurs = (name: string) => name.endsWith(".json");

/** Bytes as UTF-8, and where that cannot be all, as what else they may be. */
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

import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Item } from "./sheet.ts";

/** Labelled values in the document's words; what has no value is not printed. */
export function labelledItems(voice: Voice, things: [Label, string | undefined | false][]): Item[] {
  return things.flatMap(([about, value]) => (value ? [{ about, label: voice.label(about), value }] : []));
}

/** Parts that are there, with something between them. */
export const joinPresent = (between: string, parts: (string | undefined | false)[]): string =>
  parts.filter(Boolean).join(between);

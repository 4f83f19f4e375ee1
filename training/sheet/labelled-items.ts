import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Item } from "./sheet.ts";

/** Adds the document's labels to the values. Values that are missing or false are left out. */
export function labelledItems(voice: Voice, things: [Label, string | undefined | false][]): Item[] {
  return things.flatMap(([about, value]) => (value ? [{ about, label: voice.label(about), value }] : []));
}

/** Joins the parts that are present. */
export const joinPresent = (between: string, parts: (string | undefined | false)[]): string =>
  parts.filter(Boolean).join(between);

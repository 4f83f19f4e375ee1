import type { Chance } from "./chance.ts";
import type { Block, Item, Sheet } from "./sheet/sheet.ts";

const TYPO = 0.01;

/**
 * Adds the noise of real forms: capitals and swapped letters in labels, double spaces in values. The truth stays the
 * same.
 */
export function noisy(chance: Chance, sheet: Sheet): Sheet {
  const capitals = chance.happens(0.12);
  const titleCapitals = capitals || chance.happens(0.25);
  const doubled = chance.happens(0.05);
  const label = (text: string): string => withSwappedLetters(chance, capitals ? text.toUpperCase() : text);
  const item = (one: Item): Item => ({
    ...one,
    label: label(one.label),
    value: doubled && one.about !== "company" ? one.value.replace(/(?<=\p{L}) (?=\p{L})/u, "  ") : one.value,
  });
  const block = (one: Block): Block => ({
    ...one,
    title: titleCapitals ? one.title.toUpperCase() : one.title,
    items: one.items.map(item),
    ...(one.stop && { stop: { ...one.stop, load: one.stop.load.map(item) } }),
  });
  return { ...sheet, head: sheet.head.map(item), blocks: sheet.blocks.map(block) };
}

/** Sometimes swaps two letters of a word. */
function withSwappedLetters(chance: Chance, text: string): string {
  if (text.length < 6 || !chance.happens(TYPO)) return text;
  const at = chance.between(2, text.length - 3);
  return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
}

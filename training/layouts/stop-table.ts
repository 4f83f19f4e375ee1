import type { Block, Item } from "../sheet/sheet.ts";
import type { Label } from "../words/words.ts";

/** Stops as a table. The columns are the labels in order of first use; each stop is a row. */
export interface StopTable {
  columns: { about: Label; label: string }[];
  rows: { title: string; cells: string[] }[];
}

const ALIKE: Partial<Record<Label, Label>> = { unloadingReference: "loadingReference" };

export function stopTable(stops: Block[]): StopTable {
  const kind = ({ about }: Item): Label => ALIKE[about] ?? about;
  const columns = new Map<Label, string>();
  for (const item of stops.flatMap(({ items }) => items))
    if (!columns.has(kind(item))) columns.set(kind(item), item.label);
  const abouts = [...columns.keys()];
  const cell = (items: Item[], about: Label): string =>
    items
      .filter((item) => kind(item) === about)
      .map(({ value }) => value)
      .join("\n");
  return {
    columns: [...columns].map(([about, label]) => ({ about, label })),
    rows: stops.map(({ title, items }) => ({ title, cells: abouts.map((about) => cell(items, about)) })),
  };
}

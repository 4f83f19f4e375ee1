import type { Block, Item, Role, Sheet } from "../sheet/sheet.ts";
import { fields, houseItems } from "./fields.ts";
import type { House } from "./house.ts";
import { beside, chunks, lines, table, text, tight, type Cell, type Node } from "./node.ts";
import { section } from "./section.ts";
import { stopsNode } from "./stops.ts";

/** A section of the order. Wide ones need the width of the page. */
export interface Part {
  role: Role | "head";
  wide: boolean;
  draw: (narrow: boolean) => Node;
}

export const PARTIES: Part["role"][] = ["customer", "carrier", "payer"];

/** The sections of an order that follow the letterhead and the title. */
export function partsOf(house: House, sheet: Sheet, head: Item[]): Part[] {
  const withLoads = house.dice("parts").happens(house.stops === "Prose" ? 0.7 : 0.45);
  const loads = sheet.blocks.filter(({ stop }) => stop?.type === "Loading" && !withLoads);
  const wide = ["Rows", "Columns", "Halves", "Prose", "List"].includes(house.stops);
  const stops: Part = { role: "stop", wide, draw: (narrow) => stopsNode(house, sheet, withLoads, narrow) };
  const parts = sheet.blocks.flatMap((block, at): Part[] => {
    const { role, items } = block;
    if (role === "stop") return sheet.blocks[at - 1]?.role === role ? [] : [stops];
    if (role === "cargo" && loads.length > 0)
      return [{ role, wide: loads.length > 1, draw: (narrow) => cargoNode(house, sheet, block, loads, narrow) }];
    return items.length > 0 ? [{ role, wide: false, draw: (narrow) => sectionOf(house, sheet, block, narrow) }] : [];
  });
  const first: Part = { role: "head", wide: false, draw: (narrow) => fields(house, house.dice("head"), head, narrow) };
  return head.length > 0 ? [first, ...parts] : parts;
}

function sectionOf(house: House, sheet: Sheet, block: Block, narrow: boolean): Node {
  const { role, title, items, says } = block;
  const dice = house.dice(role);
  const isParty = PARTIES.includes(role);
  if (says !== "" && dice.happens(house.spoken)) return text(says);
  const headed = house.heading !== "None" && dice.happens(isParty ? 0.8 : 0.9);
  const asTable = role === "payment" && !narrow && items.length > 2 && dice.happens(0.35);
  const shown = isParty ? houseItems(house, sheet, block, headed) : items;
  const body = asTable ? priceTable(house, sheet, items) : fields(house, dice, shown, narrow);
  return section(house, headed && title, body, narrow);
}

const AMOUNTS = ["price", "base", "fuel", "toll", "total"];

/** Amounts as rows of a table, with the rest below. */
function priceTable(house: House, sheet: Sheet, items: Item[]): Node {
  const dice = house.dice("prices");
  const amounts = items.filter(({ about }) => AMOUNTS.includes(about));
  const row = (label: string, value: string, bold: boolean): Cell[] => [
    { text: label, bold },
    { text: value, bold, right: true },
  ];
  const heads = dice.happens(0.5) ? [row(sheet.label("payment"), sheet.label("price"), true)] : [];
  const rows = amounts.map(({ about, label, value }) => row(label, value, about === "total"));
  const rest = items.filter((item) => !amounts.includes(item));
  return tight([table([...heads, ...rows], [3, 1.2], house.lines, heads.length), fields(house, dice, rest)]);
}

/** The goods of their own: one load as fields, several as a table; then the requirements. */
function cargoNode(house: House, sheet: Sheet, block: Block, loads: Block[], narrow: boolean): Node {
  const dice = house.dice("cargo");
  const { load, loadSays } = loads[0]!.stop!;
  const says = [loadSays, block.says].filter(Boolean).join(" ");
  if (loads.length === 1 && dice.happens(house.spoken)) return text(says);
  const title = house.heading !== "None" && dice.happens(0.85) && block.title;
  const asTable = loads.length > 1 || (!narrow && dice.happens(0.25));
  if (!asTable) return section(house, title, fields(house, dice, [...load, ...block.items], narrow), narrow);
  const body = tight([loadTable(house, sheet, loads), fields(house, dice, block.items, narrow)]);
  return section(house, title, body, narrow);
}

/** A table with a row for each load; several loads have the name of their stop, and sometimes totals. */
function loadTable(house: House, sheet: Sheet, loads: Block[]): Node {
  const heads = new Map(loads.flatMap(({ stop }) => stop!.load.map(({ about, label }) => [about, label] as const)));
  const named = loads.length > 1 ? 1 : 0;
  const row = (name: string, items: Item[], bold = false): Cell[] => {
    const cells = [...heads.keys()].map((about) => items.find((item) => item.about === about)?.value ?? "");
    return [name, ...cells].slice(1 - named).map((words) => ({ text: words, bold }));
  };
  const totals = named && house.dice("loads").happens(0.6) ? [row("", sheet.totals, true)] : [];
  const labels = ["", ...heads.values()].slice(1 - named).map((label) => house.head(label));
  const rows = [labels, ...loads.map(({ title, stop }) => row(title, stop!.load)), ...totals];
  const shares = [1.5, ...[...heads.keys()].map((about) => (about === "goods" ? 2 : 1))].slice(1 - named);
  return table(rows, shares, house.lines, 1);
}

/** The conditions in small print. */
export function terms(house: House, { terms: { title, sentences } }: Sheet): Node {
  const dice = house.dice("terms");
  const ink = { grow: dice.pick([-1, -1.5, -2]) };
  const numbered = dice.happens(0.5);
  const all = sentences.map((sentence, at) => (numbered ? `${at + 1}. ${sentence}` : sentence));
  const halves = chunks(all, Math.ceil(all.length / 2)).map((half) => lines(half, ink));
  const body = dice.pick([text(all.join(" "), ink), lines(all, ink), lines(all, ink), beside(halves)]);
  const head = dice.happens(0.75) ? [text(house.title(title), { bold: true })] : [];
  return tight([...(dice.happens(0.1) ? [{ kind: "NewPage" } as const] : []), ...head, body]);
}

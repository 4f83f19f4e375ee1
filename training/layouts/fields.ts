import type { Chance } from "../chance.ts";
import type { Item } from "../sheet/sheet.ts";
import type { Label } from "../words/words.ts";
import type { House } from "./house.ts";
import { chunks, stack, text } from "./node.ts";
import type { Cell, Node } from "./node.ts";

const ADDRESS: Label[] = ["company", "street", "postalCode", "city", "town", "country"];
const MOMENT: Label[] = ["date", "time"];
/** Values that a reader understands without a label, if they have a unit. */
const PLAIN: Label[] = ["phone", "email", "goods", "weight", "pallets", "quantity", "date", "time", "when"];
const LONG = 38;

/** Joins the items about the given things into one, at the place of the first. Values without unit keep their labels. */
export function joined(items: Item[], about: Label[], label: string, between: string, bare?: boolean): Item[] {
  const parts = items.filter((item) => about.includes(item.about));
  if (parts.length === 0) return items;
  const value = parts.map((item) => (isPlain(item) ? item.value : `${item.label} ${item.value}`)).join(between);
  const one = { about: about[0]!, label, ...(bare !== undefined && { bare }), value };
  return items.flatMap((item) => (item === parts[0] ? [one] : parts.includes(item) ? [] : [item]));
}

/** Joins postal code and town on one line, and all lines of an address with `between`. */
export function joinedAddress(items: Item[], label: string, between: string, bare?: boolean): Item[] {
  return joined(joined(items, ["postalCode", "town"], "", " "), ADDRESS, label, between, bare);
}

/** Joins the items as the house does. An address without heading has the title as its label. */
export function houseItems(
  house: House,
  items: Item[],
  label: (of: Label) => string,
  title: string,
  headed: boolean,
): Item[] {
  const moment = house.oneMoment
    ? joined(items, MOMENT, label("when"), house.dice("moment").pick([" ", ", ", " "]))
    : items;
  const between = house.address === "Lines" ? "\n" : ", ";
  if (house.address !== "Apart" || !headed) {
    const bare = headed ? house.dice("address").happens(0.75) : false;
    const name = headed ? label("company") : title;
    return joinedAddress(moment, name, between, bare);
  }
  return moment;
}

/** Whether a reader understands the value without its label. */
export function isPlain({ about, value }: Item): boolean {
  if (about === "weight" || about === "pallets" || about === "quantity") return /\p{L}/u.test(value);
  return PLAIN.includes(about) || ADDRESS.includes(about);
}

/** Leaves out a label that the reader does not need. `bare: false` keeps it. */
const silenced = (item: Item): Item => (isPlain(item) ? { bare: true, ...item } : item);

/** Lays out items. `narrow` is for columns and sidebars. */
export function fields(house: House, dice: Chance, given: Item[], narrow = false, form = house.form(dice)): Node {
  const items = house.silent ? given.map(silenced) : given;
  const lines = (): Node =>
    stack(
      items.map((item) => line(house, item)),
      { tight: true },
    );
  if (items.length === 0) return stack([]);
  if (narrow && (form === "Dense" || form === "Row")) return lines();
  if (form === "Dense") return dense(house, dice, items);
  if (form === "Row" && items.length > 1) return row(house, items);
  if (form === "Bare")
    return stack(
      given.map((item) => line(house, silenced(item))),
      { tight: true },
    );
  if (form === "Left")
    return grid(
      house,
      items,
      dice.weighted({ 1: 60, 2: narrow ? 0 : 28, 3: narrow ? 0 : 8, 4: narrow ? 0 : 4 }),
      leftRow(house, dice, items),
    );
  if (form === "Above") return captions(house, items, narrow ? dice.pick([1, 2]) : dice.pick([2, 3, 3, 4]));
  return lines();
}

const line = (house: House, { label, value, bare }: Item): Node =>
  bare || label === ""
    ? text(value)
    : text(value, { label: house.label(label) + house.colon, boldLabel: house.boldLabels });

/** Prints the items one after the other. Those of several lines stand before the others. */
function dense(house: House, dice: Chance, items: Item[]): Node {
  const [long, short] = [
    items.filter(({ value }) => value.includes("\n")),
    items.filter(({ value }) => !value.includes("\n")),
  ];
  const each = chunks(short, dice.pick([3, 4, 6, 20]));
  return stack(
    [
      ...long.map((item) => line(house, item)),
      ...each.map((some) => text(some.map((item) => house.flat(item)).join(house.separator))),
    ],
    { tight: true },
  );
}

/** A table with the labels as column heads and one row of values. */
function row(house: House, items: Item[]): Node {
  const size = Math.ceil(items.length / Math.ceil(items.length / (house.landscape ? 8 : 5)));
  const tables = chunks(items, size).map((some): Node => ({
    kind: "Table",
    rows: [
      some.map(({ label }) => ({ text: house.label(label), bold: house.boldLabels })),
      some.map(({ value }) => ({ text: value })),
    ],
    shares: some.map(({ value }) => (value.length > 25 ? 2 : 1)),
    lines: house.lines,
    heads: 1,
  }));
  return stack(tables, { tight: true });
}

const isLong = ({ value }: Item): boolean => value.length > LONG || value.includes("\n");

/** Rows of up to `most` items; a long value has a row of its own. */
function rowsOf(items: Item[], most: number): Item[][] {
  const rows: Item[][] = [];
  for (const item of items) {
    const last = rows.at(-1);
    if (!last || isLong(item) || last.length >= most || isLong(last[0]!)) rows.push([item]);
    else last.push(item);
  }
  return rows;
}

type RowMaker = { shares: number[]; cells: (item: Item) => Cell[] };

function leftRow(house: House, dice: Chance, items: Item[]): RowMaker {
  const longest = Math.max(...items.map(({ label }) => label.length));
  return {
    shares: [Math.max(6, Math.min(20, longest)), Math.max(14, longest * dice.pick([1, 1.5, 2.5]))],
    cells: ({ label, value, bare }) =>
      bare
        ? [{ text: value, span: 2 }]
        : [{ text: house.label(label) + house.colon, bold: house.boldLabels }, { text: value }],
  };
}

function grid(house: House, items: Item[], most: string, { shares, cells }: RowMaker): Node {
  const count = Number(most);
  const width = count * shares.length;
  return {
    kind: "Table",
    rows: rowsOf(items, count).map((row) => filledUp(row.flatMap(cells), width)),
    shares: Array.from({ length: count }, () => shares).flat(),
    lines: house.lines,
    heads: 0,
  };
}

/** Widens the last cell, so that the row reaches the end of the table. */
function filledUp(cells: Cell[], width: number): Cell[] {
  const used = cells.reduce((sum, { span = 1 }) => sum + span, 0);
  const last = cells.at(-1)!;
  return [...cells.slice(0, -1), { ...last, span: (last.span ?? 1) + width - used }];
}

/** Cells with a small label above the value. */
function captions(house: House, items: Item[], most: number): Node {
  const cells = ({ label, value, bare }: Item): Cell[] => [
    { text: value, ...(!bare && { caption: house.label(label) }) },
  ];
  return grid(house, items, String(most), { shares: [1], cells });
}

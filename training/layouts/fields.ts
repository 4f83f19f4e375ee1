import type { Chance } from "../chance.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Label } from "../words/words.ts";
import type { House } from "./house.ts";
import { chunks, table, text, tight, type Cell, type Node } from "./node.ts";

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

/** Joins the items of a block as the house does. Without heading, the address has the title as its label. */
export function houseItems(house: House, sheet: Sheet, { title, items }: Block, headed: boolean): Item[] {
  const glue = house.dice("moment").pick([" ", ", ", " "]);
  const all = house.oneMoment ? joined(items, MOMENT, sheet.label("when"), glue) : items;
  if (house.address === "Apart" && headed) return all;
  const bare = headed && house.dice("address").happens(0.75);
  return joinedAddress(all, headed ? sheet.label("company") : title, house.address === "Lines" ? "\n" : ", ", bare);
}

/** Whether a reader understands the value without its label. */
export function isPlain({ about, value }: Item): boolean {
  if (about === "weight" || about === "pallets" || about === "quantity") return /\p{L}/u.test(value);
  return PLAIN.includes(about) || ADDRESS.includes(about);
}

/** Leaves out a label that the reader does not need. `bare: false` keeps it. */
export const silenced = (item: Item): Item => (isPlain(item) ? { bare: true, ...item } : item);

/** Lays out items. `narrow` is for columns and sidebars. */
export function fields(house: House, dice: Chance, given: Item[], narrow = false, form = house.form(dice)): Node {
  const items = house.silent || form === "Bare" ? given.map(silenced) : given;
  const plain = items.length < 2 || (narrow && (form === "Dense" || form === "Row"));
  if (plain || form === "Lines" || form === "Bare") return tight(items.map((item) => line(house, item)));
  if (form === "Dense") return dense(house, dice, items);
  if (form === "Row") return row(house, items);
  if (form === "Above") return grid(house, items, narrow ? dice.pick([1, 2]) : dice.pick([2, 3, 3, 4]), above(house));
  const pairs = narrow ? 1 : dice.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 4]);
  return grid(house, items, pairs, left(house, dice, items));
}

function line(house: House, { label, value, bare }: Item): Node {
  if (bare || label === "") return text(value);
  return text(value, { label: house.label(label) + house.colon, boldLabel: house.boldLabels });
}

/** Prints the items one after the other. Those of several lines stand before the others. */
function dense(house: House, dice: Chance, items: Item[]): Node {
  const long = items.filter(({ value }) => value.includes("\n"));
  const short = items.filter((item) => !long.includes(item)).map((item) => house.flat(item));
  const rows = chunks(short, dice.pick([3, 4, 6, 20])).map((some) => text(some.join(house.separator)));
  return tight([...long.map((item) => line(house, item)), ...rows]);
}

/** A table with the labels as column heads and one row of values. */
function row(house: House, items: Item[]): Node {
  const size = Math.ceil(items.length / Math.ceil(items.length / (house.landscape ? 8 : 5)));
  const tables = chunks(items, size).map((some) => {
    const heads = some.map(({ label }) => house.head(label));
    const shares = some.map(({ value }) => (value.length > 25 ? 2 : 1));
    return table([heads, some.map(({ value }) => ({ text: value }))], shares, house.lines, 1);
  });
  return tight(tables);
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

/** How an item becomes cells of a grid. */
interface Cells {
  shares: number[];
  of: (item: Item) => Cell[];
}

/** A label on the left of its value. */
function left(house: House, dice: Chance, items: Item[]): Cells {
  const longest = Math.max(...items.map(({ label }) => label.length));
  const shares = [Math.max(6, Math.min(20, longest)), Math.max(14, longest * dice.pick([1, 1.5, 2.5]))];
  const label = (words: string): Cell => ({ text: house.label(words) + house.colon, bold: house.boldLabels });
  return {
    shares,
    of: ({ bare, ...item }) => (bare ? [{ text: item.value, span: 2 }] : [label(item.label), { text: item.value }]),
  };
}

/** A small label above its value. */
const above = (house: House): Cells => ({
  shares: [1],
  of: ({ label, value, bare }) => [{ text: value, ...(!bare && { caption: house.label(label) }) }],
});

/** Rows of up to `most` items. The last cell of a row reaches the end of the table. */
function grid(house: House, items: Item[], most: number, { shares, of }: Cells): Node {
  const width = most * shares.length;
  const rows = rowsOf(items, most).map((row) => {
    const cells = row.flatMap(of);
    const used = cells.reduce((sum, { span = 1 }) => sum + span, 0);
    const last = cells.at(-1)!;
    return [...cells.slice(0, -1), { ...last, span: (last.span ?? 1) + width - used }];
  });
  return table(rows, Array.from({ length: most }, () => shares).flat(), house.lines);
}

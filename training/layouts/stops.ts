import type { Chance } from "../chance.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Label } from "../words/words.ts";
import { fields, houseItems, joined, joinedAddress, silenced } from "./fields.ts";
import type { House, StopForm } from "./house.ts";
import { beside, chunks, lines, stack, table, text, type Cell, type Node } from "./node.ts";
import { section } from "./section.ts";

const MOMENT: Label[] = ["date", "time", "when"];
const GOODS: Label[] = ["goods", "pallets", "quantity", "weight", "ldm", "volume", "dimensions"];

/** Lays out the stops. `withLoads` prints the goods with the stops. */
export function stopsNode(house: House, sheet: Sheet, withLoads: boolean, narrow = false): Node {
  const stops = sheet.blocks.flatMap(({ stop, ...block }): StopBlock[] => {
    if (!stop) return [];
    const load = withLoads || stop.type !== "Loading" ? stop.load : [];
    const says = [block.says, load.length > 0 && stop.loadSays].filter(Boolean).join(" ");
    return [{ ...block, stop, says: block.says && says, items: [...block.items, ...load] }];
  });
  const form = formOf(house, stops, narrow);
  if (form === "Prose") return stack(stops.map(({ says }) => text(says)));
  const of: Stops = { house, sheet, stops, narrow, dice: house.dice("stops") };
  if (form === "Rows" || form === "Columns") return stopTable(of);
  return { Blocks: blocks, Halves: halves, Prefixed: prefixed, List: list, Terse: terse }[form](of);
}

type StopBlock = Block & { stop: NonNullable<Block["stop"]> };

interface Stops {
  house: House;
  sheet: Sheet;
  stops: StopBlock[];
  narrow: boolean;
  dice: Chance;
}

function formOf({ stops: form }: House, stops: Block[], narrow: boolean): StopForm {
  if (form === "Prose" && stops.some(({ says }) => says === "")) return "List";
  return narrow && ["Rows", "Columns", "Halves"].includes(form) ? "Blocks" : form;
}

function stopBlock({ house, sheet }: Stops, block: Block, narrow: boolean): Node {
  const dice = house.dice("stop");
  const headed = house.heading !== "None" && dice.happens(0.9);
  const shown = houseItems(house, sheet, block, headed);
  return section(house, headed && block.title, fields(house, dice, shown, narrow), narrow);
}

function blocks(of: Stops): Node {
  const each = of.narrow ? 1 : of.dice.pick(of.house.landscape ? [1, 2, 3, 4] : [1, 1, 2, 3]);
  const nodes = of.stops.map((one) => stopBlock(of, one, each > 1 || of.narrow));
  return stack(chunks(nodes, each).map((row) => beside(row)));
}

/** Loading on the left, unloading on the right; other stops below. */
function halves(of: Stops): Node {
  const { Loading = [], Unloading = [], ...rest } = Object.groupBy(of.stops, ({ stop }) => stop.type);
  const column = (stops: Block[]): Node => stack(stops.map((one) => stopBlock(of, one, true)));
  return stack([
    beside([column(Loading), column(Unloading)], [1, 1], of.house.boxed),
    column(Object.values(rest).flat()),
  ]);
}

/** All stops as one form, whose labels name the stop. */
function prefixed({ house, sheet, stops, narrow, dice }: Stops): Node {
  const between = dice.pick([" ", " ", " - ", ": "]);
  const items = stops.flatMap((block) =>
    houseItems(house, sheet, block, house.address === "Apart").map((item) =>
      item.label === block.title ? item : { ...item, bare: false, label: block.title + between + item.label },
    ),
  );
  return fields(house, dice, items, narrow, dice.pick(["Left", "Left", "Lines", "Above"]));
}

/** Joins moment and address of a stop into single fields without labels. */
const short = (items: Item[]): Item[] =>
  joinedAddress(joined(items, MOMENT, "", " ", true), "", ", ", true).map(silenced);

/** A numbered or plain list with the values of each stop in one paragraph. */
function list({ house, stops, dice }: Stops): Node {
  const [mark, between] = [dice.pick(["#. ", "#) ", "- ", "", "• "]), dice.pick([", ", "; ", " / ", " - "])];
  const apart = dice.happens(0.5);
  const paragraphs = stops.map(({ title, items }, at) => {
    const name = mark.replace("#", String(at + 1)) + title;
    const words = short(items)
      .map((item) => house.flat(item))
      .join(between);
    return apart ? text(words, { label: name + house.colon, boldLabel: house.boldLabels }) : text(`${name}: ${words}`);
  });
  return stack(paragraphs, { tight: dice.happens(0.5) });
}

/** One line for each stop, or one for all, without punctuation. */
function terse({ house, stops, dice }: Stops): Node {
  const [placeFirst, comma] = [dice.happens(0.4), dice.pick([" ", ", ", "  "])];
  const each = stops.map(({ stop, items }) => {
    const [moment, rest] = [short(items).filter(isMoment), short(items).filter((item) => !isMoment(item))];
    const order = placeFirst ? [...rest.slice(0, 1), ...moment, ...rest.slice(1)] : [...moment, ...rest];
    return [stop.short, ...order.map((item) => house.flat(item))].join(comma);
  });
  return dice.happens(0.25) ? text(each.join(dice.pick([" -> ", " // ", " | ", "; "]))) : lines(each);
}

const isMoment = ({ about }: Item): boolean => MOMENT.includes(about);

interface Column {
  about: Label;
  head: string;
}

const ALIKE: Partial<Record<Label, Label>> = { unloadingReference: "loadingReference" };
const kind = ({ about }: Item): Label => ALIKE[about] ?? about;

/** Joins fields of the stops, at random or until the table has no more than `most` columns. */
function forTable(dice: Chance, label: Sheet["label"], stops: Block[], most: number): Block[] {
  const glue = dice.pick(["\n", "\n", ", "]);
  const ways: ((items: Item[]) => Item[])[] = [
    (items) => joined(items, ["postalCode", "town"], label("city"), " "),
    (items) => joined(items, GOODS, label("goods"), glue),
    (items) => joined(items, ["street", "postalCode", "city", "town", "country"], label("street"), glue),
    (items) => joined(items, ["date", "time"], label("when"), dice.fork("moment").pick([" ", "\n"])),
    (items) => joinedAddress(items, label("company"), glue, false),
  ];
  const chances = [0.2, 0.35, 0.4, 0.5, 0.35];
  const wanted = new Set(ways.filter((_, at) => dice.happens(chances[at]!)));
  for (;;) {
    const done = stops.map((block) => ({
      ...block,
      items: ways.filter((way) => wanted.has(way)).reduce((items, way) => way(items), block.items),
    }));
    const next = ways.find((way) => !wanted.has(way));
    if (!next || columnsOf(done).length <= most) return done;
    wanted.add(next);
  }
}

function columnsOf(stops: Block[]): Column[] {
  const heads = new Map<Label, string>();
  for (const item of stops.flatMap(({ items }) => items)) if (!heads.has(kind(item))) heads.set(kind(item), item.label);
  return [...heads].map(([about, head]) => ({ about, head }));
}

const WIDE: Label[] = ["company", "street", "city", "goods"];

/** A table with a row or a column for each stop. */
function stopTable({ house, sheet, stops, dice }: Stops): Node {
  const turned = house.stops === "Columns";
  const most = (house.landscape ? 9 : 6) - (house.arrangement === "Bar" ? 2 : 0);
  const joint = forTable(dice, sheet.label, stops, turned ? 99 : most);
  const columns = dice.happens(0.4) ? dice.shuffled(columnsOf(joint)) : columnsOf(joint);
  const cell = ({ items }: Block, { about }: Column): Cell => {
    const values = items.filter((item) => kind(item) === about).map(({ value }) => value);
    return { text: values.join("\n") };
  };
  const heads = columns.map(({ head }) => house.head(head));
  const ruling = house.lines === "None" ? dice.pick(["None", "Rows"] as const) : house.lines;
  if (turned) {
    const names = stops.map(({ title }) => ({ text: house.title(title), bold: true }));
    const rows = columns.map((column, at) => [heads[at]!, ...joint.map((block) => cell(block, column))]);
    return table([[{ text: "" }, ...names], ...rows], [1, ...stops.map(() => 2)], ruling, 1);
  }
  const rows = joint.map((block) => columns.map((column) => cell(block, column)));
  const shares = columns.map(({ about }) => (WIDE.includes(about) ? 2.4 : 1.3));
  if (dice.happens(0.15)) {
    const named = rows.flatMap((row, at) => [[{ text: stops[at]!.title, bold: true, span: columns.length }], row]);
    return table([heads, ...named], shares, ruling, 1);
  }
  const top = dice.happens(0.4) ? overHeads(sheet, columns) : [];
  const corner = house.head(dice.pick(["", sheet.label("stop")]));
  const named = rows.map((row, at) => [{ text: stops[at]!.title }, ...row]);
  return table([...top, [corner, ...heads], ...named], [1.5, ...shares], ruling, top.length + 1);
}

/** A row of heads over several columns, for the moment and the goods; no row if no columns belong together. */
function overHeads(sheet: Sheet, columns: Column[]): Cell[][] {
  const over = ({ about }: Column): string =>
    GOODS.includes(about) ? sheet.label("cargo") : MOMENT.includes(about) ? sheet.label("when") : "";
  const cells: Cell[] = [{ text: "" }];
  for (const column of columns) {
    const [words, last] = [over(column), cells.at(-1)!];
    if (words !== "" && last.text === words) last.span = (last.span ?? 1) + 1;
    else cells.push({ text: words, bold: true });
  }
  return cells.some(({ span }) => span) ? [cells] : [];
}

import type { Chance } from "../chance.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Label } from "../words/words.ts";
import { fields, houseItems, isPlain, joined, joinedAddress } from "./fields.ts";
import type { House, StopForm } from "./house.ts";
import { beside, chunks, stack, text } from "./node.ts";
import type { Cell, Node } from "./node.ts";
import { section } from "./section.ts";

const MOMENT: Label[] = ["date", "time", "when"];
const GOODS: Label[] = ["goods", "pallets", "quantity", "weight", "ldm", "volume", "dimensions"];

/** Lays out the stops. `withLoads` prints the goods with the stops. */
export function stopsNode(house: House, sheet: Sheet, withLoads: boolean, narrow = false): Node {
  const dice = house.dice("stops");
  const stops = sheet.blocks.filter(({ role }) => role === "stop");
  const load = ({ stop }: Block): Item[] => (withLoads || stop!.type !== "Loading" ? stop!.load : []);
  const whole = stops.map((block) => ({ ...block, items: [...block.items, ...load(block)] }));
  const silent = house.stops === "Prose" && stops.some(({ says }) => says === "");
  const wide = house.stops === "Rows" || house.stops === "Columns";
  const form: StopForm = silent ? "List" : wide && narrow ? "Blocks" : house.stops;
  const ways: Record<StopForm, () => Node> = {
    Blocks: () => blocks(house, dice, sheet, whole, narrow),
    Halves: () => halves(house, sheet, whole, narrow),
    Rows: () => table(house, dice, sheet, whole),
    Columns: () => table(house, dice, sheet, whole),
    List: () => list(house, dice, sheet, whole),
    Terse: () => terse(house, dice, whole),
    Prose: () =>
      stack(
        stops.map((block) =>
          text([block.says, load(block).length > 0 && block.stop!.loadSays].filter(Boolean).join(" ")),
        ),
      ),
    Prefixed: () => prefixed(house, dice, sheet, whole, narrow),
  };
  return ways[form]();
}

function stopBlock(house: House, sheet: Sheet, { title, items }: Block, narrow: boolean): Node {
  const dice = house.dice("stop");
  const headed = house.heading !== "None" && dice.happens(0.9);
  const shown = houseItems(house, items, sheet.label, title, headed);
  const hasTitle = headed || !shown.some(({ label }) => label === title);
  return section(house, hasTitle ? title : "", fields(house, dice, shown, narrow), narrow);
}

function blocks(house: House, dice: Chance, sheet: Sheet, stops: Block[], narrow: boolean): Node {
  const each = narrow ? 1 : dice.pick(house.landscape ? [1, 2, 3, 4] : [1, 1, 2, 3]);
  const rows = chunks(stops, each);
  return stack(rows.map((row) => beside(row.map((one) => stopBlock(house, sheet, one, each > 1 || narrow)))));
}

/** Loading on the left, unloading on the right; other stops below. */
function halves(house: House, sheet: Sheet, stops: Block[], narrow: boolean): Node {
  const of = (...types: string[]): Node[] =>
    stops.filter(({ stop }) => types.includes(stop!.type)).map((one) => stopBlock(house, sheet, one, true));
  const [left, right, rest] = [of("Loading"), of("Unloading"), of("Customs", "EmptyReturn")];
  if (narrow) return stack([...left, ...right, ...rest]);
  return stack([beside([stack(left), stack(right)], [1, 1], house.boxed), ...rest]);
}

/** All stops as one form, whose labels name the stop. */
function prefixed(house: House, dice: Chance, sheet: Sheet, stops: Block[], narrow: boolean): Node {
  const between = dice.pick([" ", " ", " - ", ": "]);
  const items = stops.flatMap(({ title, items }) =>
    houseItems(house, items, sheet.label, title, house.address === "Apart").map((item) =>
      item.label === title ? item : { ...item, bare: false, label: `${title}${between}${item.label}` },
    ),
  );
  return fields(house, dice, items, narrow, dice.pick(["Left", "Left", "Lines", "Above"]));
}

/** Joins moment and address of a stop into single fields without labels. */
function short(dice: Chance, items: Item[]): Item[] {
  const moment = joined(items, MOMENT, "", " ", true);
  return joinedAddress(moment, "", ", ", true).map((item) => (isPlain(item) ? { ...item, bare: true } : item));
}

/** A numbered or plain list with the values of each stop in one paragraph. */
function list(house: House, dice: Chance, sheet: Sheet, stops: Block[]): Node {
  const [mark, own] = [dice.pick(["#. ", "#) ", "- ", "", "• "]), dice.happens(0.5)];
  const between = dice.pick([", ", "; ", " / ", " - "]);
  const lines = stops.map(({ title, items }, at) => {
    const words = short(dice, items)
      .map((item) => house.flat(item))
      .join(between);
    return text(own ? words : `: ${words}`, {
      label: mark.replace("#", String(at + 1)) + title + (own ? house.colon : ""),
      boldLabel: house.boldLabels,
    });
  });
  return stack(own ? lines : lines.map(({ label, text: words, ...ink }) => ({ ...ink, text: label + words })), {
    tight: dice.happens(0.5),
  });
}

/** One line for each stop, or one for all, without punctuation. */
function terse(house: House, dice: Chance, stops: Block[]): Node {
  const [placeFirst, comma] = [dice.happens(0.4), dice.pick([" ", ", ", "  "])];
  const lines = stops.map(({ stop, items }) => {
    const brief = short(dice, items);
    const isMoment = ({ about }: Item): boolean => MOMENT.includes(about);
    const moment = brief.filter(isMoment);
    const [place, ...rest] = brief.filter((item) => !isMoment(item));
    const order = placeFirst ? [place!, ...moment, ...rest] : [...moment, place!, ...rest];
    return `${stop!.short} ${order.map((item) => house.flat(item)).join(comma)}`;
  });
  return dice.happens(0.25)
    ? text(lines.join(dice.pick([" -> ", " // ", " | ", "; "])))
    : stack(
        lines.map((words) => text(words)),
        { tight: true },
      );
}

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
function table(house: House, dice: Chance, sheet: Sheet, stops: Block[]): Node {
  const turned = house.stops === "Columns";
  const joint = forTable(dice, sheet.label, stops, turned ? 99 : house.landscape ? 9 : 6);
  const columns = dice.happens(0.4) ? dice.shuffled(columnsOf(joint)) : columnsOf(joint);
  const cell = ({ items }: Block, { about }: Column): Cell => ({
    text: items
      .filter((item) => kind(item) === about)
      .map(({ value }) => value)
      .join("\n"),
  });
  const heads = columns.map(({ head }): Cell => ({ text: house.label(head), bold: house.boldLabels }));
  const lines = house.lines === "None" ? dice.pick(["None", "Rows"] as const) : house.lines;
  if (turned) {
    const rows = [
      [{ text: "" }, ...stops.map(({ title }) => ({ text: house.title(title), bold: true }))],
      ...columns.map((column, at) => [heads[at]!, ...joint.map((block) => cell(block, column))]),
    ];
    return { kind: "Table", rows, shares: [1, ...stops.map(() => 2)], lines, heads: 1 };
  }
  const corner = dice.pick(["", sheet.label("stop")]);
  const over = overHeads(sheet, columns);
  const rows = joint.map((block) => [{ text: block.title }, ...columns.map((column) => cell(block, column))]);
  const shares = columns.map(({ about }) => (WIDE.includes(about) ? 2.4 : 1.3));
  const inRows = dice.happens(0.15);
  const body = inRows
    ? rows.flatMap(([first, ...rest]) => [[{ ...first!, bold: true, span: columns.length }], rest])
    : rows;
  const first = inRows ? [] : [{ text: house.label(corner), bold: house.boldLabels }];
  const top = over && !inRows && dice.happens(0.4) ? [[{ text: "" }, ...over]] : [];
  return {
    kind: "Table",
    rows: [...top, [...first, ...heads], ...body],
    shares: inRows ? shares : [1.5, ...shares],
    lines,
    heads: top.length + 1,
  };
}

/** Heads over several columns: address and goods. Undefined if no column has one. */
function overHeads(sheet: Sheet, columns: Column[]): Cell[] | undefined {
  const over = ({ about }: Column): string =>
    GOODS.includes(about) ? sheet.label("cargo") : ["date", "time"].includes(about) ? sheet.label("when") : "";
  const cells: Cell[] = [];
  for (const column of columns) {
    const [words, last] = [over(column), cells.at(-1)];
    if (last && words !== "" && last.text === words) last.span = (last.span ?? 1) + 1;
    else cells.push({ text: words, bold: true });
  }
  return cells.some(({ span }) => span) ? cells : undefined;
}

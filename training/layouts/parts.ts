import type { Block, Item, Role, Sheet } from "../sheet/sheet.ts";
import { fields, houseItems } from "./fields.ts";
import type { House } from "./house.ts";
import { beside, chunks, stack, text } from "./node.ts";
import type { Cell, Node } from "./node.ts";
import { section } from "./section.ts";
import { stopsNode } from "./stops.ts";

/** A section of the order. Wide ones need the width of the page. */
export interface Part {
  role: Role | "head" | "stops";
  wide: boolean;
  draw: (narrow: boolean) => Node;
}

/** The sections of an order that follow the letterhead and the title. */
export function partsOf(house: House, sheet: Sheet, head: Item[]): Part[] {
  const dice = house.dice("parts");
  const stops = sheet.blocks.filter(({ role }) => role === "stop");
  const loads = stops.filter(({ stop }) => stop!.type === "Loading");
  const withLoads = dice.happens(house.stops === "Prose" ? 0.7 : 0.45);
  const wide = ["Rows", "Columns", "Halves", "Prose", "List"].includes(house.stops);
  const part = (block: Block): Part => ({
    role: block.role,
    wide: false,
    draw: (narrow) => sectionOf(house, sheet, block, narrow),
  });
  const cargo = (block: Block): Part => ({
    role: "cargo",
    wide: !withLoads && loads.length > 1,
    draw: (narrow) => cargoNode(house, sheet, block, withLoads ? [] : loads, narrow),
  });
  return [
    ...(head.length > 0
      ? [{ role: "head", wide: false, draw: (narrow) => fields(house, house.dice("head"), head, narrow) } as Part]
      : []),
    ...sheet.blocks.filter(({ role }) => ["customer", "carrier", "payer"].includes(role)).map(part),
    { role: "stops", wide, draw: (narrow) => stopsNode(house, sheet, withLoads, narrow) },
    ...sheet.blocks
      .filter(({ role }) => role === "cargo")
      .filter(({ items }) => !withLoads || items.length > 0)
      .map(cargo),
    ...sheet.blocks
      .filter(({ role, items }) => ["vehicle", "payment", "remarks"].includes(role) && items.length > 0)
      .map(part),
  ];
}

const SPOKEN: Role[] = ["carrier", "vehicle", "payment", "cargo", "remarks"];

function sectionOf(house: House, sheet: Sheet, block: Block, narrow: boolean): Node {
  const { role, title, items, says } = block;
  const dice = house.dice(role);
  const party = ["customer", "carrier", "payer"].includes(role);
  const spoken = house.stops === "Prose" ? 0.7 : 0.07;
  if (says !== "" && SPOKEN.includes(role) && dice.happens(spoken)) return text(says);
  const headed = house.heading !== "None" && dice.happens(party ? 0.8 : 0.9);
  if (party) {
    const shown = houseItems(house, items, sheet.label, title, headed);
    return section(house, headed ? title : "", fields(house, dice, shown, narrow), narrow);
  }
  if (role === "payment" && !narrow && items.length > 2 && dice.happens(0.35))
    return section(house, headed ? title : "", priceTable(house, sheet, items));
  return section(house, headed ? title : "", fields(house, dice, items, narrow), narrow);
}

const AMOUNTS = ["price", "base", "fuel", "toll", "total"];

/** Amounts as rows of a table, with the rest below. */
function priceTable(house: House, sheet: Sheet, items: Item[]): Node {
  const dice = house.dice("prices");
  const amounts = items.filter(({ about }) => AMOUNTS.includes(about));
  const total = ({ about }: Item): boolean => about === "total";
  const head: Cell[][] = dice.happens(0.5)
    ? [
        [
          { text: house.label(sheet.label("payment")), bold: true },
          { text: house.label(sheet.label("price")), bold: true, right: true },
        ],
      ]
    : [];
  const rows = amounts.map((item): Cell[] => [
    { text: item.label, bold: total(item) },
    { text: item.value, right: true, bold: total(item) },
  ]);
  const table: Node = {
    kind: "Table",
    rows: [...head, ...rows],
    shares: [3, 1.2],
    lines: house.lines,
    heads: head.length,
  };
  return stack(
    [
      table,
      fields(
        house,
        dice,
        items.filter((item) => !amounts.includes(item)),
      ),
    ],
    { tight: true },
  );
}

/** The goods of their own: one load as fields, several as a table; then the requirements. */
function cargoNode(house: House, sheet: Sheet, block: Block, loads: Block[], narrow: boolean): Node {
  const dice = house.dice("cargo");
  const [only] = loads;
  if (
    loads.length === 1 &&
    block.says + only!.stop!.loadSays !== "" &&
    dice.happens(house.stops === "Prose" ? 0.7 : 0.1)
  )
    return text([only!.stop!.loadSays, block.says].filter(Boolean).join(" "));
  const headed = house.heading !== "None" && dice.happens(0.85);
  const asTable = loads.length > 1 || (loads.length === 1 && !narrow && dice.happens(0.25));
  if (!asTable)
    return section(
      house,
      headed ? block.title : "",
      fields(house, dice, [...(only?.stop!.load ?? []), ...block.items], narrow),
      narrow,
    );
  const rest = block.items.length > 0 ? [fields(house, dice, block.items, narrow)] : [];
  return section(
    house,
    headed ? block.title : "",
    stack([loadTable(house, sheet, loads), ...rest], { tight: true }),
    narrow,
  );
}

function loadTable(house: House, sheet: Sheet, loads: Block[]): Node {
  const dice = house.dice("loads");
  const heads = new Map(loads.flatMap(({ stop }) => stop!.load.map(({ about, label }) => [about, label] as const)));
  const named = loads.length > 1;
  const totals = named && dice.happens(0.6) ? [row("", sheet.totals, true)] : [];
  function row(name: string, items: Item[], bold = false): Cell[] {
    const cells = [...heads.keys()].map((about) => ({
      text: items.find((item) => item.about === about)?.value ?? "",
      bold,
    }));
    return named ? [{ text: name, bold }, ...cells] : cells;
  }
  const labels = [...heads.values()].map((label): Cell => ({ text: house.label(label), bold: house.boldLabels }));
  return {
    kind: "Table",
    rows: [
      named ? [{ text: "" }, ...labels] : labels,
      ...loads.map(({ title, stop }) => row(title, stop!.load)),
      ...totals,
    ],
    shares: [...(named ? [1.5] : []), ...[...heads.keys()].map((about) => (about === "goods" ? 2 : 1))],
    lines: house.lines,
    heads: 1,
  };
}

/** The conditions in small print. */
export function terms(house: House, { terms: { title, sentences } }: Sheet): Node {
  const dice = house.dice("terms");
  const ink = { grow: dice.pick([-1, -1.5, -2]) };
  const numbered = dice.happens(0.5);
  const lines = sentences.map((sentence, at) => (numbered ? `${at + 1}. ${sentence}` : sentence));
  const body = dice.happens(0.3)
    ? [text(lines.join(" "), ink)]
    : dice.happens(0.2)
      ? [
          beside(
            chunks(lines, Math.ceil(lines.length / 2)).map((half) =>
              stack(
                half.map((line) => text(line, ink)),
                { tight: true },
              ),
            ),
          ),
        ]
      : lines.map((line) => text(line, ink));
  const head = dice.happens(0.75) ? [text(house.title(title), { bold: true })] : [];
  return stack([...(dice.happens(0.1) ? [{ kind: "NewPage" } as const] : []), ...head, ...body], { tight: true });
}

import type { Chance } from "../chance.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";

const WIDTH = 78;

/** The style of a printout: its rules, leaders and columns. */
interface Printer {
  rule: string;
  leader: string;
  labelWidth: number;
  indent: string;
  capitals: boolean;
}

function printer(chance: Chance): Printer {
  return {
    rule: chance.pick(["=", "-", "*", "_"]),
    leader: chance.pick([" ", ".", " "]),
    labelWidth: chance.pick([18, 22, 26]),
    indent: chance.pick(["", "  "]),
    capitals: chance.happens(0.4),
  };
}

/** A monospaced printout of a freight system. */
export const printOut: Layout = {
  extension: "txt",
  weight: 6,
  set: (sheets, chance) => {
    const how = printer(chance);
    return encoded(sheets.map((sheet) => printed(sheet, how)).join("\n\n"));
  },
};

/** Several orders printed one after the other. */
export const printOutOfSeveral: Layout = { ...printOut, weight: 2, orders: (chance) => chance.between(2, 3) };

function printed(sheet: Sheet, how: Printer): string {
  const rule = how.rule.repeat(WIDTH);
  const lines = [
    ...(sheet.letterhead.length > 0 ? [rule, ...sheet.letterhead.map((line) => ` ${line}`)] : []),
    rule,
    ` ${sheet.title}`,
    ...sheet.head.map((item) => field(item, how)),
    ...sheet.blocks.flatMap((block) => [how.rule === "=" ? "-".repeat(WIDTH) : rule, ...paragraph(block, how)]),
    rule,
    ...sheet.terms.sentences.flatMap((sentence) => wrapped(sentence, WIDTH - 2)).map((line) => ` ${line}`),
    ...sheet.foot.map((line) => ` ${line}`),
  ];
  return lines.join("\n");
}

function paragraph({ title, items }: Block, how: Printer): string[] {
  return [` ${how.capitals ? title.toUpperCase() : title}`, ...items.map((item) => how.indent + field(item, how))];
}

function field({ label, value, bare }: Item, { labelWidth, leader }: Printer): string {
  const [first = "", ...more] = value.split("\n").flatMap((line) => wrapped(line, WIDTH - labelWidth - 4));
  const head = bare ? " ".repeat(labelWidth + 3) : ` ${label.padEnd(labelWidth, leader)}: `;
  return [head + first, ...more.map((line) => " ".repeat(labelWidth + 3) + line)].join("\n");
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

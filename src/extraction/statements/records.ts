import { Parser } from "htmlparser2";
import { ExtractionProblem } from "../problem.ts";
import { localName } from "../formats/xml-stream.ts";
import { dayIn } from "./values.ts";

const maxDepth = 100;
const maxFields = 200;
/** An element with fewer values is not a transaction. */
const minValues = 3;

interface Open {
  name: string;
  path: string;
  text: string;
  hasChildren: boolean;
  /** Values of the attributes and inner elements. They apply to the transactions that follow in this element. */
  values: Map<string, string>;
}

/**
 * Converts the transactions of an XML statement to rows below a heading. A transaction is the element that occurs most
 * often with a date and other values. Values of the elements around it, such as card and vehicle, are added.
 * @param beginning the first characters of `pieces`
 */
export async function* recordRows(pieces: AsyncIterable<string>, beginning: string): AsyncGenerator<string[]> {
  const path = recordPath(beginning);
  if (!path) return;
  const heading = headingOf(beginning, path);
  yield heading.map(spacedName);
  const records: Map<string, string>[] = [];
  const reader = recordReader(path, (record) => records.push(record));
  for await (const piece of pieces) {
    reader.write(piece);
    for (const record of records.splice(0)) yield heading.map((key) => record.get(key) ?? "");
  }
  reader.end();
  for (const record of records) yield heading.map((key) => record.get(key) ?? "");
}

/** `TransactionDate` becomes `Transaction Date`. */
const spacedName = (key: string) =>
  key
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_.-]+/g, " ");

function recordPath(beginning: string): string | undefined {
  const seen = new Map<string, { often: number; values: number; days: number }>();
  walk(beginning, (open, values) => {
    const counts = seen.get(open.path) ?? { often: 0, values: 0, days: 0 };
    const days = values.some((value) => dayIn(value.slice(0, 40), "DayFirst") !== undefined) ? 1 : 0;
    seen.set(open.path, {
      often: counts.often + 1,
      values: Math.max(counts.values, values.length),
      days: counts.days + days,
    });
  });
  const likely = [...seen].filter(([, { values, days }]) => values >= minValues && days > 0);
  likely.sort(([onePath, one], [otherPath, other]) => other.days - one.days || depthOf(otherPath) - depthOf(onePath));
  return likely[0]?.[0];
}

const depthOf = (path: string) => path.split("/").length;

function headingOf(beginning: string, path: string): string[] {
  const keys = new Set<string>();
  const reader = recordReader(path, (record) => {
    for (const key of record.keys()) if (keys.size < maxFields) keys.add(key);
  });
  reader.write(beginning);
  reader.end();
  return [...keys];
}

function walk(text: string, ended: (open: Open, values: string[]) => void): void {
  const inside: string[][] = [];
  const parser = parserOf({
    opened: (_, attributes) => inside.push(Object.values(attributes)),
    closed: (open) => {
      const values = inside.pop() ?? [];
      if (!open.hasChildren && open.text.trim() !== "") values.push(open.text.trim());
      inside.at(-1)?.push(...values.slice(0, maxFields));
      ended(open, values);
    },
  });
  parser.write(text);
}

interface Listener {
  opened: (open: Open, attributes: Record<string, string>) => void;
  closed: (open: Open, stack: readonly Open[]) => void;
}

function parserOf({ opened, closed }: Listener): Parser {
  const stack: Open[] = [];
  return new Parser(
    {
      onopentag: (tag, attributes) => {
        const parent = stack.at(-1);
        if (stack.length >= maxDepth)
          throw new ExtractionProblem(
            "file_unreadable",
            `The elements of the file are nested deeper than ${maxDepth} levels.`,
          );
        if (parent) parent.hasChildren = true;
        const name = localName(tag);
        const open = {
          name,
          path: `${parent?.path ?? ""}/${name}`,
          text: "",
          hasChildren: false,
          values: new Map<string, string>(),
        };
        stack.push(open);
        opened(open, attributes);
      },
      ontext: (text) => {
        const open = stack.at(-1);
        if (open && open.text.length < 2000) open.text += text;
      },
      onclosetag: () => {
        const open = stack.pop();
        if (open) closed(open, stack);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
}

function recordReader(path: string, onRecord: (record: Map<string, string>) => void): Parser {
  const put = (values: Map<string, string>, key: string, value: string) => {
    const text = value.replace(/\s+/g, " ").trim();
    if (text !== "" && values.size < maxFields && !values.has(key)) values.set(key, text);
  };
  return parserOf({
    opened: (open, attributes) => {
      for (const [name, value] of Object.entries(attributes)) {
        if (!/^xmlns\b|^xsi:/.test(name))
          put(open.values, open.path === path ? localName(name) : `${open.name} ${localName(name)}`, value);
      }
    },
    closed: (open, stack) => {
      const parent = stack.at(-1);
      const isRecord = open.path === path;
      if (isRecord) {
        const record = new Map(open.values);
        for (const around of stack.toReversed()) for (const [key, value] of around.values) put(record, key, value);
        onRecord(record);
        return;
      }
      if (!parent) return;
      if (!open.hasChildren) put(parent.values, open.name, open.text);
      const isInside = open.path.startsWith(`${path}/`);
      for (const [key, value] of open.values)
        put(parent.values, isInside && !key.startsWith(`${open.name} `) ? `${open.name} ${key}` : key, value);
    },
  });
}

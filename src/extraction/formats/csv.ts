import Papa from "papaparse";
import type { Block, Cell } from "./blocks.ts";
import { decode } from "./encoding.ts";
import type { ReaderContext, Reader } from "./reader.ts";
import { layOutBlocks } from "./table-setting.ts";
import { tooManyWords } from "./typeset.ts";

export const readCsv: Reader = (file, context) => {
  const text = decode(file.bytes).replace(/^\uFEFF/, "");
  return { pages: layOutBlocks([tableOf(text, context)], context, "Cell") };
};

function tableOf(text: string, context: ReaderContext): Block {
  // Excel writes the separator into a first line of its own.
  const told = text.match(/^sep=(.)\r?\n/i);
  const rows: Cell[][] = [];
  let filled = 0;
  Papa.parse<string[]>(told ? text.slice(told[0].length) : text, {
    delimiter: told?.[1] ?? "",
    delimitersToGuess: [";", "\t", ",", "|"],
    skipEmptyLines: true,
    step: ({ data }) => {
      if (rows.length % 500 === 0) context.budget.check();
      rows.push(data.flatMap(cellOf));
      filled += rows.at(-1)?.length ?? 0;
      if (filled > context.limits.words) throw tooManyWords(context);
    },
  });
  return { kind: "Table", rows };
}

function cellOf(value: string, column: number): Cell[] {
  const text = value.trim();
  return text === "" ? [] : [{ column, columns: 1, rows: 1, blocks: [{ kind: "Paragraph", runs: [{ text }] }] }];
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const path = join(import.meta.dirname, "README.md");

/** Puts figures into their place in `bench/README.md`, between `<!-- name -->` and `<!-- /name -->`. @throws when there is no such place */
export async function writeFigures(name: string, figures: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start < 0 || end < start) throw new Error(`bench/README.md has no place for ${name}.`);
  await writeFile(path, `${text.slice(0, start + opening.length)}\n${figures.trim()}\n${text.slice(end)}`);
}

/** A table in Markdown, figures to the right. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

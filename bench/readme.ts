import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const path = join(import.meta.dirname, "README.md");

/**
 * Writes figures into `bench/README.md`, between `<!-- name -->` and `<!-- /name -->`. @throws if the file has no such
 * comments
 */
export async function writeFigures(name: string, figures: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start < 0 || end < start) throw new Error(`bench/README.md has no place for ${name}.`);
  await writeFile(path, `${text.slice(0, start + opening.length)}\n${figures.trim()}\n${text.slice(end)}`);
}

/** Formats a Markdown table. All columns except the first are right-aligned. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

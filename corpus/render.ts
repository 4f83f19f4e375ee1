// node corpus/render.ts --out FOLDER [AUTHOR… | learn | develop | test]: renders the documents of the authors named, or of all. Writes
// FOLDER/<author>/<number>.<ending> and FOLDER/<author>/cases.json: [{ "file", "kind", "language", "received", "truth" }].
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openPrinter, type Printer } from "./rendering/html-to-pdf.ts";
import { mailOf } from "./rendering/mail.ts";
import { markdownToDocx } from "./rendering/markdown-to-docx.ts";
import { markdownToPdf } from "./rendering/markdown-to-pdf.ts";
import { sheetsToCsv, sheetsToXlsx, type SheetSource } from "./rendering/sheets.ts";
import { textToPdf } from "./rendering/text-to-pdf.ts";

interface Entry {
  kind: string;
  language: string;
  render: string;
  received: string;
  truth: unknown;
}

const root = import.meta.dirname;
const endings = ["html", "md", "sheet.json", "txt", "eml"] as const;
type Ending = (typeof endings)[number];

const sourceOf = (author: string, id: string): { ending: Ending; text: string } => {
  const ending = endings.find((each) => existsSync(join(root, author, `${id}.${each}`)));
  if (!ending) throw new Error(`${author}/${id} has no source`);
  return { ending, text: readFileSync(join(root, author, `${id}.${ending}`), "utf8") };
};

const entryOf = (author: string, id: string): Entry =>
  JSON.parse(readFileSync(join(root, author, `${id}.json`), "utf8")) as Entry;

/** @returns the bytes of a document in the format that its entry names */
async function render(author: string, id: string, printer: Printer): Promise<Uint8Array> {
  const { ending, text } = sourceOf(author, id);
  const format = entryOf(author, id).render;
  if (ending === "html") return printer.print(text);
  if (ending === "md") return format === "docx" ? markdownToDocx(text) : markdownToPdf(text);
  if (ending === "txt") return format === "pdf" ? textToPdf(text) : new TextEncoder().encode(text);
  if (ending === "sheet.json") {
    const sheets = JSON.parse(text) as SheetSource[];
    return format === "csv" ? sheetsToCsv(sheets) : sheetsToXlsx(sheets);
  }
  return mailOf(text, async (other) => ({
    name: `${other}.${entryOf(author, other).render}`,
    bytes: await render(author, other, printer),
  }));
}

/** The authors of these parts of the split, or with these ids. */
function chosen(words: string[]): string[] {
  const parts = JSON.parse(readFileSync(join(root, "authors.json"), "utf8")) as Record<string, { part: string }>;
  const all = readdirSync(root, { withFileTypes: true }).flatMap((each) => (parts[each.name] ? [each.name] : []));
  return words.length === 0
    ? all
    : all.filter((author) => words.includes(author) || words.includes(parts[author]!.part));
}

const words = process.argv.slice(2);
const at = words.indexOf("--out");
const [, out = join(root, "..", "dist", "corpus")] = at < 0 ? [] : words.splice(at, 2);
const printer = await openPrinter();
for (const author of chosen(words)) {
  mkdirSync(join(out, author), { recursive: true });
  const cases = [];
  for (const name of readdirSync(join(root, author)).toSorted()) {
    const id = /^(\d{3})\.json$/.exec(name)?.[1];
    if (!id) continue;
    const { kind, language, render: format, received, truth } = entryOf(author, id);
    writeFileSync(join(out, author, `${id}.${format}`), await render(author, id, printer));
    cases.push({ file: `${id}.${format}`, kind, language, received, truth });
  }
  writeFileSync(join(out, author, "cases.json"), JSON.stringify(cases, undefined, 1));
  console.log(`${author}: ${cases.length} documents`);
}
await printer.close();

/** Prints a file as the extraction engine sees it: `node scripts/show-document.ts FILE [--cells] [--boxes] [--ocr]`. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Page, Token } from "../src/extraction/document/document.ts";
import { defaultLimits, openDocument } from "../src/extraction/formats/open.ts";
import { columnWidth } from "../src/extraction/formats/page-builder.ts";
import { DocumentOcr } from "../src/extraction/ocr/page-ocr.ts";
import { Budget } from "../src/extraction/problem.ts";
import { localRecogniser } from "./recogniser.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    cells: { type: "boolean", default: false },
    boxes: { type: "boolean", default: false },
    ocr: { type: "boolean", default: false },
  },
});

const recognise = values.ocr ? await localRecogniser() : undefined;
for (const path of positionals) {
  const began = performance.now();
  const budget = new Budget(60_000);
  const recogniser = recognise && new DocumentOcr(recognise, budget, undefined);
  const document = await openDocument(
    { bytes: readFileSync(path), name: basename(path) },
    defaultLimits,
    budget,
    recogniser,
  );
  const { parts, structured, mail, warnings, ...kind } = document;
  console.log(path, kind, `${(performance.now() - began).toFixed(0)} ms`);
  if (mail) console.log(mail);
  for (const part of parts) {
    part.pages.forEach((page, index) => {
      const facts = [
        part.role,
        part.name,
        part.format,
        `page ${index + 1}`,
        part.quoted && "quoted",
        page.scanned && "scanned",
      ];
      const size = `${page.width.toFixed(0)} x ${page.height.toFixed(0)}, ${page.rulings.length} rulings`;
      console.log(`--- ${facts.filter(Boolean).join(", ")}, ${size}`);
      console.log(values.boxes ? page.tokens.map(boxed).join("\n") : laidOut(page));
    });
  }
  for (const part of structured)
    console.log(`--- structured: ${part.format} ${part.name}, ${part.text.length} characters`);
  for (const warning of warnings) console.log(`--- ${warning}`);
}

function laidOut(page: Page): string {
  const column = page.tokens.some(({ source }) => source === "Pdf" || source === "Ocr")
    ? page.width / 160
    : columnWidth;
  const lines: Token[][] = [];
  for (const token of page.tokens.toSorted((a, b) => a.y1 - b.y1 || a.x0 - b.x0)) {
    const line = lines.find(
      (one) => one[0] && Math.abs(one[0].y1 - token.y1) < Math.min(one[0].size, token.size) * 0.5,
    );
    if (line) line.push(token);
    else lines.push([token]);
  }
  return lines.map((line) => lineOf(line, column)).join("\n");
}

function lineOf(line: Token[], column: number): string {
  let text = "";
  for (const token of line.toSorted((a, b) => a.x0 - b.x0)) {
    const mark = values.cells && token.cell ? `[${token.cell.table}:${token.cell.row},${token.cell.column}]` : "";
    text =
      text.padEnd(Math.min(Math.round(token.x0 / column), text.length + 160)) +
      (text === "" ? "" : " ") +
      mark +
      token.text;
  }
  return text;
}

function boxed(token: Token): string {
  const box = [token.x0, token.y0, token.x1, token.y1].map((edge) => edge.toFixed(1)).join(" ");
  return `${token.text}\t${box}\t${token.size.toFixed(1)}${token.bold ? " bold" : ""}`;
}

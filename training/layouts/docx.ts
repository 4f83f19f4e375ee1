import { strToU8, zipSync } from "fflate";
import type { Item, Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";
import { stopTable } from "./stop-table.ts";

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PARTS = {
  "[Content_Types].xml": `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  "_rels/.rels": `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
};
const EPOCH = new Date("2026-11-20T08:00:00");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const run = (text: string, bold = false): string =>
  `<w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}${text
    .split("\n")
    .map((line) => `<w:t xml:space="preserve">${escaped(line)}</w:t>`)
    .join("<w:br/>")}</w:r>`;
const paragraph = (text: string, bold = false): string => `<w:p>${run(text, bold)}</w:p>`;
const cell = (text: string): string => `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph(text)}</w:tc>`;

function grid(rows: string[][]): string {
  const borders = ["top", "left", "bottom", "right", "insideH", "insideV"]
    .map((side) => `<w:${side} w:val="single" w:sz="4"/>`)
    .join("");
  const body = rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("");
  const columns = '<w:gridCol w:w="2400"/>'.repeat(rows[0]?.length ?? 0);
  return `<w:tbl><w:tblPr><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid>${columns}</w:tblGrid>${body}</w:tbl>${paragraph("")}`;
}

const pairs = (items: Item[]): string[][] => items.map(({ label, value, bare }) => [bare ? "" : label, value]);

/** A word processor form with a table for each block. The stops are blocks too, or rows of one table. */
export const docx: Layout = {
  extension: "docx",
  weight: 6,
  set: ([sheet], chance) => {
    const body = content(sheet!, chance.happens(0.5));
    const document = `${HEADER}<w:document xmlns:w="${MAIN}"><w:body>${body}</w:body></w:document>`;
    return zipped({ ...PARTS, "word/document.xml": document });
  },
};

function content(sheet: Sheet, stopsTogether: boolean): string {
  const stops = sheet.blocks.filter(({ role }) => role === "stop");
  const { columns, rows } = stopTable(stops);
  const together = grid([
    ["", ...columns.map(({ label }) => label)],
    ...rows.map(({ title, cells }) => [title, ...cells]),
  ]);
  const block = (one: Sheet["blocks"][number]): string => {
    if (one.role !== "stop" || !stopsTogether) return paragraph(one.title, true) + grid(pairs(one.items));
    return one === stops[0] ? together : "";
  };
  return [
    ...sheet.letterhead.map((line) => paragraph(line)),
    paragraph(sheet.title, true),
    grid(pairs(sheet.head)),
    ...sheet.blocks.map(block),
    paragraph(sheet.terms.title, true),
    ...[...sheet.terms.sentences, ...sheet.foot].map((line) => paragraph(line)),
  ].join("");
}

function zipped(parts: Record<string, string>): Uint8Array {
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, [strToU8(text), { mtime: EPOCH }]])),
  );
}

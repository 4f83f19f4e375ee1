import { strToU8, zipSync } from "fflate";
import type { Cell, Node, Text } from "./node.ts";

const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PARTS = {
  "[Content_Types].xml": `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  "_rels/.rels": `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
};
const EPOCH = new Date("2026-11-20T08:00:00");
/** Width of the text, in twentieths of a point. */
const WIDTH = 9600;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function run(text: string, { bold = false, grow = 0 }: { bold?: boolean; grow?: number } = {}): string {
  const lines = text.split("\n").map((line) => `<w:t xml:space="preserve">${escaped(line)}</w:t>`);
  const ink = `${bold ? "<w:b/>" : ""}<w:sz w:val="${Math.round(20 + 2 * grow)}"/>`;
  return `<w:r><w:rPr>${ink}</w:rPr>${lines.join("<w:br/>")}</w:r>`;
}

const paragraph = (runs: string, align = "left"): string => `<w:p><w:pPr><w:jc w:val="${align}"/></w:pPr>${runs}</w:p>`;

function paragraphOf({ text, label, boldLabel = false, bold = false, grow = 0, align }: Text): string {
  const before = label === undefined ? "" : run(`${label} `, { bold: boldLabel, grow });
  return paragraph(before + run(text, { bold, grow }), align);
}

/** Writes a tree in the word processor's format; whatever stands side by side is a table without borders. */
function body(node: Node): string {
  if (node.kind === "NewPage") return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
  if (node.kind === "Text") return paragraphOf(node);
  if (node.kind === "Stack") {
    const parts = node.parts.map(body).join(node.tight ? "" : paragraph(""));
    return node.boxed ? table([[{ content: parts }]], [1], true) : parts;
  }
  if (node.kind === "Beside")
    return table([node.parts.map((part) => ({ content: body(part) }))], node.shares, node.boxed === true);
  const rows = node.rows.map((row) => row.map((cell) => ({ content: cellContent(cell), span: cell.span })));
  return table(rows, node.shares, node.lines !== "None");
}

function cellContent({ text, caption, bold, right }: Cell): string {
  const label = caption ? paragraph(run(caption, { grow: -3 })) : "";
  return label + paragraph(run(text, { bold: bold === true }), right ? "right" : "left");
}

function table(rows: { content: string; span?: number }[][], shares: number[], ruled: boolean): string {
  const borders = ["top", "left", "bottom", "right", "insideH", "insideV"]
    .map((side) => `<w:${side} w:val="${ruled ? "single" : "nil"}" w:sz="4"/>`)
    .join("");
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const widths = shares.map((share) => Math.round((share / whole) * WIDTH));
  const columns = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  const cell = ({ content, span = 1 }: { content: string; span?: number }): string =>
    `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ""}</w:tcPr>${content}${content.endsWith("</w:p>") ? "" : "<w:p/>"}</w:tc>`;
  const body = rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("");
  return `<w:tbl><w:tblPr><w:tblW w:w="${WIDTH}" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid>${columns}</w:tblGrid>${body}</w:tbl>`;
}

export function docx(node: Node): Uint8Array {
  const document = `${HEADER}<w:document xmlns:w="${MAIN}"><w:body>${body(node)}<w:p/></w:body></w:document>`;
  const parts = { ...PARTS, "word/document.xml": document };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, [strToU8(text), { mtime: EPOCH }]])),
  );
}

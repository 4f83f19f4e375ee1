import type { Cell, Node } from "./node.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>");

/** Writes a tree as HTML, with tables for whatever stands side by side, as mail programs need it. */
export function html(node: Node): string {
  if (node.kind === "NewPage") return "<hr>";
  if (node.kind === "Text") {
    const { text, label, boldLabel, bold, grow = 0, align = "left", mark } = node;
    const before = label === undefined ? "" : `${boldLabel ? `<b>${escaped(label)}</b>` : escaped(label)} `;
    const tag = grow > 2 ? "h2" : mark === "Line" && bold ? "h3" : "p";
    const style = `text-align:${align};font-size:${10 + grow}pt${mark === "Bar" ? ";background:#dde4ea" : ""}`;
    return `<${tag} style="${style}">${before}${bold ? `<b>${escaped(text)}</b>` : escaped(text)}</${tag}>`;
  }
  if (node.kind === "Stack") {
    const parts = node.parts.map(html).join("\n");
    return node.boxed ? `<div style="border:1px solid #888;padding:4px">${parts}</div>` : parts;
  }
  if (node.kind === "Beside")
    return tableOf([node.parts.map((part) => `<td valign="top">${html(part)}</td>`).join("")], node.boxed === true);
  const rows = node.rows.map((row, at) => row.map((cell) => cellOf(cell, at < node.heads)).join(""));
  return tableOf(rows, node.lines === "Grid");
}

function cellOf({ text, caption, bold, right, span = 1 }: Cell, head: boolean): string {
  const tag = head ? "th" : "td";
  const label = caption ? `<small>${escaped(caption)}</small><br>` : "";
  const wide = span > 1 ? ` colspan="${span}"` : "";
  const words = bold && !head ? `<b>${escaped(text)}</b>` : escaped(text);
  return `<${tag}${wide} valign="top" align="${right ? "right" : "left"}" style="padding:2px 6px">${label}${words}</${tag}>`;
}

const tableOf = (rows: string[], border: boolean): string =>
  `<table border="${border ? 1 : 0}" cellspacing="0">\n${rows.map((row) => `<tr>${row}</tr>`).join("\n")}\n</table>`;

export function htmlPage(body: string): string {
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><style>body{font-family:Arial,sans-serif;font-size:10pt}p{margin:0 0 2px}</style></head><body>\n${body}\n</body></html>\n`;
}

import type { Chance } from "../chance.ts";
import type { Item, Sheet } from "../sheet/sheet.ts";
import type { Layout } from "./layout.ts";
import { encoded } from "./text.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "<br>");

/** Formats a sheet as freight systems and mail programs do: as one table of labels and values. */
export function htmlTable(chance: Chance, { title, head, blocks }: Sheet): string {
  const border = chance.pick([0, 1]);
  const cell = (value: string, tag = "td"): string =>
    `<${tag} valign="top" style="padding:2px 6px">${escaped(value)}</${tag}>`;
  const row = ({ label, value, bare }: Item): string => `<tr>${cell(bare ? "" : label)}${cell(value)}</tr>`;
  const rows = blocks.flatMap((block) => [
    `<tr><th colspan="2" align="left" bgcolor="#dde4ea">${escaped(block.title)}</th></tr>`,
    ...block.items.map(row),
  ]);
  return `<h2>${escaped(title)}</h2>\n<table border="${border}" cellspacing="0">\n${[...head.map(row), ...rows].join("\n")}\n</table>`;
}

export function htmlPage(body: string): string {
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><style>body{font-family:Arial,sans-serif;font-size:10pt}</style></head><body>\n${body}\n</body></html>\n`;
}

export function paragraphs(lines: string[]): string {
  return lines.map((line) => `<p>${escaped(line)}</p>`).join("\n");
}

/** A saved web page. */
export const page: Layout = {
  extension: "html",
  weight: 3,
  set: ([sheet], chance) => {
    const { letterhead, terms, foot } = sheet!;
    const small = `<p style="font-size:8pt">${[...terms.sentences, ...foot].map(escaped).join("<br>")}</p>`;
    return encoded(htmlPage([paragraphs(letterhead), htmlTable(chance, sheet!), small].join("\n")));
  },
};

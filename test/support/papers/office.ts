import { strToU8, zipSync, type Zippable } from "fflate";

const xml = (body: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const packages = "http://schemas.openxmlformats.org/package/2006";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Makes an Office file. `parts` adds parts or replaces them. */
function officeFile(main: { path: string; type: string }, parts: Zippable): Uint8Array {
  return zipSync({
    "[Content_Types].xml": xml(
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main.path}" ContentType="application/vnd.openxmlformats-officedocument.${main.type}.main+xml"/></Types>`,
    ),
    "_rels/.rels": xml(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="${main.path}"/></Relationships>`,
    ),
    ...parts,
  });
}

/** Makes a Word document with one paragraph for each line. */
export const docx = (lines: string[], more: Zippable = {}): Uint8Array =>
  docxOf(lines.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escaped(line)}</w:t></w:r></w:p>`).join(""), more);

/** Makes a Word document with the given markup as its body. */
export const docxOf = (body: string, more: Zippable = {}): Uint8Array =>
  officeFile(
    { path: "word/document.xml", type: "wordprocessingml.document" },
    {
      "word/document.xml": xml(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
      ),
      ...more,
    },
  );

/** Makes a workbook with one sheet of text cells. */
export const xlsx = (rows: string[][], more: Zippable = {}): Uint8Array =>
  xlsxOf(rows.map((cells, row) => `<row r="${row + 1}">${cells.map(cell(row)).join("")}</row>`).join(""), more);

const cell = (row: number) => (text: string, column: number) =>
  `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;

/** Makes a workbook with the given markup as the rows of its only sheet. */
export function xlsxOf(rows: string, more: Zippable = {}): Uint8Array {
  const sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  return officeFile(
    { path: "xl/workbook.xml", type: "spreadsheetml.sheet" },
    {
      "xl/workbook.xml": xml(
        `<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="Order" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      "xl/_rels/workbook.xml.rels": xml(
        `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      "xl/worksheets/sheet1.xml": xml(`<worksheet xmlns="${sheets}"><sheetData>${rows}</sheetData></worksheet>`),
      ...more,
    },
  );
}

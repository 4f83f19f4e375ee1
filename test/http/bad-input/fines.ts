import { field, half, json, type Hostile, type Refused } from "./row.ts";
import { refusedFiles } from "./files.ts";
import { xlsxOf } from "../../support/papers/office.ts";

const path = "/api/v1/automations/fines";
const fine = { licensePlate: "WGM 12345", offenceAt: "2026-07-14T09:42" };
const nobody = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8bd3";

const wrongFines: [what: string, name: string, value: unknown][] = [
  ["a plate of one character", "licensePlate", "W"],
  ["a plate of forty characters", "licensePlate", "W".repeat(40)],
  ["an unpaired surrogate in its plate", "licensePlate", half],
  ["an invalid time", "offenceAt", "yesterday"],
  ["an invalid date", "offenceAt", "2026-02-30T10:00"],
  ["the 25th hour", "offenceAt", "2026-07-14T25:00"],
  ["an amount below zero", "amount", -1],
  ["an amount in words", "amount", "forty"],
  ["an amount above the limit", "amount", 1e12],
  ["an unknown currency", "currency", "EURO"],
  ["an unknown country", "countryCode", "XX"],
  ["an unknown country of the plate", "plateCountry", "Atlantis"],
  ["a latitude beyond the pole", "position", { latitude: 91, longitude: 0 }],
  ["a deadline with a time", "dueDate", "2026-12-22T10:00"],
  ["an invalid deadline", "appealUntil", "2026-13-01"],
  ["a line break in its reference", "reference", "A\nB"],
];

const pointerOf: Record<string, string> = { position: "/fines/0/position/latitude" };

/**
 * Whether a file is made quickly. Making a decompression bomb blocks this process so long that open connections may be
 * closed meanwhile.
 */
const isQuick = ({ what }: Hostile) => !what.includes("bomb");

/** Invalid fines, and how they are refused. */
export const fineRows: Refused[] = [
  ...wrongFines.map(([what, name, value]) => ({
    what: `a fine with ${what}`,
    method: "POST",
    path,
    json: { fines: [{ ...fine, [name]: value }] },
    ...field(pointerOf[name] ?? `/fines/0/${name}`),
  })),
  { what: "nothing", method: "POST", path, json: {}, ...field("/fines") },
  { what: "no fines", method: "POST", path, json: { fines: [], documentIds: [] }, ...field("/fines") },
  {
    what: "a fine of nothing",
    method: "POST",
    path,
    json: { fines: [{ amount: 40 }] },
    ...field("/fines/0/licensePlate"),
  },
  { what: "fines that are not a list", method: "POST", path, json: { fines: "one" }, ...field("/fines") },
  {
    what: "1001 fines",
    method: "POST",
    path,
    json: { fines: Array.from({ length: 1001 }, () => fine) },
    ...field("/fines"),
  },
  {
    what: "an invalid document id",
    method: "POST",
    path,
    json: { documentIds: ["1"] },
    ...field("/documentIds/0"),
  },
  {
    what: "an unknown document",
    method: "POST",
    path,
    json: { documentIds: [nobody] },
    ...field("/documentIds/0"),
  },
  {
    what: "metadata that are a list",
    method: "POST",
    path,
    json: { fines: [fine], metadata: [] },
    ...field("/metadata"),
  },
  { what: "truncated JSON", method: "POST", path, text: '{"fines":[', ...json },
  {
    what: "an unknown automation",
    path: `/api/v1/automations/${nobody}`,
    status: 404,
    code: "not_found",
  },
  {
    what: "an invalid id",
    path: "/api/v1/automations/1",
    status: 400,
    code: "invalid_id",
    pointer: "/automationId",
  },
  { what: "an unknown status", path: "/api/v1/automations?status=6", ...field("/status") },
  {
    what: "an unknown parameter",
    path: "/api/v1/automations?plate=1",
    status: 400,
    code: "unknown_parameter",
    pointer: "/plate",
  },
  ...refusedFiles.filter(isQuick).map((file) => ({
    what: `a file: ${file.what}`,
    method: "POST",
    path,
    body: () => formOf(file),
    status: 400,
    code: file.refused!,
    pointer: "/file",
  })),
];

export function formOf({ name = "fine.txt", make }: Pick<Hostile, "name" | "make">): FormData {
  const data = new FormData();
  data.append("file", new File([make()], name));
  return data;
}

const heading = "Aktenzeichen;Kennzeichen;Datum;Uhrzeit;Betrag\n";

/** Useless or hostile lists of fines. Their processing must end. */
export const strangeLists: Hostile[] = [
  { what: "a list with only a heading", name: "a.csv", make: () => heading },
  { what: "a heading that is repeated a thousand times", name: "a.csv", make: () => heading.repeat(1000) },
  { what: "rows of 10,000 cells", name: "a.csv", make: () => `${heading}${`${";".repeat(10_000)}\n`.repeat(50)}` },
  { what: "a row of 5 MB", name: "a.csv", make: () => `${heading}A;${"W".repeat(5_000_000)};14.07.2026;09:42;1\n` },
  {
    what: "an unterminated quote",
    name: "a.csv",
    make: () => `${heading}"A;W 1;14.07.2026;09:42;1\nB;W 2;1;2;3\n`,
  },
  { what: "200,000 rows", name: "a.csv", make: () => heading + "A;W 1;14.07.2026;09:42;1\n".repeat(200_000) },
  { what: "formulas", name: "a.csv", make: () => `${heading}=cmd|' /C calc'!A0;=HYPERLINK("x");@SUM(1);+1;-1\n` },
  { what: "null bytes between its letters", name: "a.csv", make: () => `${heading}A\u0000;W\u00001;14.07.2026;;1\n` },
  { what: "letters of every script", name: "a.csv", make: () => `${heading}Ω≈ç;ÄÖ漢字;14.07.2026;٠٩:٤٢;١\n` },
  { what: "invalid times", name: "a.csv", make: () => `${heading}A;W 1;31.02.2026;25:61;1\nB;W 2;;;\n` },
  {
    what: "a workbook with a cell at its far end",
    name: "a.xlsx",
    make: () => xlsxOf('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'),
  },
];

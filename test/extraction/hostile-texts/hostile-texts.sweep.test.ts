import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { htmlBlocks } from "../../../src/extraction/formats/html.ts";
import { defaultLimits } from "../../../src/extraction/formats/limits.ts";
import { textFormat } from "../../../src/extraction/formats/text-format.ts";
import { Budget, type ExtractionFailureReason } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import { beginningOf } from "../../../src/extraction/statements/index.ts";
import { hostileText } from "./generate.ts";
import { readers, timed } from "./readers.ts";

let out: string;
let gazetteer: GazetteerShards;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});
afterAll(() => rm(out, { recursive: true, force: true }));

const context = {
  company: { names: ["Trans Beispiel"], vatCodes: [], emailDomains: [], country: "DE" },
  today: "2026-11-20",
};

/** Reads a text as an order. Returns the status and the CPU time in seconds. */
async function readOrder(
  text: string,
  name = "order.txt",
): Promise<{ status: string; reason?: ExtractionFailureReason; seconds: number }> {
  const began = process.cpuUsage();
  const { status, reason } = await extractDocument("order", { bytes: new TextEncoder().encode(text), name }, context, {
    gazetteer,
    budget: new Budget(Infinity),
  });
  return { status, ...(reason && { reason }), seconds: secondsSince(began) };
}

function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

const order = (goods: string) =>
  `Transport order 4711\nLoading: 24.11.2026, 04158 Leipzig\nUnloading: 25.11.2026, 53-609 Wroclaw\nGoods: ${goods}\nPrice: 780 EUR\n`;

test.each([
  ["commas", `abc${",".repeat(30)}x`],
  ["blanks and commas", `abc${", ".repeat(40)}x`],
])("goods followed by %s are read in time", async (_, goods) => {
  const { status, seconds } = await readOrder(order(goods));
  expect(status).toBe("Read");
  expect(seconds).toBeLessThan(5);
});

const repeated = (piece: string, letters: number) => piece.repeat(Math.ceil(letters / piece.length));

test.each([
  ["letters and slashes", "a/"],
  ["letters and brackets", "(a"],
  ["headings of stops", "Loading:\n"],
  ["rows of digits", "1 2 3\n"],
])("a text of 95 kB of %s is read in time", async (_, piece) => {
  expect((await readOrder(repeated(piece, 95_000))).seconds).toBeLessThan(6);
});

const lines = (line: (at: number) => string, letters: number) =>
  repeated(Array.from({ length: 1000 }, (_, at) => line(at)).join(""), letters - 100);

test.each([
  ["order.xml", `<a>${lines((at) => `<b>w${at} 04158 Leipzig ${at}</b>`, 2 ** 20).replace(/<[^>]*$/, "")}</a>`],
  ["order.json", JSON.stringify(lines((at) => `04158 Leipzig ${at}\n`, 2 ** 20 - 50_000).split("\n"))],
])("%s of a megabyte is refused in time", async (name, text) => {
  const { status, seconds } = await readOrder(text, name);
  expect(status).toBe("Failed");
  expect(seconds).toBeLessThan(6);
});

const seeds = Array.from({ length: 5 }, (_, at) => at + 1);
const texts = Object.keys(readers).flatMap((reader, at) =>
  seeds.map((seed) => ({ reader, file: hostileText(100 * at + seed, 20_000) })),
);

// bench/hostile-texts.ts reads 2,000 such texts of up to a megabyte.
test.each(texts.map((each) => [each.file.name, each.reader, each.file.shape, each] as const))(
  "%s read as %s (%s) is read or refused in time",
  async (_name, _reader, _shape, { reader, file }) => {
    expect((await timed(reader, file, gazetteer)).seconds).toBeLessThan(5);
  },
);

test("a statement with three hundred columns of numbers is read or refused in time", async () => {
  const row = (day: string) => `${day};${Array.from({ length: 290 }, (_, at) => `${at},37`).join(";")}\n`;
  const bytes = new TextEncoder().encode(row("24.11.2026").repeat(60));
  const { seconds } = await timed("statement of cards", { name: "statement.csv", bytes, shape: "" }, gazetteer);
  expect(seconds).toBeLessThan(5);
});

test("a statement with a row of 340,000 cells is read or refused in time", () => {
  const began = process.cpuUsage();
  beginningOf(`Date;Plate;Amount\n${"a;".repeat(340_000)}`, true, false);
  expect(secondsSince(began)).toBeLessThan(5);
});

test.each([
  ["a sender without an end", `From ${"x".repeat(150_000)}`],
  ["a date without an end", `From: a@b.example\nDate: ${"1".repeat(150_000)}`],
])("%s is classified as a mail in time", (_, text) => {
  const began = process.cpuUsage();
  expect(textFormat(text, "fines.txt")).toBe("Text");
  expect(secondsSince(began)).toBeLessThan(5);
});

const spanning = (rows: number) =>
  `<html><body><table>${Array.from({ length: rows }, (_, at) => `<tr><td colspan=1000 rowspan=1000>w${at}</td><td>x${at}</td></tr>`).join("")}</table>`;

test("cells that span many columns and rows make no endless table, and none of their text is lost", () => {
  const { own } = htmlBlocks(spanning(1000), { limits: defaultLimits, budget: new Budget(Infinity) });
  const cells = own.flatMap((block) => (block.kind === "Table" ? block.rows.flat() : []));
  expect(Math.max(...cells.map(({ column, columns }) => column + columns))).toBeLessThanOrEqual(500);
  const said = JSON.stringify(own).match(/[wx]\d+/g) ?? [];
  expect(said).toEqual(Array.from({ length: 1000 }, (_, at) => [`w${at}`, `x${at}`]).flat());
});

const rtfRow = (edge: number) => `\\trowd\\cellx${edge}\\cellx${edge + 1440}\\intbl tiles\\cell 24 t\\cell\\row\n`;

test.each([
  ["order.html", spanning(12_000)],
  ["order.rtf", `{\\rtf1 ${rtfRow(2_000_000_000)}${rtfRow(1440).repeat(500)}}`],
])("tables of %s are read in time, however many cells they span", async (name, text) => {
  expect((await readOrder(text, name)).seconds).toBeLessThan(5);
});

test("a text of mail addresses and names is read in time", async () => {
  const { seconds } = await readOrder(
    order("tiles") + lines((at) => `Jan Nowak ${at}, Anna Maria Nowak, a${at}bcdef@firma.example\n`, 95_000),
  );
  expect(seconds).toBeLessThan(6);
});

test("a text that is too long is refused at once", async () => {
  const { status, reason, seconds } = await readOrder(order("tiles") + repeated("Goods: tiles, 24 t\n", 2 ** 20));
  expect({ status, reason }).toEqual({ status: "Failed", reason: "too_many_pages" });
  expect(seconds).toBeLessThan(5);
});

test("a mail is read even if the mails that it quotes are too long", async () => {
  const head = "From: dispo@spedition.example\nSubject: Order 4711\nContent-Type: text/plain; charset=utf-8\n\n";
  const { status } = await readOrder(
    head + order("tiles") + repeated("> Are you sure about the tiles on Monday?\n", 200_000),
  );
  expect(status).toBe("Read");
});

import { expect, test } from "vitest";
import { MappingProfile } from "../../../src/areas/opportunities/mapping-profile.ts";
import { PersonFinder } from "../../../src/domain/person.ts";
import fineWords from "../../../src/extraction/lexicon/fine-words.json" with { type: "json" };
import { rangeOf, mentions, type Cue } from "../../../src/extraction/kinds/fine/words.ts";
import { speaksOfInsurance } from "../../../src/extraction/kinds/insurance/words.ts";
import { hiddenSelectors } from "../../../src/extraction/formats/html-style.ts";
import { defaultLimits } from "../../../src/extraction/formats/limits.ts";
import { formatNumber } from "../../../src/extraction/formats/workbook.ts";
import { readXml } from "../../../src/extraction/formats/xml.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { numberingOf } from "../../../src/extraction/quality/numbering.ts";
import { figureIn } from "../../../src/extraction/statements/values.ts";
import { numbersIn } from "../../../src/extraction/fields/labels/numbered.ts";

// Patterns that took exponential or cubic time and were rewritten. They give the same results as before, and end in
// time on hostile texts.

const takesDateFormat = (format: string) => MappingProfile.shape.dateFormat.safeParse(format).success;

test.each([
  ["yyyy-MM-dd", true],
  ["dd.MM.yyyy HH:mm", true],
  ["yyyyMMddHHmmss", true],
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", true],
  ["DD/MM/YYYY", true],
  ["  dd. MM. yyyy", true],
  ["'week' dd", true],
  ["d.M.yy", false],
  ["dd.MM.yyyy 'at", false],
  ["today", false],
  ["--", false],
])("the date format %j is accepted: %s", (format, isTaken) => {
  const before = /^[^a-z']*(?:(?:yyyy|MM|dd|HH|mm|ss|'[^']*')[^a-z']*)+$/i;
  expect(takesDateFormat(format)).toBe(isTaken);
  expect(before.test(format)).toBe(isTaken);
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

test.each([
  ["Jan Kowalski", "Driver: Jan Kowalski, WGM 12345", true],
  ["Jan Kowalski", "Kowalski, Jan", true],
  ["Jan Kowalski", "JAN  KOWALSKI", true],
  ["Jan Kowalski", "Jana Kowalskiego", false],
  ["Jan Kowalski", "Jan Nowak-Kowalski", false],
  ["Jan  Kowalski ", "signed by Jan Kowalski.", true],
  ["Anna Maria Nowak-Zielińska", "Nowak-Zielińska Anna Maria", true],
  ["Anna Maria Nowak-Zielińska", "Anna Maria Nowak-Zielinska", true],
  ["Anna Maria Nowak-Zielińska", "Anna Nowak-Zielińska", false],
  ["Dr. Jan Kowalski", "Dr. Jan Kowalski", true],
  ["Dr. Jan Kowalski", "Jan Kowalski", false],
])("whether %j is mentioned in %j: %s", (name, text, isNamed) => {
  const words = name.trim().split(/[\s,]+/);
  const ways = [words, words.toReversed(), [...words.slice(-1), ...words.slice(0, -1)]].map((order) =>
    order.map(escaped).join("[\\s,.]+"),
  );
  const before = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ways.join("|")})(?![\\p{L}\\p{N}])`, "iu");
  expect(new PersonFinder({ name }).isIn(text)).toBe(isNamed);
  expect(before.test(text.replace("Zielinska", "Zielińska"))).toBe(isNamed);
});

test.each([
  ["1.234,56", { value: 1234.56 }],
  ["-12.50 EUR", { value: -12.5, currency: "EUR" }],
  ["EUR  12,50", { value: 12.5, currency: "EUR" }],
  ["12,50-", { value: -12.5 }],
  ["( 12.50 )", { value: -12.5 }],
  ["512,4\u00a0l", { value: 512.4, unit: "l" }],
  ["- 7", { value: -7 }],
  [",5", { value: 0.5 }],
  ["12.10.2026 08:14", undefined],
  ["Diesel", undefined],
])("the cell %j is the number %j", (cell, figure) => {
  expect(figureIn(cell, ",")).toEqual(figure);
});

test.each([
  ["Nr. / No. 2026-0038817", ["2026-0038817"]],
  ["Order no: BS-26-04711, your ref. 815/26", ["BS-26-04711", "815/26"]],
  ["№ 4711/A.", ["4711/A"]],
  ["No. PL 4711", ["PL 4711"]],
  ["no smoking", []],
  ["Nr Leipzig", []],
])("the numbers in %j are %j", (text, numbers) => {
  expect(numbersIn(text).map((number) => number.text)).toEqual(numbers);
});

test.each([
  ['#,##0.00" kg"', "1.5 kg"],
  ["[$€-407] #,##0.00", "€ 1.5"],
  ["#,##0.00 [$zł-415]", "1.5 zł"],
  ["[$EUR] 0.0", "EUR 1.5"],
  ["[Red]0.0", "1.5"],
])("1.5 in the number format %s is %s", (format, shown) => {
  expect(formatNumber(1.5, format).trim()).toBe(shown);
});

test.each([
  ["<style>.a, #b { display: none } .c { color: red }</style>", [".a", "#b"]],
  ['<style type="text/css">\n.x{display:none}</style><style>.y{DISPLAY : NONE}</style>', [".x", ".y"]],
  ["<style>@media print { .m { display: none } } .n { display: none }</style>", [".n"]],
  ["<style>td.z { display: none } .open { display: none</style>", []],
])("%s hides %j", (html, selectors) => {
  expect([...hiddenSelectors(html)]).toEqual(selectors);
});

test.each([
  ["1 / 3", { page: 1, of: 3 }],
  ["- 2 of 3 -", { page: 2, of: 3 }],
  ["2/3", { page: 2, of: 3 }],
  ["Page 1 of 3", { page: 1, of: 3 }],
  ["24 / 11 / 2026", undefined],
])("the page number in %j is %j", (text, numbering) => {
  expect(numberingOf([{ text, row: 0 }])).toEqual(numbering);
});

const openXml = async (text: string) => {
  const desk = { limits: defaultLimits, budget: new Budget(Infinity) };
  return (await readXml({ bytes: new TextEncoder().encode(text), name: "a.xml" }, desk)).structured;
};

test.each([
  ['<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x"><a>1</a></rsm:CrossIndustryInvoice>', "Cii"],
  ['<!-- a --><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><a>1</a></Invoice>', "Ubl"],
  ['<trips xmlns="https://opentripmodel.org/"><a>1</a></trips>', "Otm"],
  ["<order><a>1</a></order>", "Xml"],
])("%s is %s", async (text, format) => {
  expect((await openXml(text))?.[0]?.format).toBe(format);
});

test.each([
  ["Policy no. 4711", true],
  ["Versicherungsschein", true],
  ["Loading place", false],
])("%j is about insurance: %s", (text, speaks) => {
  expect(speaksOfInsurance(text)).toBe(speaks);
});

const allCues = Object.keys(fineWords) as Cue[];

test("a cue of a fine is found repeatedly, and at the beginning and the end of a text", () => {
  const text = "Pay within 14 days; the deadline for payment is the deadline";
  const cues = ["deadline", "pay"].flatMap((word) => allCues.filter((cue) => mentions(cue, word)));
  for (const cue of cues) {
    const [once, again] = [rangeOf(cue, text), rangeOf(cue, text)];
    expect(again).toEqual(once);
    expect(mentions(cue, text)).toBe(once !== undefined);
    expect(mentions(cue, text)).toBe(mentions(cue, text));
  }
  expect(cues).not.toEqual([]);
});

test.each<[string, () => unknown]>([
  ["a date format of many MM", () => takesDateFormat(`${"MM".repeat(24)}x`)],
  ["a name of full stops", () => new PersonFinder({ name: "Jan . . . . . K" }).isIn(`Jan${" .".repeat(60)}x`)],
  ["number words without end", () => numbersIn(`No${". / No".repeat(8000)}`)],
  ["full stops behind a number word", () => numbersIn(`No${".".repeat(50_000)}x`)],
  ["a page's number of blanks", () => numberingOf([{ text: `${" ".repeat(40_000)}x`, row: 0 }])],
])("%s: ends in time", async (_, run) => {
  const began = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1e6).toBeLessThan(2);
});

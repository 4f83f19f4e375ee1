import { expect, test } from "vitest";
import { bannedNames } from "../../scripts/banned-words.mjs";

const banned = { words: { tiding: "offer notification" }, names: { told: "event" } };

const namesRefusedIn = (text: string, file = "src/a.ts") =>
  bannedNames(banned, [{ file, text }]).map(({ name, instead }) => [name, instead]);

test.each([
  "export const tidingMail = 1;",
  "export async function tidingMail() {}",
  'export { mail as tidingMail } from "./mail.ts";',
  "export {\n  one,\n  tidingMail,\n};",
])("a banned word within an exported name is refused: %s", (text) => {
  expect(namesRefusedIn(text)).toEqual([["tidingMail", "offer notification"]]);
});

test.each(["export interface OldTiding {}", "export type HTTPTiding = string;", "export class Tiding {}"])(
  "a banned word is refused in any case: %s",
  (text) => {
    expect(namesRefusedIn(text)).toHaveLength(1);
  },
);

test("a banned name is refused only as the whole name", () => {
  expect(namesRefusedIn("export const told = 1;\nexport const toldTwice = 2;")).toEqual([["told", "event"]]);
});

test("file names are checked too", () => {
  expect(namesRefusedIn("", "src/tiding-mails.ts")).toEqual([["tiding-mails", "offer notification"]]);
});

test.each([
  "const tiding = 1;",
  "export const glide = 1; // tiding",
  'export const a = "tiding";',
  "export const untidingly = 1;",
])("text that is not a word of an exported name is allowed: %s", (text) => {
  expect(namesRefusedIn(text)).toEqual([]);
});

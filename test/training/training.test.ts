import { expect, test } from "vitest";
import { openDocument, defaultLimits } from "../../src/extraction/formats/open.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { Chance } from "../../training/chance.ts";
import { makeDocument } from "../../training/document.ts";
import type { Made } from "../../training/document.ts";
import { clock, dateIn } from "../../training/figures/dates.ts";
import { layouts } from "../../training/layouts/layouts.ts";
import type { Truth } from "../../training/truth.ts";
import { languages, words } from "../../training/words/words.ts";
import { containerNumber, iban } from "../../training/world/codes.ts";
import { Places } from "../../training/world/places.ts";

/** Places without postal dumps. American towns, which are used here, come from a list. */
const places = new Places("no-dumps-here");
const american = (layout: string, seed: number): Promise<Made> => makeDocument(new Chance(seed), places, "us", layout);

test("the same seed makes the same bytes", async () => {
  const [one, again, other] = await Promise.all([american("docx", 7), american("docx", 7), american("docx", 8)]);
  expect(Buffer.from(one.bytes)).toEqual(Buffer.from(again.bytes));
  expect(Buffer.from(one.bytes)).not.toEqual(Buffer.from(other.bytes));
});

test.each(Object.keys(layouts))("the layout %s prints the values of its truth", async (layout) => {
  for (const seed of [3, 4, 5, 6]) {
    const made = await american(layout, seed);
    const printed = await textOf(made);
    for (const truth of [made.truth].flat())
      for (const word of printedWords(truth)) expect(printed).toContain(tight(word));
  }
});

async function textOf({ bytes, extension }: Made): Promise<string> {
  const opened = await openDocument({ bytes, name: `order.${extension}` }, defaultLimits, new Budget(20_000));
  const tokens = opened.parts.flatMap(({ pages }) => pages.flatMap((page) => page.tokens.map((token) => token.text)));
  return tight(tokens.join(""));
}

/**
 * Returns the values of the truth that the document prints unchanged, by words, because columns side by side interrupt
 * values of several lines.
 */
function printedWords({ orderNumber, locations, trailersLicensePlates }: Truth): string[] {
  const stops = locations as { name?: string; street?: string; city: string; postalCode: string }[];
  return [
    orderNumber as string,
    ...(trailersLicensePlates as string[]),
    ...stops.flatMap(({ name = "", street = "", city, postalCode }) => [name, street, city, postalCode]),
  ].flatMap((value) => value.split(" "));
}

const tight = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

test("every language has all required words", () => {
  const labels = Object.keys(words("en").labels).toSorted();
  for (const language of languages) {
    const table = words(language);
    expect([language, Object.keys(table.labels).toSorted()]).toEqual([language, labels]);
    for (const list of [...Object.values(table.labels), ...Object.values(table.goods), ...Object.values(table.prose)]) {
      expect([language, list.length > 0 && list.every((word) => word !== "")]).toEqual([language, true]);
    }
  }
});

test("container and account numbers have valid check digits", () => {
  const values: Record<string, number> = {};
  let next = 10;
  for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
    if (next % 11 === 0) next++;
    values[letter] = next++;
  }
  for (let seed = 0; seed < 50; seed++) {
    const number = containerNumber(new Chance(seed));
    const sum = Array.from(number.slice(0, 10)).reduce(
      (total, sign, at) => total + (values[sign] ?? Number(sign)) * 2 ** at,
      0,
    );
    expect(Number(number[10])).toBe((sum % 11) % 10);
    const account = iban(new Chance(seed), "PL").replaceAll(" ", "");
    const turned = [...(account.slice(4) + account.slice(0, 4))]
      .map((sign) => (/\d/.test(sign) ? sign : sign.charCodeAt(0) - 55))
      .join("");
    expect(BigInt(turned) % 97n).toBe(1n);
  }
});

test("dates and times follow their patterns", () => {
  expect(dateIn("EEEE, dd.MM.yyyy", "2026-11-24", "de")).toBe("Dienstag, 24.11.2026");
  expect(dateIn("d de MMMM de yyyy", "2026-11-04", "es")).toBe("4 de noviembre de 2026");
  expect(dateIn("yyyy m. MMMM d 'd'.", "2026-11-24", "lt")).toBe("2026 m. lapkričio 24 d.");
  expect(dateIn("yyyy. gada d. MMMM", "2026-11-24", "lv")).toBe("2026. gada 24. novembris");
  expect(clock("h:mm a", 15 * 60 + 5)).toBe("3:05 PM");
  expect(clock("HHhmm", 8 * 60)).toBe("08h00");
  expect(clock("Hh", 8 * 60 + 30)).toBe("8h30");
});

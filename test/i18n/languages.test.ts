import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { languageCodes, messagesIn } from "../../src/i18n/language.ts";
import { messagesModule } from "../../scripts/languages.ts";

test("`messages.ts` imports every language file", async () => {
  const { path, text } = await messagesModule();
  expect(await readFile(path, "utf8"), "run `npm run languages`").toBe(text);
});

const texts = (messages: object, path: string[] = []): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]: [string, string | object]) =>
    typeof value === "string" ? [[[...path, key].join("."), value]] : texts(value, [...path, key]),
  );
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join();

describe.each(languageCodes)("%s", (code) => {
  const own = texts(messagesIn(code));

  test("has every text, with every placeholder", () => {
    const english = texts(messagesIn("en"));
    expect(own.map(([key, text]) => [key, placeholders(text)])).toEqual(
      english.map(([key, text]) => [key, placeholders(text)]),
    );
  });

  test("has no empty text, and no text with leading or trailing space", () => {
    expect(own.filter(([, text]) => text.trim() === "" || text !== text.trim())).toEqual([]);
  });
});

import type { Chance } from "../chance.ts";
import type { Made } from "../document.ts";
import type { Firm } from "../world/firms.ts";
import type { Places } from "../world/places.ts";
import { quoteLayouts } from "./layouts.ts";
import { makeQuote, quoteLanguages, quoteTruth, quoteWords, type Quote } from "./quote.ts";

/** The fields that a layout does not print, by layout. */
const omittedFields: Record<string, readonly (keyof Quote)[]> = {
  note: ["number", "ldm", "full", "term"],
  sheet: ["full"],
  list: ["full"],
};

/**
 * Generates a file of requests in the given language, with their expected extraction. `name` is the name of the layout.
 */
export async function makeQuoteDocument(chance: Chance, places: Places, language: string, name: string): Promise<Made> {
  const layout = quoteLayouts[name];
  if (!layout) throw new RangeError(`There is no layout ${name} for requests.`);
  const written = quoteLanguages.includes(language) ? language : "en";
  const words = quoteWords(written);
  let asker: Firm | undefined;
  const quotes = Array.from({ length: layout.count?.(chance) ?? 1 }, (_, at) => {
    const quote = makeQuote(chance.fork(`quote ${at}`), places, written, asker);
    asker ??= quote.asker;
    for (const field of omittedFields[name] ?? []) delete quote[field];
    return quote;
  });
  const truths = quotes.map((quote) => quoteTruth(quote, layout.short));
  return {
    bytes: await layout.set(quotes, words, chance.fork("set")),
    extension: layout.extension,
    language: written,
    truth: (truths.length === 1 ? truths[0] : truths) as Made["truth"],
  };
}

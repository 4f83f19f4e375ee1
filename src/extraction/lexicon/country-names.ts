import codes from "i18n-iso-countries/codes.json" with { type: "json" };
import el from "i18n-iso-countries/langs/el.json" with { type: "json" };
import no from "i18n-iso-countries/langs/no.json" with { type: "json" };
import sr from "i18n-iso-countries/langs/sr.json" with { type: "json" };
import tr from "i18n-iso-countries/langs/tr.json" with { type: "json" };
import { wordsByLanguage } from "./languages.ts";

const all: Record<string, Readonly<Record<string, string | string[]>>> = {
  ...wordsByLanguage("countryNames"),
  ...Object.fromEntries([el, no, sr, tr].map(({ locale, countries }) => [locale, countries])),
};
/** English first: where languages name two countries alike, its name counts. */
const order = [
  "en",
  ...Object.keys(all)
    .filter((language) => language !== "en")
    .toSorted(),
];

/** Alpha-3 to alpha-2, and [alpha-2, names] of every language. */
export const countryNames: { codes: Record<string, string>; names: [string, string[]][] } = {
  codes: Object.fromEntries(codes.map(([two, three]) => [three as string, two as string])),
  names: order.flatMap((language) =>
    Object.entries(all[language]!).map(([code, names]): [string, string[]] => [code, [names].flat()]),
  ),
};

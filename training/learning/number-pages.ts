import { basename, join } from "node:path";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import type { JudgedNumber } from "../../src/extraction/fields/numbers/features.ts";
import { numbersWithOwners } from "../../src/extraction/fields/numbers/numbers.ts";
import { analyseTransport, routedBySequence } from "../../src/extraction/kinds/transport.ts";
import { casesOf, truthOf } from "./read-set.ts";
import { orderIn } from "./annotated-files.ts";

/** The numbers of one order, and for each what it stands for by the truth. */
export interface NumberPage {
  file: string;
  /** The folder of the file. */
  group: string;
  numbers: (Pick<JudgedNumber, "features" | "text"> & { uses: string[] })[];
}

interface Truth {
  orderNumber?: string | null;
  referenceNumber?: string | null;
  locations?: { refrenceNumbers?: string[] | null }[];
}

const nobody = { names: [], vatCodes: [], emailDomains: [] };
const today = "2026-11-20";

/** Loads the orders of sets. Files with several orders are skipped. */
export async function numberPagesOf(folders: readonly string[], gazetteer: GazetteerShards): Promise<NumberPage[]> {
  const pages: NumberPage[] = [];
  for (const folder of folders)
    for (const one of casesOf(folder)) {
      const truth = truthOf(folder, one);
      if (one.kind !== "order" || Array.isArray(truth)) continue;
      const { document, locale, mail } = await orderIn(join(folder, one.file), gazetteer);
      const { route } = routedBySequence(analyseTransport(document, locale, { company: nobody, today }, mail));
      const usesOf = usesBy(truth as Truth);
      const numbers = numbersWithOwners(document, route).map(({ features, text }) => ({
        features,
        text,
        uses: usesOf(text),
      }));
      pages.push({ file: one.file, group: basename(folder), numbers });
    }
  return pages;
}

const tight = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function usesBy({ orderNumber, referenceNumber, locations = [] }: Truth): (text: string) => string[] {
  const own = new Set((orderNumber ? [orderNumber] : []).map(tight));
  const references = new Set((referenceNumber?.split(/[,;]/u) ?? []).map(tight));
  const atStops = new Set(locations.flatMap(({ refrenceNumbers }) => refrenceNumbers ?? []).map(tight));
  return (text) => {
    const letters = tight(text);
    return [
      ...(own.has(letters) ? ["order"] : []),
      ...(references.has(letters) ? ["reference"] : []),
      ...(atStops.has(letters) ? ["stop"] : []),
    ];
  };
}

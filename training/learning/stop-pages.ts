import { join } from "node:path";
import { foldName } from "../../src/extraction/lexicon/fold.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import { analyseTransport, stopContextOf } from "../../src/extraction/kinds/transport.ts";
import type { Address } from "../../src/extraction/fields/addresses/address.ts";
import type { Part } from "../../src/extraction/fields/route/sequence.ts";
import { stopItemsOf, type StopItem } from "../../src/extraction/fields/route/stop-items.ts";
import { casesOf, truthOf } from "./read-set.ts";
import { orderIn } from "./annotated-files.ts";

/** The addresses of one order, and for each the parts (such as "Loading") that the truth allows. */
export interface StopPage {
  file: string;
  items: StopItem[];
  allowed: ReadonlySet<Part>[];
}

interface Place {
  type?: Part;
  postalCode?: string | null;
  city?: string | null;
  street?: string | null;
  name?: string | null;
}

interface Truth {
  locations?: Place[];
  customer?: Place;
  carrier?: Place;
  payer?: Place;
}

const nobody = { names: [], vatCodes: [], emailDomains: [] };
const today = "2026-11-20";

/** Loads the orders of generated sets. Files with several orders, or with fewer than two addresses, are skipped. */
export async function stopPagesOf(folders: readonly string[], gazetteer: GazetteerShards): Promise<StopPage[]> {
  const pages: StopPage[] = [];
  for (const folder of folders)
    for (const one of casesOf(folder)) {
      const truth = truthOf(folder, one);
      if (one.kind !== "order" || Array.isArray(truth)) continue;
      const { document, locale, mail } = await orderIn(join(folder, one.file), gazetteer);
      const transport = analyseTransport(document, locale, { company: nobody, today }, mail);
      const items = stopItemsOf(stopContextOf(transport));
      if (items.length > 1) pages.push({ file: one.file, items, allowed: partsBy(items, truth as Truth) });
    }
  return pages;
}

/**
 * Finds the allowed parts of each address. An address that matches several stops or parties may be any of them. One that
 * names its stop less exactly than another address may also be outside the route.
 */
function partsBy(items: readonly StopItem[], { locations = [], customer, carrier, payer }: Truth): Set<Part>[] {
  const companies = [customer, carrier, payer].flatMap((each) => each ?? []);
  const fits = items.map(({ address }) => best(locations, address));
  const richest = new Map(
    locations.map((place) => [
      place,
      Math.max(0, ...items.map(({ address }, at) => (fits[at]!.includes(place) ? exactness(place, address) : 0))),
    ]),
  );
  return items.map(({ address }, at) => {
    const here = fits[at]!;
    const owned = best(companies, address).length > 0;
    const bettered = here.every((place) => exactness(place, address) < richest.get(place)!);
    return new Set<Part>([
      ...here.map(({ type = "Stop" }) => type),
      ...(owned || bettered ? ["Outside" as const] : []),
    ]);
  });
}

/** Counts the parts of the address that are those of the place. */
function exactness(place: Place, { place: { entity }, street, name }: Address): number {
  const { postalCode } = entity.value;
  return (
    (place.postalCode && postalCode && sameCode(place.postalCode, postalCode) ? 1 : 0) +
    (street && within(place.street, street.text) ? 1 : 0) +
    (name && within(place.name, name.text) ? 1 : 0)
  );
}

/**
 * Finds the places with the address's postal code or town; if some of them also have its street or name, only those.
 */
function best(places: readonly Place[], { place, street, name }: Address): Place[] {
  const { postalCode, city, normalizedCity } = place.entity.value;
  const here = places.filter((each) =>
    each.postalCode && postalCode
      ? sameCode(each.postalCode, postalCode)
      : same(each.city, city) || same(each.city, normalizedCity),
  );
  const closer = here.filter(
    (each) => (street && within(each.street, street.text)) || (name && within(each.name, name.text)),
  );
  return closer.length > 0 ? closer : here;
}

const tight = (text: string) => foldName(text).replace(/[^\p{L}\p{N}]/gu, "");
/** "LV-1005" is "1005". */
const digitsOf = (code: string) => tight(code).replace(/^\p{L}{1,2}(?=\d{3})/u, "");
const sameCode = (one: string, other: string) => digitsOf(one) === digitsOf(other);
const same = (one: string | null | undefined, other: string | undefined) =>
  Boolean(one && other && tight(one) === tight(other));
const within = (one: string | null | undefined, other: string) =>
  Boolean(one && (tight(other).includes(tight(one)) || tight(one).includes(tight(other))));

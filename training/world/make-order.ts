import type { Chance } from "../chance.ts";
import { words } from "../words/words.ts";
import { daysAfter, window, workday } from "./calendar.ts";
import { containerNumber, orderNumber, plate, reference } from "./codes.ts";
import { country } from "./countries.ts";
import { driver, firm, person, street } from "./firms.ts";
import type { Firm } from "./firms.ts";
import type { GoodsKind, Handling, Load, Order, Price, Stop } from "./order.ts";
import type { Places } from "./places.ts";

/** Home countries of senders by language, and destinations of their transports. */
const HOMES: Record<string, { home: string[]; abroad: string[] }> = {
  pl: { home: ["PL"], abroad: ["DE", "CZ", "FR", "LT", "IT", "NL", "SE", "HU"] },
  de: { home: ["DE", "DE", "DE", "AT"], abroad: ["AT", "PL", "FR", "IT", "NL", "CH", "CZ", "BE", "SI"] },
  en: {
    home: ["GB", "GB", "IE", "NL", "SE", "DK", "HR", "BG"],
    abroad: ["GB", "DE", "FR", "PL", "IT", "BE", "ES", "SE"],
  },
  us: { home: ["US"], abroad: ["US"] },
  lt: { home: ["LT"], abroad: ["PL", "DE", "LV", "EE", "SE", "FR", "NL"] },
  fr: { home: ["FR", "FR", "FR", "BE"], abroad: ["ES", "BE", "DE", "IT", "PT", "NL", "GB"] },
  es: { home: ["ES"], abroad: ["FR", "PT", "DE", "IT", "NL"] },
  it: { home: ["IT"], abroad: ["DE", "FR", "AT", "SI", "PL", "ES"] },
  cs: { home: ["CZ"], abroad: ["DE", "SK", "PL", "AT", "IT", "HU"] },
  sk: { home: ["SK"], abroad: ["CZ", "HU", "DE", "AT", "PL"] },
  ro: { home: ["RO"], abroad: ["HU", "DE", "IT", "AT", "BG", "FR"] },
  hu: { home: ["HU"], abroad: ["DE", "AT", "RO", "SK", "IT", "PL"] },
  nl: { home: ["NL", "NL", "BE"], abroad: ["DE", "BE", "FR", "GB", "PL", "IT"] },
  pt: { home: ["PT"], abroad: ["ES", "FR", "DE", "IT"] },
  lv: { home: ["LV"], abroad: ["LT", "EE", "PL", "DE", "SE", "FI"] },
  et: { home: ["EE"], abroad: ["LV", "LT", "FI", "PL", "DE", "SE"] },
  uk: { home: ["UA"], abroad: ["PL", "DE", "RO", "SK", "HU", "LT"] },
  ru: { home: ["RU", "RU", "LT", "LV"], abroad: ["RU", "LT", "PL", "LV", "DE"] },
};
const HAULIER_HOMES = ["PL", "LT", "RO", "CZ", "SK", "HU", "DE", "LV", "BG", "SI"];
const INCOTERMS = ["EXW", "FCA", "DAP", "CPT", "DDP", "CIP"];
const CONTAINER_TYPES = ["20DV", "40DV", "40HC", "45HC"];
/** Frequency of routes by number of loadings and unloadings. */
const ROUTES = { "1-1": 55, "2-1": 12, "1-2": 13, "1-3": 10, "2-2": 10 };
const LATEST_DAY = "2026-11-20";

/** Restrictions on an order. */
export interface Limits {
  /** Whether the order has one loading, one unloading and no container, so that it fits into a table row. */
  pair?: boolean;
  /** The customer, if all orders of a file have the same. */
  customer?: Firm;
}

/** Generates an order in the given language. */
export function makeOrder(chance: Chance, places: Places, language: string, limits: Limits = {}): Order {
  const { home, abroad } = HOMES[language]!;
  const homeCode = limits.customer?.place.country ?? chance.pick(home);
  const customer = limits.customer ?? withPerson(chance, firm(chance, places, homeCode, "forwarder"), 0.07);
  const carrierCode = language !== "us" && chance.happens(0.3) ? chance.pick(HAULIER_HOMES) : homeCode;
  const carrier = chance.maybe(0.88, () => withPerson(chance, firm(chance, places, carrierCode, "haulier"), 0.25));
  const kind = chance.weighted<GoodsKind>({ dry: 66, cool: 17, frozen: 9, dangerous: 8 });
  const date = daysAfter(LATEST_DAY, -chance.between(0, 75));
  const container =
    limits.pair || language === "us"
      ? undefined
      : chance.maybe(0.06, () => ({ number: containerNumber(chance), type: chance.pick(CONTAINER_TYPES) }));
  const where = (): string => (chance.happens(language === "us" ? 0 : 0.55) ? chance.pick(abroad) : homeCode);
  const stops =
    limits.pair || container
      ? pair(chance, places, date, where)
      : route(chance, places, date, where, language !== "us");
  loadUp(chance, stops, language, kind);
  if (container) returnEmpty(chance, places, stops);
  const tractor = chance.maybe(0.82, () => plate(chance, carrierCode, "tractor"));
  return {
    language,
    number: orderNumber(chance),
    date,
    reference: chance.maybe(0.3, () => reference(chance)),
    customer,
    carrier,
    payer: chance.maybe(0.08, () => firm(chance, places, chance.pick(home), "forwarder")),
    stops,
    handling: handling(chance, kind, language),
    price: price(chance, language, homeCode, stops),
    trailerType: chance.maybe(0.85, () => trailerType(chance, kind, language)),
    tractorPlate: tractor,
    trailerPlate: tractor && chance.maybe(0.85, () => plate(chance, carrierCode, "trailer")),
    driver: carrier && chance.maybe(0.6, () => driver(chance, carrierCode)),
    ...papers(chance, customer),
    cargoValue: chance.maybe(0.12, () => chance.stepped(8000, 180_000, 500)),
    incoterms: chance.maybe(language === "us" ? 0.02 : 0.12, () => chance.pick(INCOTERMS)),
    distance: language === "us" ? undefined : chance.maybe(0.15, () => chance.between(180, 2400)),
    container,
  };
}

/** Adds a contact person. `brief` is how often documents leave out the address. */
function withPerson(chance: Chance, of: Firm, brief: number): Firm {
  return { ...of, person: chance.maybe(0.85, () => person(chance, of)), brief: chance.happens(brief) };
}

function papers(chance: Chance, { domain }: Firm): Pick<Order, "documents" | "link" | "invoiceEmail"> {
  const documents = (["Email", "OriginalByPost", "PortalUpload"] as const).filter((way) =>
    chance.happens({ Email: 0.4, OriginalByPost: 0.4, PortalUpload: 0.08 }[way]),
  );
  return {
    documents,
    link: documents.includes("PortalUpload")
      ? `https://portal.${domain}/${chance.pick(["docs", "upload", "pod"])}`
      : undefined,
    invoiceEmail: chance.maybe(
      0.45,
      () => `${chance.pick(["invoices", "faktury", "rechnung", "accounting", "billing", "invoice"])}@${domain}`,
    ),
  };
}

function makeStop(chance: Chance, places: Places, type: Stop["type"], code: string, day: string): Stop {
  const { name, place } = firm(chance, places, code, type === "Customs" ? "forwarder" : "shipper");
  const references = chance.happens(0.55) ? [reference(chance)] : [];
  if (references.length > 0 && chance.happens(0.12)) references.push(reference(chance));
  return { type, name, street: street(chance, code), place, window: window(chance, workday(day)), references };
}

function pair(chance: Chance, places: Places, date: string, where: () => string): Stop[] {
  const first = daysAfter(date, chance.between(1, 6));
  return [
    makeStop(chance, places, "Loading", where(), first),
    makeStop(chance, places, "Unloading", where(), daysAfter(first, chance.between(1, 4))),
  ];
}

function route(chance: Chance, places: Places, date: string, where: () => string, abroad: boolean): Stop[] {
  const [loadings = 1, unloadings = 1] = chance.weighted(ROUTES).split("-").map(Number);
  const types: Stop["type"][] = [
    ...Array<"Loading">(loadings).fill("Loading"),
    ...Array<"Unloading">(unloadings).fill("Unloading"),
  ];
  if (abroad && chance.happens(0.1)) types.splice(loadings, 0, "Customs");
  const stops: Stop[] = [];
  let day = daysAfter(date, chance.between(1, 6));
  for (const type of types) {
    stops.push(makeStop(chance, places, type, where(), day));
    day = daysAfter(
      stops.at(-1)!.window.lastDay ?? stops.at(-1)!.window.day,
      chance.between(type === "Loading" ? 0 : 1, 2),
    );
  }
  return stops;
}

function returnEmpty(chance: Chance, places: Places, stops: Stop[]): void {
  if (!chance.happens(0.5)) return;
  const from = stops[0]!.place.country;
  const last = stops.at(-1)!.window;
  stops.push({
    ...makeStop(chance, places, "EmptyReturn", from, daysAfter(last.lastDay ?? last.day, 1)),
    references: [],
  });
}

/**
 * Assigns goods to every loading. If there is one loading and several unloadings, each unloading sometimes states its
 * share.
 */
function loadUp(chance: Chance, stops: Stop[], language: string, kind: GoodsKind): void {
  const names = words(language).goods[kind];
  const metric = language !== "us";
  const loadings = stops.filter((stop) => stop.type === "Loading");
  for (const stop of loadings) stop.load = load(chance, chance.pick(names).split(", UN")[0]!, loadings.length, metric);
  const unloadings = stops.filter((stop) => stop.type === "Unloading");
  const [only] = loadings;
  const pallets = only?.load?.pallets;
  if (loadings.length !== 1 || unloadings.length < 2 || !pallets || pallets < 6 || chance.happens(0.4)) return;
  const part = Math.floor(pallets / unloadings.length);
  unloadings.forEach((stop, at) => {
    const share = at === unloadings.length - 1 ? pallets - part * at : part;
    stop.load = { weight: Math.round((only.load!.weight * share) / pallets), pallets: share };
  });
}

function load(chance: Chance, goods: string, parts: number, metric: boolean): Load {
  const most = Math.floor(33 / parts);
  const pallets = chance.maybe(0.8, () => (chance.happens(0.4) ? most : chance.between(1, most)));
  const heaviest = Math.floor(24_500 / parts);
  const weight = chance.happens(0.6) ? chance.stepped(400, heaviest, 100) : chance.between(250, heaviest);
  return {
    goods,
    weight,
    pallets,
    packages: chance.maybe(pallets ? 0.12 : 0.6, () => chance.between(8, 1200)),
    ldm: chance.maybe(metric ? 0.4 : 0, () =>
      pallets ? Math.round(pallets * 4.12) / 10 : chance.stepped(1, 13, 1) + 0.6,
    ),
    volume: chance.maybe(metric ? 0.1 : 0, () => chance.between(8, 88)),
    dimensions: chance.maybe(metric ? 0.08 : 0, () => ({ length: 120, width: 80, height: chance.stepped(90, 240, 5) })),
  };
}

function handling(chance: Chance, kind: GoodsKind, language: string): Handling {
  const chilled = kind === "cool" || kind === "frozen";
  const low = kind === "frozen" ? -chance.between(18, 25) : chance.between(0, 8);
  const code =
    kind === "dangerous" ? chance.pick(words(language).goods.dangerous).split(", ").slice(1).join(", ") : undefined;
  const dry = kind === "dry" ? chance.maybe(0.12, () => ({ tells: false })) : undefined;
  return {
    temperature: chilled ? { from: low, to: chance.maybe(0.7, () => low + chance.between(2, 4)) } : undefined,
    continuous: chilled ? chance.maybe(0.3, () => true) : undefined,
    adr: code ? { tells: true, code } : dry,
    exchange: chance.maybe(language === "us" ? 0.05 : 0.35, () => chance.happens(0.4)),
    stackable: chance.maybe(0.1, () => chance.happens(0.3)),
  };
}

function trailerType(chance: Chance, kind: GoodsKind, language: string): string {
  if (kind === "cool" || kind === "frozen") return "2";
  const usual = Object.keys(words(language).trailers).filter((id) => id !== "2");
  return chance.pick(usual.includes("3") && chance.happens(0.5) ? ["3"] : usual);
}

function price(chance: Chance, language: string, home: string, stops: Stop[]): Price {
  const { currency } = country(home);
  const domestic = stops.every((stop) => stop.place.country === home);
  const rate: Record<string, number> = { PLN: 4, CZK: 25, HUF: 390, RUB: 95, UAH: 45, SEK: 11, DKK: 7, RON: 5 };
  const chosen = domestic && chance.happens(0.75) ? currency : ["USD", "GBP"].includes(currency) ? currency : "EUR";
  const base = chance.stepped(280, 3400, 10) * (rate[chosen] ?? 1) + (chance.happens(0.1) ? 0.5 : 0);
  const extra = chance.happens(language === "us" ? 0.5 : 0.15);
  const type = language !== "us" && chance.happens(0.5) ? "Toll" : "FuelSurcharge";
  return {
    base,
    charges: extra ? [{ type, amount: Math.round(base * chance.between(3, 14)) / 100 }] : [],
    currency: chosen,
    days: chance.maybe(0.93, () => chance.pick([14, 21, 30, 30, 45, 45, 60, 60, 75])),
    method: chance.maybe(0.45, () => (chance.happens(0.93) ? "BankTransfer" : "Cash")),
  };
}

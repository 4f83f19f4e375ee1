import type { Chance } from "../chance.ts";
import { daysAfter } from "../world/calendar.ts";
import { plate, reference } from "../world/codes.ts";
import { country } from "../world/countries.ts";
import { firm, type Firm } from "../world/firms.ts";
import { makeOrder } from "../world/make-order.ts";
import type { Places } from "../world/places.ts";
import type { Wording } from "./words.ts";

/** One charged item. */
export interface Charge {
  description: string;
  quantity: number;
  unit: string;
  price: number;
  net: number;
  tax: number;
  gross: number;
}

/** A synthetic invoice. */
export interface Invoice {
  credit: boolean;
  number: string;
  issued: string;
  sold: string;
  due: string;
  days: number;
  seller: Firm;
  buyer: Firm;
  iban: string;
  currency: string;
  /** VAT rate in percent; 0 for reverse charge between countries. */
  rate: number;
  lines: Charge[];
  net: number;
  tax: number;
  gross: number;
  orders: string[];
  plates: string[];
}

const NUMBERS = [
  "FV/###/##/2026",
  "2026-####",
  "RE-2026-####",
  "####/2026",
  "26/####",
  "INV-######",
  "2026#####",
  "@@ ######",
  "F26-####",
  "###/11/26",
];
/** Standard VAT rates in percent, by country. A country that is not listed gets 20 %. */
const RATES: Record<string, number> = {
  PL: 23,
  DE: 19,
  LT: 21,
  LV: 21,
  EE: 22,
  CZ: 21,
  SK: 23,
  HU: 27,
  RO: 19,
  NL: 21,
  BE: 21,
  ES: 21,
  IT: 22,
  PT: 23,
  SE: 25,
  DK: 25,
  HR: 25,
  US: 0,
  IE: 23,
};

/** IBAN lengths by country. A country that is not listed gets 24. */
const ACCOUNTS: Record<string, number> = {
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  DE: 22,
  DK: 18,
  EE: 20,
  FI: 18,
  FR: 27,
  GB: 22,
  HR: 21,
  HU: 28,
  IE: 22,
  IT: 27,
  LT: 20,
  LV: 21,
  NL: 18,
  PL: 28,
  PT: 25,
  SI: 19,
  UA: 29,
};

/** Generates an IBAN with a valid checksum, printed in groups of four. */
function account(chance: Chance, home: string): string {
  const code = home === "US" || home === "RU" ? "LT" : home;
  const places = chance.code("#".repeat((ACCOUNTS[code] ?? 24) - 4));
  const figures = [...`${places}${code}00`].map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55)));
  const check = String(98n - (BigInt(figures.join("")) % 97n)).padStart(2, "0");
  return `${code}${check}${places}`.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

export const cents = (amount: number): number => Math.round(amount * 100) / 100;

export function rateOf(code: string): number {
  return RATES[code] ?? 20;
}

/** Generates the carrier's invoice for up to three orders. */
export function makeInvoice(chance: Chance, places: Places, language: string, words: Wording): Invoice {
  const orders = Array.from({ length: chance.weighted({ 1: 60, 2: 25, 3: 15 }) ? chance.between(1, 3) : 1 }, (_, at) =>
    makeOrder(chance.fork(`order ${at}`), places, language, { pair: true }),
  );
  const [first] = orders;
  const buyer = first!.customer;
  const seller = first!.carrier ?? firm(chance, places, buyer.place.country, "haulier");
  const home = seller.place.country;
  const rate = home === buyer.place.country ? rateOf(home) : 0;
  const credit = chance.happens(0.08);
  const sign = credit ? -1 : 1;
  const charges = orders.flatMap((order) => {
    const [a, b] = [order.stops[0]!.place.city, order.stops.at(-1)!.place.city];
    const freight = charge(
      `${words.word("freight", { a, b })}, ${words.word("order", { no: order.number })}`,
      1,
      words.word("piece"),
      order.price.base * sign,
      rate,
    );
    const waiting = chance.maybe(0.3, () =>
      charge(
        words.word("waiting", { a: b }),
        chance.between(2, 6),
        words.word("hour"),
        chance.stepped(25, 60, 5) * sign,
        rate,
      ),
    );
    return waiting ? [freight, waiting] : [freight];
  });
  const net = cents(charges.reduce((sum, line) => sum + line.net, 0));
  const tax = cents((net * rate) / 100);
  const issued = daysAfter(first!.date, chance.between(2, 12));
  const days = chance.pick([7, 14, 30, 30, 45, 60]);
  return {
    credit,
    number: chance.code(chance.pick(NUMBERS)),
    issued,
    sold: daysAfter(issued, -chance.between(0, 5)),
    due: daysAfter(issued, days),
    days,
    seller,
    buyer,
    iban: account(chance, home),
    currency: first!.price.currency,
    rate,
    lines: charges,
    net,
    tax,
    gross: cents(net + tax),
    orders: orders.map(({ number }) => number),
    plates: chance.happens(0.5) ? [plate(chance, home, "tractor"), plate(chance, home, "trailer")] : [],
  };
}

function charge(description: string, quantity: number, unit: string, price: number, rate: number): Charge {
  const net = cents(quantity * price);
  const tax = cents((net * rate) / 100);
  return { description, quantity, unit, price, net, tax, gross: cents(net + tax) };
}

/** A synthetic receipt for something that a driver paid. */
export interface Receipt {
  number: string;
  day: string;
  /** Minutes after midnight. */
  clock: number;
  merchant: Firm;
  currency: string;
  rate: number;
  items: { description: string; quantity: number; price: number; gross: number; unit: string }[];
  net: number;
  tax: number;
  gross: number;
  plate?: string;
  card?: string;
  odometer?: number;
}

export function makeReceipt(chance: Chance, places: Places, language: string, words: Wording): Receipt {
  const home = makeOrder(chance.fork("home"), places, language, { pair: true }).customer.place.country;
  const merchant = firm(chance, places, home, "shipper");
  const unit = words.word("litre");
  const item = (description: string, quantity: number, price: number, of: string) => ({
    description,
    quantity,
    price,
    gross: cents(quantity * price),
    unit: of,
  });
  const litres = () => chance.between(12_000, 61_000) / 100;
  const fuel = () => [
    item(words.word("fuel"), litres(), chance.between(1290, 1890) / 1000, unit),
    ...(chance.happens(0.5)
      ? [item(words.word("adblue"), chance.between(1500, 6000) / 100, chance.between(690, 990) / 1000, unit)]
      : []),
  ];
  const one = (of: "parking" | "wash" | "toll" | "coffee") =>
    item(
      words.word(of),
      1,
      chance.stepped(of === "coffee" ? 2 : 15, of === "coffee" ? 5 : 120, 1),
      words.word("piece"),
    );
  const kind = chance.weighted({ fuel: 50, parking: 15, wash: 15, toll: 10 });
  const items = kind === "fuel" ? fuel() : [one(kind), ...(chance.happens(0.3) ? [one("coffee")] : [])];
  const gross = cents(items.reduce((sum, { gross: each }) => sum + each, 0));
  const rate = rateOf(home) || 7;
  const net = cents(gross / (1 + rate / 100));
  const withCard = chance.happens(0.6);
  return {
    number: chance.code(chance.pick(["####-####", "######", "##/#####", "@#######", reference(chance)])),
    day: daysAfter("2026-11-18", -chance.between(0, 60)),
    clock: chance.between(301, 1420),
    merchant,
    currency: country(home).currency,
    rate,
    items,
    net,
    tax: cents(gross - net),
    gross,
    plate: chance.maybe(0.6, () => plate(chance, home, "tractor")),
    ...(withCard && { card: chance.code("####") }),
    odometer: chance.maybe(0.4, () => chance.between(120_000, 899_000)),
  };
}

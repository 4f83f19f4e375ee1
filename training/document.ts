import type { Chance } from "./chance.ts";
import { layouts } from "./layouts/layouts.ts";
import { noisy } from "./noise.ts";
import { makeSheet } from "./sheet/make-sheet.ts";
import { truthOf } from "./truth.ts";
import type { Truth } from "./truth.ts";
import { Voice } from "./voice.ts";
import type { Firm } from "./world/firms.ts";
import { daysAfter } from "./world/calendar.ts";
import { makeOrder } from "./world/make-order.ts";
import type { Order, Stop } from "./world/order.ts";
import type { Places } from "./world/places.ts";

/** Languages whose forms sometimes repeat every label in English. */
const BILINGUAL = ["pl", "de", "lt", "fr"];

export interface Made {
  bytes: Uint8Array;
  extension: string;
  language: string;
  truth: Truth | Truth[];
}

/** Generates one file in the given language and layout, with its expected extraction. */
export async function makeDocument(
  chance: Chance,
  places: Places,
  language: string,
  layoutName: string,
): Promise<Made> {
  const layout = layouts[layoutName];
  if (!layout) throw new RangeError(`There is no layout ${layoutName}; known are ${Object.keys(layouts).join(", ")}.`);
  const orders = makeOrders(chance, places, language, layout.orders?.(chance) ?? 1, layout.pair === true);
  const second = BILINGUAL.includes(language) && layout.extension !== "eml" && chance.happens(0.2) ? "en" : undefined;
  const abroad = orders.some(({ stops, customer }) =>
    stops.some(({ place }) => place.country !== customer.place.country),
  );
  const voice = new Voice(chance.fork("voice"), language, { second, abroad, near: orders.every(isNear) });
  const sheets = orders.map((order) => noisy(chance.fork("noise"), makeSheet(chance.fork("sheet"), voice, order)));
  const truths = orders.map((order) =>
    truthOf(order, { countries: !voice.tellsCountries && language !== "us", customer: layout.anonymous }),
  );
  return {
    bytes: await layout.set(sheets, chance.fork("set")),
    extension: layout.extension,
    language: second ? `${language}+${second}` : language,
    truth: truths.length === 1 ? truths[0]! : truths,
  };
}

/** Whether all stops are within six days after the date of the order. */
function isNear({ date, stops }: Order): boolean {
  return stops.every(({ window: { day, lastDay } }) => (lastDay ?? day) <= daysAfter(date, 6));
}

/** Generates the orders of one file, which all have the same customer. */
function makeOrders(chance: Chance, places: Places, language: string, count: number, pair: boolean): Order[] {
  let customer: Firm | undefined;
  return Array.from({ length: count }, (_, at) => {
    const order = makeOrder(chance.fork(`order ${at}`), places, language, { pair, customer });
    customer ??= order.customer;
    return { ...order, stops: withoutDetails(chance.fork("details"), order.stops) };
  });
}

/** In some orders the stops have no streets, in a few no names. */
function withoutDetails(chance: Chance, stops: Stop[]): Stop[] {
  const [street, name] = [chance.happens(0.1), chance.happens(0.05)];
  return stops.map((stop) => ({ ...stop, ...(street && { street: "" }), ...(name && { name: "" }) }));
}

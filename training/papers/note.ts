import type { Chance } from "../chance.ts";
import type { Made } from "../document.ts";
import { Voice } from "../voice.ts";
import { daysAfter } from "../world/calendar.ts";
import { plate } from "../world/codes.ts";
import { firm } from "../world/firms.ts";
import { makeOrder } from "../world/make-order.ts";
import type { Place, Places } from "../world/places.ts";
import { words } from "../words/words.ts";
import { noteLayouts, type Box } from "./note-layouts.ts";
import { paperWords } from "./words.ts";

const NUMBERS = ["######", "@ ######", "2026-#######", "@@######", "########", "##/2026/####"];

const tight = (text: string): string => text.replaceAll(/[\s-]/g, "");

/** Generates a CMR note in the given language, with its expected extraction. `name` is the name of the layout. */
export async function makeNote(chance: Chance, places: Places, language: string, name: string): Promise<Made> {
  const layout = noteLayouts[name];
  if (!layout) throw new RangeError(`There is no layout ${name} for notes.`);
  const own = paperWords(language);
  const second = chance.happens(0.45) && language !== "en" ? paperWords("en") : undefined;
  const order = makeOrder(chance.fork("order"), places, language, { pair: true });
  const [from, to] = [order.stops[0]!, order.stops.at(-1)!];
  const carrier = firm(chance.fork("carrier"), places, order.customer.place.country, "haulier");
  const voice = new Voice(chance.fork("voice"), language, { abroad: true });
  const land = ({ country }: Place): string =>
    new Intl.DisplayNames(language, { type: "region" }).of(country) ?? country;
  const party = (one: { name: string; street: string; place: Place }): string[] => [
    one.name,
    one.street,
    voice.town(one.place),
    land(one.place),
  ];
  const delivered = chance.happens(0.5) ? daysAfter(to.window.day, 0) : undefined;
  const reserved = chance.maybe(0.4, () => chance.pick(own.reservation));
  const instruction = chance.pick(own.instruction);
  const [tractor, trailer] = [
    plate(chance, carrier.place.country, "tractor"),
    plate(chance, carrier.place.country, "trailer"),
  ];
  const goods = goodsOf(chance, language, own.packing);
  const number = chance.code(chance.pick(NUMBERS));
  const lines: Record<number, string[]> = {
    1: party(from),
    2: party(to),
    3: [`${to.place.city}, ${land(to.place)}`],
    4: chance.happens(0.5)
      ? [`${from.place.city}, ${land(from.place)}`, voice.date(from.window.day)]
      : [`${from.place.city}, ${land(from.place)}, ${voice.date(from.window.day)}`],
    5: [own.papers.map((paper) => `${paper} ${chance.code("######")}`).join(", ")],
    13: [instruction],
    16: party(carrier),
    18: reserved ? [reserved] : [],
    21: [`${from.place.city}, ${voice.date(from.window.day)}`],
    24: delivered ? [`${to.place.city}, ${voice.date(delivered)}`] : [],
    25: [`${tractor} / ${trailer}`],
  };
  const boxes = [1, 2, 3, 4, 5, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25].map((at): Box => ({
    number: at,
    captions: [own.cmr[at]!, ...(second ? [second.cmr[at]!] : [])],
    lines: lines[at] ?? [],
  }));
  const captions = [6, 7, 8, 9, 10, 11, 12].map((at) => (second ? `${own.cmr[at]} / ${second.cmr[at]}` : own.cmr[at]!));
  const rows = goods.map((one) => [
    one.marks,
    String(one.quantity),
    one.packing,
    one.nature,
    one.statisticalNumber,
    voice.figures.number(one.grossWeight),
    one.volume === undefined ? "" : voice.figures.number(one.volume, 1),
  ]);
  const bytes = await layout.set(chance.fork("set"), { title: own.cmr[0]!, number, boxes, goods: { captions, rows } });
  const address = ({ name: firmName, street, place }: { name: string; street: string; place: Place }) => ({
    name: firmName,
    street,
    postalCode: place.postalCode,
    city: place.city,
    country: place.country,
  });
  const truth = {
    number,
    sender: address(from),
    consignee: address(to),
    carrier: address(carrier),
    successiveCarriers: [],
    takingOver: { place: from.place.city, country: from.place.country, date: from.window.day },
    delivery: { place: to.place.city, country: to.place.country, date: delivered ?? null },
    goods: goods.map((one) => ({ ...one, volume: one.volume ?? null })),
    licensePlates: [tight(tractor), tight(trailer)],
    reservations: reserved ?? null,
    instructions: instruction,
  };
  return { bytes, extension: layout.extension, language, truth: truth as Made["truth"] };
}

interface Goods {
  marks: string;
  quantity: number;
  packing: string;
  nature: string;
  statisticalNumber: string;
  grossWeight: number;
  volume?: number;
}

function goodsOf(chance: Chance, language: string, packing: readonly string[]): Goods[] {
  const names = chance.shuffled(words(language).goods.dry);
  return Array.from(
    { length: chance.weighted({ one: 5, two: 3, three: 2 }) === "one" ? 1 : chance.between(2, 3) },
    (_, at) => ({
      marks: chance.code(chance.pick(["@@ ###-##", "@@@####", "##-####/##"])),
      quantity: chance.between(1, 33),
      packing: chance.pick(packing),
      nature: names[at]!,
      statisticalNumber: chance.code(chance.pick(["69####00", "84######", "3901####", "7308##"])),
      grossWeight: chance.stepped(350, 23_800, 5),
      volume: chance.maybe(0.5, () => chance.between(12, 880) / 10),
    }),
  );
}

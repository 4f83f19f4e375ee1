import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { filled } from "../voice.ts";
import type { Label } from "../words/words.ts";
import { words } from "../words/words.ts";
import { iban } from "../world/codes.ts";
import type { Order } from "../world/order.ts";
import { daysAfter } from "../world/calendar.ts";
import { cargoBlock } from "./cargo.ts";
import { letter } from "./letter.ts";
import { clauses, paymentBlock } from "./money.ts";
import { letterheadLines, partyItems } from "./parties.ts";
import type { PartyStyle } from "./parties.ts";
import type { Block, Item, Sheet } from "./sheet.ts";
import { stopBlocks, stopStyle } from "./stops.ts";

/** What a layout wants of its sheet. */
export interface SheetWishes {
  /** The sender stands on top of the page, in a block, or both. */
  customer?: "Letterhead" | "Block" | "Both";
  party?: PartyStyle;
  /** Goods with the loading (tables of stops) or in a block of their own. */
  withLoad?: boolean;
  splitTime?: boolean;
}

/** Puts an order into the words of a voice. */
export function makeSheet(chance: Chance, voice: Voice, order: Order, wishes: SheetWishes = {}): Sheet {
  const party = wishes.party ?? chance.weighted<PartyStyle>({ Lines: 55, Labelled: 30, OneLine: 15 });
  const customer = wishes.customer ?? chance.weighted({ Letterhead: 35, Block: 30, Both: 35 });
  const style = { ...stopStyle(chance, party, order), ...(wishes.splitTime !== undefined && { splitTime: wishes.splitTime }) };
  if (wishes.withLoad !== undefined) style.withLoad ||= wishes.withLoad;
  const inLetterhead = customer !== "Block";
  const stops = stopBlocks(voice, order, style);
  return {
    title: chance.pick(words(voice.language).title),
    letterhead: inLetterhead ? letterheadLines(chance, voice, order.customer) : [],
    head: headItems(voice, order, customer === "Letterhead"),
    blocks: [
      ...(customer === "Letterhead" ? [] : [partyBlock(chance, voice, order, "customer", party)]),
      ...(order.carrier ? [partyBlock(chance, voice, order, "carrier", party)] : []),
      ...(order.payer ? [partyBlock(chance, voice, order, "payer", party)] : []),
      ...middle(chance, [...stops], cargoBlock(voice, order, style.withLoad)),
      ...arranged(chance, [vehicleBlock(voice, order), paymentBlock(voice, order), remarksBlock(voice, order)]),
    ],
    letter: letter(voice, order),
    terms: { title: voice.label("terms"), sentences: clauses(chance, voice, order.price.currency) },
    foot: foot(chance, voice, order),
    page: `${voice.label("page")} 1/1`,
  };
}

/** The person who wrote stands in the head where no block names them. */
function headItems(voice: Voice, { number, date, reference, customer }: Order, withPerson: boolean): Item[] {
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  say("orderNumber", number);
  say("orderDate", voice.date(date));
  say("reference", reference);
  if (withPerson && customer.person) {
    say("contact", customer.person.name);
    say("phone", customer.person.phone);
    say("email", customer.person.email);
  }
  return items;
}

function partyBlock(chance: Chance, voice: Voice, order: Order, role: "customer" | "carrier" | "payer", style: PartyStyle): Block {
  const items = partyItems(chance, voice, order[role]!, style);
  return { role, title: voice.label(role), items: role === "payer" ? items.filter(({ about }) => !["contact", "phone", "email"].includes(about)) : items };
}

/** The goods stand before, after or, seldom, between the stops. */
const middle = (chance: Chance, stops: Block[], cargo: Block[]): Block[] => (chance.happens(0.2) ? [...cargo, ...stops] : [...stops, ...cargo]);

const arranged = (chance: Chance, blocks: Block[]): Block[] => (chance.happens(0.6) ? blocks : chance.shuffled(blocks)).filter((block) => block.items.length > 0);

function vehicleBlock(voice: Voice, order: Order): Block {
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  const { tractorPlate, trailerPlate, trailerType, driver } = order;
  const together = tractorPlate !== undefined && trailerPlate !== undefined && order.number.length % 2 === 0;
  say("vehicleType", trailerType && voice.trailer(trailerType));
  if (together) say("plates", `${tractorPlate} / ${trailerPlate}`);
  else {
    say("tractor", tractorPlate);
    say("trailer", trailerPlate);
  }
  say("driver", driver?.name ?? (order.carrier && tractorPlate === undefined ? voice.phrase("pending") : undefined));
  say("driverPhone", driver?.phone);
  return { role: "vehicle", title: voice.label("vehicle"), items };
}

function remarksBlock(voice: Voice, order: Order): Block {
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  const ways = { Email: voice.phrase("scan"), OriginalByPost: voice.phrase("original"), PortalUpload: filled(voice.phrase("portal"), { link: order.link }) };
  if (order.documents.length > 0) say("documents", order.documents.map((way) => ways[way]).join(", "));
  say("incoterms", order.incoterms);
  say("cargoValue", order.cargoValue === undefined ? undefined : voice.figures.money(order.cargoValue, order.price.currency));
  say("distance", order.distance === undefined ? undefined : `${voice.figures.number(order.distance)} km`);
  return { role: "remarks", title: voice.label("remarks"), items };
}

/** Numbers that are none of the order's. */
function foot(chance: Chance, voice: Voice, { customer, date }: Order): string[] {
  return [
    chance.maybe(0.5, () => `${voice.label("bank")}: ${iban(chance, customer.place.country)}`),
    chance.maybe(0.4, () => `${voice.label("companyNumber")}: ${chance.code("#########")}`),
    chance.maybe(0.4, () => `${voice.label("printed")}: ${voice.date(daysAfter(date, chance.between(0, 1)))} ${chance.between(8, 16)}:${chance.between(10, 59)}`),
  ].filter((line) => line !== undefined);
}

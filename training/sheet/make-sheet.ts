import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { daysAfter } from "../world/calendar.ts";
import { iban } from "../world/codes.ts";
import type { Order } from "../world/order.ts";
import { cargoBlock, totals } from "./cargo.ts";
import { mailWords } from "./mail-words.ts";
import { clauses, paymentBlock } from "./money.ts";
import { partyItems, partySays } from "./parties.ts";
import type { Block, Sheet } from "./sheet.ts";
import { headItems, remarksBlock, vehicleBlock } from "./small-blocks.ts";
import { stopBlocks } from "./stops.ts";

const ASKED = ["contact", "phone", "email"];

/** Writes the texts of an order. */
export function makeSheet(chance: Chance, voice: Voice, order: Order): Sheet {
  const parties = (["customer", "carrier", "payer"] as const).filter((role) => order[role]);
  return {
    title: voice.title(),
    head: headItems(voice, order),
    blocks: [
      ...parties.map((role) => partyBlock(chance, voice, order, role)),
      ...stopBlocks(voice, order, chance.happens(0.4)),
      cargoBlock(voice, order),
      vehicleBlock(voice, order),
      paymentBlock(voice, order),
      remarksBlock(voice, order),
    ],
    totals: totals(voice, order),
    terms: { title: voice.label("terms"), sentences: clauses(chance, voice, order.price.currency) },
    foot: foot(chance, voice, order),
    mail: mailWords(chance, voice, order),
    label: (of) => voice.label(of),
  };
}

function partyBlock(chance: Chance, voice: Voice, order: Order, role: "customer" | "carrier" | "payer"): Block {
  const all = partyItems(chance, voice, order[role]!);
  const items = role === "payer" ? all.filter(({ about }) => !ASKED.includes(about)) : all;
  return {
    role,
    title: voice.label(role),
    items,
    says: role === "carrier" ? partySays(voice, order[role]!, items) : "",
  };
}

/** Generates the lines at the foot, with numbers that do not belong to the order. */
function foot(chance: Chance, voice: Voice, { customer, date }: Order): string[] {
  const printed = `${voice.date(daysAfter(date, chance.between(0, 1)))} ${chance.between(8, 16)}:${chance.between(10, 59)}`;
  return [
    chance.maybe(0.4, () => `${voice.label("bank")}: ${iban(chance, customer.place.country)}`),
    chance.maybe(0.3, () => `${voice.label("companyNumber")}: ${chance.code("#########")}`),
    chance.maybe(0.3, () => `${voice.label("printed")}: ${printed}`),
  ].filter((line) => line !== undefined);
}

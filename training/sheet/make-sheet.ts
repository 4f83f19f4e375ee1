import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { daysAfter } from "../world/calendar.ts";
import { iban } from "../world/codes.ts";
import type { Order } from "../world/order.ts";
import { cargoBlock } from "./cargo.ts";
import { letter } from "./letter.ts";
import { mailWords } from "./mail-words.ts";
import { clauses, paymentBlock } from "./money.ts";
import { letterheadLines, partyItems } from "./parties.ts";
import type { Block, PartyStyle, Sheet, SheetWishes } from "./sheet.ts";
import { headItems, remarksBlock, vehicleBlock } from "./small-blocks.ts";
import { stopBlocks, stopStyle } from "./stops.ts";

const ASKED = ["contact", "phone", "email"];

/** Writes an order in the style of a document. */
export function makeSheet(chance: Chance, voice: Voice, order: Order, wishes: SheetWishes = {}): Sheet {
  const party = wishes.party ?? chance.weighted<PartyStyle>({ Lines: 55, Labelled: 30, OneLine: 15 });
  const customer = wishes.customer ?? chance.weighted({ Letterhead: 35, Block: 30, Both: 35 });
  const drawn = stopStyle(chance, party, order);
  const style = {
    ...drawn,
    splitTime: wishes.splitTime ?? drawn.splitTime,
    numbered: wishes.numbered ?? drawn.numbered,
    withLoad: drawn.withLoad || wishes.withLoad === true,
  };
  const parties = (["customer", "carrier", "payer"] as const).filter(
    (role) => order[role] && !(role === "customer" && customer === "Letterhead"),
  );
  return {
    title: voice.title(),
    letterhead: customer === "Block" ? [] : letterheadLines(chance, voice, order.customer),
    head: headItems(voice, order, customer === "Letterhead"),
    blocks: [
      ...parties.map((role) => partyBlock(chance, voice, order, role, party)),
      ...middle(chance, stopBlocks(voice, order, style), cargoBlock(voice, order, style.withLoad)),
      ...arranged(chance, [vehicleBlock(voice, order), paymentBlock(voice, order), remarksBlock(voice, order)]),
    ],
    letter: letter(voice, order),
    terms: { title: voice.label("terms"), sentences: clauses(chance, voice, order.price.currency) },
    foot: foot(chance, voice, order),
    mail: mailWords(chance, voice, order),
    page: voice.label("page"),
  };
}

function partyBlock(
  chance: Chance,
  voice: Voice,
  order: Order,
  role: "customer" | "carrier" | "payer",
  style: PartyStyle,
): Block {
  const items = partyItems(chance, voice, order[role]!, style);
  return {
    role,
    title: voice.label(role),
    items: role === "payer" ? items.filter(({ about }) => !ASKED.includes(about)) : items,
  };
}

/** Places the goods after the stops or, rarely, before them. */
const middle = (chance: Chance, stops: Block[], cargo: Block[]): Block[] =>
  chance.happens(0.2) ? [...cargo, ...stops] : [...stops, ...cargo];

function arranged(chance: Chance, blocks: Block[]): Block[] {
  const filled = blocks.filter((block) => block.items.length > 0);
  return chance.happens(0.6) ? filled : chance.shuffled(filled);
}

/** Generates the lines at the foot, with numbers that do not belong to the order. */
function foot(chance: Chance, voice: Voice, { customer, date }: Order): string[] {
  const printed = `${voice.date(daysAfter(date, chance.between(0, 1)))} ${chance.between(8, 16)}:${chance.between(10, 59)}`;
  return [
    chance.maybe(0.5, () => `${voice.label("bank")}: ${iban(chance, customer.place.country)}`),
    chance.maybe(0.4, () => `${voice.label("companyNumber")}: ${chance.code("#########")}`),
    chance.maybe(0.4, () => `${voice.label("printed")}: ${printed}`),
  ].filter((line) => line !== undefined);
}

import type { Chance } from "../chance.ts";
import type { Item, Sheet } from "../sheet/sheet.ts";
import { joinedAddress } from "./fields.ts";
import type { House } from "./house.ts";
import { beside, lines, stack, text, tight, type Node, type Page } from "./node.ts";
import { PARTIES, partsOf, terms, type Part } from "./parts.ts";

/** Where the sender is named. */
type Sender = "Letterhead" | "Both" | "Block" | "Foot" | "Signature";

const ASKED = ["contact", "phone", "email"];

/** Lays out an order as a page, or as a mail: with a greeting and a signature, without letterhead and title. */
export function pageOf(house: House, sheet: Sheet, mail = false): Page {
  const dice = house.dice("page");
  const sender: Sender = mail
    ? dice.weighted({ Block: 30, Signature: 70 })
    : dice.weighted({ Letterhead: 42, Both: 16, Block: 18, Foot: 8, Signature: 8 });
  const customer = sheet.blocks.find(({ role }) => role === "customer")!;
  const asks = sender === "Letterhead" && dice.happens(0.5);
  const items = customer.items.filter(({ about }) => !asks || !ASKED.includes(about));
  const titled = !mail && dice.happens(0.35);
  const head = [
    ...sheet.head.filter(({ about }) => !titled || about !== "orderNumber"),
    ...(asks ? customer.items.filter((item) => !items.includes(item)) : []),
  ];
  const inBlock = sender === "Block" || sender === "Both";
  const parts = partsOf(
    house,
    { ...sheet, blocks: sheet.blocks.filter((block) => inBlock || block !== customer) },
    head,
  );
  const title = titled
    ? `${sheet.title}${dice.pick([" ", " ", " - ", ": ", " / "])}${sheet.head[0]!.value}`
    : sheet.title;
  const own = senderLines(house, dice, items);
  const letter = house.stops === "Prose" || mail;
  return {
    body: stack([
      ...(sender === "Letterhead" || sender === "Both" ? [letterhead(house, dice, own)] : []),
      ...(mail || (!titled && dice.happens(0.07)) ? [] : [headline(dice, title)]),
      ...(letter ? [stack(sheet.mail.opening.slice(0, titled ? 1 : 2).map((line) => text(line)))] : []),
      ...arranged(house, parts),
      ...(mail && dice.happens(0.7) ? [] : [terms(house, sheet)]),
      ...signature(dice, sheet, sender === "Signature" ? own : [], letter),
      ...(mail && dice.happens(0.7) ? [lines(sheet.mail.older)] : []),
    ]),
    foot: sender === "Foot" ? [own.join(dice.pick([" · ", "  |  ", ", "])), ...sheet.foot] : sheet.foot,
  };
}

/** The sender in lines, with one or several values on each. */
function senderLines(house: House, dice: Chance, items: Item[]): string[] {
  const [address, ...rest] = joinedAddress(items, "", dice.pick(["\n", ", "]), true);
  const [name = "", ...place] = address!.value.split("\n");
  const flat = rest.map((item) => house.flat(item));
  return [
    name,
    ...(dice.happens(0.5) ? [place.join(", ")] : place),
    ...(dice.happens(0.5) ? [flat.join("   ")] : flat),
  ].filter(Boolean);
}

function letterhead(house: House, dice: Chance, own: string[]): Node {
  const align = dice.pick(["left", "left", "center", "right"] as const);
  const [grow, small] = [dice.pick([0, 2, 4, 6]), dice.pick([0, -0.5, -1])];
  const last = dice.happens(0.5) ? own.length - 1 : -1;
  const texts = own.map((line, at) => {
    const first = at === 0;
    return text(line, {
      align,
      bold: first && grow > 0,
      grow: first ? grow : small,
      ...(at === last && { mark: "Line" }),
    });
  });
  return tight(texts, house.boxed && dice.happens(0.3));
}

export const headline = (dice: Chance, title: string): Node =>
  text(title, {
    bold: dice.happens(0.85),
    grow: dice.pick([1, 3, 5, 7]),
    align: dice.pick(["left", "left", "center", "right"]),
  });

function signature(dice: Chance, { mail: { closing, from } }: Sheet, own: string[], letter: boolean): Node[] {
  if (own.length > 0 || letter) return [lines([closing, ...(own.length > 0 ? own : [from.name])])];
  const line = text("\n____________________");
  return dice.happens(0.3) ? [beside([line, line])] : [];
}

/** Arranges the sections: in a usual or any order, below each other, side by side, in columns or with a sidebar. */
function arranged(house: House, given: Part[]): Node[] {
  const dice = house.dice("arranged");
  const parts = ordered(dice, given);
  const way = house.arrangement;
  if (way === "Flow") return flow(dice, parts);
  const isAside = (part: Part): boolean => !part.wide && part.role !== "stop";
  const aside = parts.filter((part) => isAside(part) && dice.happens(way === "Bar" ? 0.5 : 0.4));
  const main = parts.filter((part) => !aside.includes(part));
  if (aside.length < 2) return flow(dice, parts);
  const columns = [
    stack(aside.map((part) => part.draw(true))),
    stack(way === "Bar" ? flow(dice, main, 0) : main.map((part) => part.draw(true))),
  ];
  const shares = way === "Bar" ? [1, 2.4] : [1, 1];
  const right = dice.happens(0.35);
  return [right ? beside(columns.toReversed(), shares.toReversed()) : beside(columns, shares)];
}

function ordered(dice: Chance, parts: Part[]): Part[] {
  const way = dice.weighted({ Usual: 50, PartiesFirst: 20, Swapped: 15, Any: 15 });
  const [head, rest] = [parts.filter(({ role }) => role === "head"), parts.filter(({ role }) => role !== "head")];
  const isParty = ({ role }: Part): boolean => PARTIES.includes(role);
  if (way === "Any") return dice.shuffled(parts);
  if (way === "PartiesFirst") return [...rest.filter(isParty), ...head, ...rest.filter((part) => !isParty(part))];
  if (way === "Usual") return parts;
  const [start, end] = [rest.slice(0, -3), rest.slice(-3)];
  return [...head, ...dice.shuffled(end), ...start];
}

/** Puts some narrow sections side by side, in columns of one or two sections; the others below each other. */
function flow(dice: Chance, parts: Part[], together = dice.pick([0, 0.4, 0.8])): Node[] {
  const rows: Node[] = [];
  for (let at = 0; at < parts.length;) {
    const room = parts.slice(at).findIndex(({ wide }) => wide);
    const free = room === -1 ? parts.length - at : room;
    const count = free >= 2 && dice.happens(together) ? dice.between(2, Math.min(4, free)) : 1;
    const some = parts.slice(at, at + count);
    if (count === 1) rows.push(some[0]!.draw(false));
    else rows.push(columnsOf(dice, some));
    at += count;
  }
  return rows;
}

function columnsOf(dice: Chance, parts: Part[]): Node {
  const nodes = parts.map((part) => part.draw(true));
  if (nodes.length < 3 || dice.happens(0.3))
    return beside(nodes, dice.pick([undefined, nodes.map((_, at) => (at === 0 ? 1.4 : 1))]));
  const cut = dice.between(1, nodes.length - 1);
  return beside([stack(nodes.slice(0, cut)), stack(nodes.slice(cut))]);
}

import type { Chance } from "../chance.ts";
import { filled } from "../voice.ts";
import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Order, Price } from "../world/order.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import { sayings } from "./parties.ts";
import type { Block } from "./sheet.ts";

const CHARGES = { FuelSurcharge: "fuel", Toll: "toll" } as const;

export function paymentBlock(voice: Voice, { price, invoiceEmail }: Order): Block {
  const { base, charges, currency, days } = price;
  const items = labelledItems(voice, [
    ...amounts(voice, price),
    ["paymentTerm", days !== undefined && term(voice, days)],
    ["paymentMethod", price.method && voice.phrase(price.method === "Cash" ? "cash" : "bankTransfer")],
    ["invoiceEmail", invoiceEmail],
  ]);
  const simple = charges.length === 0 && days !== undefined;
  const says = joinPresent(" ", [
    simple && voice.sentence("price", { price: agreed(voice, base, currency), days: term(voice, days) }),
    sayings(simple ? items.filter(({ about }) => about !== "price" && about !== "paymentTerm") : items),
  ]);
  return { role: "payment", title: voice.label("payment"), items, says };
}

function amounts(voice: Voice, { base, charges, currency }: Price): [Label, string][] {
  if (charges.length === 0) return [["price", agreed(voice, base, currency)]];
  const total = charges.reduce((sum, charge) => sum + charge.amount, base);
  return [
    ["base", voice.figures.money(base, currency)],
    ...charges.map(({ type, amount }): [Label, string] => [CHARGES[type], voice.figures.money(amount, currency)]),
    ["total", voice.figures.money(total, currency)],
  ];
}

/** Formats an amount with a usual addition, such as "+ VAT" or "all in". */
const agreed = (voice: Voice, amount: number, currency: string): string =>
  joinPresent(" ", [voice.figures.money(amount, currency), voice.phrase("netTail")]);

const term = (voice: Voice, days: number): string => filled(voice.phrase("days"), { n: String(days) });

/** Picks clauses. Their penalties and insured sums are not prices, and their periods are not payment terms. */
export function clauses(chance: Chance, voice: Voice, currency: string): string[] {
  const chosen = voice.clauses().slice(0, chance.between(3, 9));
  return chosen.map((clause) =>
    filled(clause, {
      amount: voice.figures.money(chance.stepped(30, 500, 10), currency),
      insured: voice.figures.money(chance.stepped(50_000, 300_000, 10_000), currency),
      n: String(chance.pick([2, 7, 10, 14, 24, 48])),
    }),
  );
}

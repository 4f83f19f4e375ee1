import type { Chance } from "../chance.ts";
import { filled } from "../voice.ts";
import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import type { Order } from "../world/order.ts";
import type { Block, Item } from "./sheet.ts";

const CHARGES = { FuelSurcharge: "fuel", Toll: "toll" } as const;

export function paymentBlock(voice: Voice, { price, invoiceEmail }: Order): Block {
  const items: Item[] = [];
  const say = (about: Label, value: string | undefined): void => {
    if (value !== undefined) items.push({ about, label: voice.label(about), value });
  };
  const total = price.charges.reduce((sum, charge) => sum + charge.amount, price.base);
  if (price.charges.length > 0) {
    say("base", voice.figures.money(price.base, price.currency));
    for (const { type, amount } of price.charges) say(CHARGES[type], voice.figures.money(amount, price.currency));
    say("total", voice.figures.money(total, price.currency));
  } else say("price", agreed(voice, price.base, price.currency));
  say("paymentTerm", price.days === undefined ? undefined : term(voice, price.days));
  if (price.method) say("paymentMethod", voice.phrase(price.method === "Cash" ? "cash" : "bankTransfer"));
  say("invoiceEmail", invoiceEmail);
  return { role: "payment", title: voice.label("payment"), items };
}

/** The amount with what usually stands behind it: "+ VAT", "all in". */
export const agreed = (voice: Voice, amount: number, currency: string): string =>
  [voice.figures.money(amount, currency), voice.phrase("netTail")].filter(Boolean).join(" ");

export const term = (voice: Voice, days: number): string => filled(voice.phrase("days"), { n: String(days) });

/** Penalties and insured sums that are no price, days that are no term of payment. */
export function clauses(chance: Chance, voice: Voice, currency: string): string[] {
  const most = chance.between(3, 9);
  return voice.clauses().slice(0, most).map((clause) =>
    filled(clause, {
      amount: voice.figures.money(chance.stepped(30, 500, 10), currency),
      insured: voice.figures.money(chance.stepped(50_000, 300_000, 10_000), currency),
      n: String(chance.pick([2, 7, 10, 14, 24, 48])),
    }),
  );
}

import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { daysAfter } from "../world/calendar.ts";
import type { Order } from "../world/order.ts";
import type { MailWords } from "./sheet.ts";

/** Generates the greeting, the signature and the quoted mails, whose values do not belong to the order. */
export function mailWords(
  chance: Chance,
  voice: Voice,
  { customer, carrier, number, date, price, stops }: Order,
): MailWords {
  const from = { name: customer.person?.name ?? customer.name, address: customer.person?.email ?? customer.email };
  const to = {
    name: carrier?.person?.name ?? "Dispo",
    address: carrier?.person?.email ?? carrier?.email ?? "dispo@carrier.example",
  };
  const haggled = voice.figures.money(Math.round(price.base * 1.08), price.currency);
  const towns = `${stops[0]!.place.city} - ${stops.at(-1)!.place.city}`;
  return {
    from,
    to,
    subject: chance.pick([`${voice.title()} ${number}`, `${towns}, ${number}`, `RE: ${towns}`]),
    day: date,
    opening: [voice.sentence("greeting"), voice.sentence("intro", { number })],
    closing: voice.sentence("closing"),
    older: [
      `----- ${to.name} <${to.address}> ${voice.date(daysAfter(date, -1))} -----`,
      `> ${voice.sentence("greeting")}`,
      `> ${voice.sentence("old", { price: haggled })}`,
      `> ${voice.sentence("closing")}`,
      `> ${to.name}`,
    ],
  };
}

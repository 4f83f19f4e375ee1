import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { country } from "../world/countries.ts";
import type { Firm } from "../world/firms.ts";
import type { Place } from "../world/places.ts";
import { printedVat } from "../world/vat.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import type { Item } from "./sheet.ts";

type Address = { name: string; street: string; place: Place };

/** Formats the lines of an address, without the name. */
export function addressLines(voice: Voice, { street, place }: Address): string[] {
  const lines = voice.cityFirst ? [voice.town(place), street] : [street, voice.town(place)];
  return [...lines, voice.country(place)].filter((line): line is string => Boolean(line));
}

export const oneLine = (voice: Voice, of: Address): string => addressLines(voice, of).join(", ");

/** Lists name and address. Postal code, town and country are items of their own if the document separates them. */
export function addressItems(voice: Voice, { name, street, place }: Address): Item[] {
  const apart = voice.placesApart && !place.region;
  const town = apart
    ? labelledItems(voice, [
        ["postalCode", place.postalCode],
        ["town", voice.city(place)],
      ])
    : labelledItems(voice, [["city", voice.town(place)]]);
  const road = labelledItems(voice, [["street", street]]);
  return [
    ...labelledItems(voice, [["company", name]]),
    ...(voice.cityFirst ? [...town, ...road] : [...road, ...town]),
    ...labelledItems(voice, [
      ["country", voice.country(place) ?? (apart && voice.tellsCountries ? place.country : undefined)],
    ]),
  ];
}

/** Lists name, address, tax number and contact person. */
export function partyItems(chance: Chance, voice: Voice, of: Firm): Item[] {
  const vat = of.vat && !of.brief && printedVat(chance, of.vat, country(of.place.country));
  const asked = of.person ?? { name: undefined, phone: of.phone, email: of.email };
  return [
    ...(of.brief ? labelledItems(voice, [["company", of.name]]) : addressItems(voice, of)),
    ...labelledItems(voice, [
      ["vat", vat],
      ["contact", asked.name],
      ["phone", asked.phone],
      ["email", asked.email],
    ]),
  ];
}

/** Names a party in a sentence, followed by its other items. */
export function partySays(voice: Voice, of: Firm, items: Item[]): string {
  const party = joinPresent(", ", [of.name, !of.brief && oneLine(voice, of)]);
  const rest = items.filter(({ about }) => ["vat", "contact", "phone", "email"].includes(about));
  return joinPresent(" ", [voice.sentence("carrier", { party }), sayings(rest)]);
}

export const sayings = (items: Item[]): string => items.map(({ label, value }) => `${label}: ${value}.`).join(" ");

import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import { country } from "../world/countries.ts";
import type { Firm } from "../world/firms.ts";
import type { Place } from "../world/places.ts";
import { printedVat } from "../world/vat.ts";
import type { Item } from "./sheet.ts";

type Address = { name: string; street: string; place: Place };
export type PartyStyle = "Lines" | "Labelled" | "OneLine";

/** The lines of an address, the name left out. */
export function addressLines(voice: Voice, { street, place }: Address): string[] {
  const lines = voice.cityFirst ? [voice.town(place), street] : [street, voice.town(place)];
  return [...lines, voice.country(place)].filter((line) => line !== undefined);
}

export const oneLine = (voice: Voice, of: Address): string => addressLines(voice, of).join(", ");

/** Name and address in the document's manner. */
export function addressItems(voice: Voice, of: Address, style: PartyStyle): Item[] {
  if (style === "OneLine") {
    return [{ about: "company", label: voice.label("company"), value: `${of.name}, ${oneLine(voice, of)}`, bare: true }];
  }
  if (style === "Lines") {
    return [{ about: "company", label: voice.label("company"), value: [of.name, ...addressLines(voice, of)].join("\n"), bare: true }];
  }
  const land = voice.country(of.place);
  return [
    { about: "company", label: voice.label("company"), value: of.name },
    { about: "street", label: voice.label("street"), value: of.street },
    { about: "city", label: voice.label("city"), value: voice.town(of.place) },
    ...(land ? [{ about: "country", label: voice.label("country"), value: land } as const] : []),
  ];
}

/** Tax number and the person to ask. */
export function partyItems(chance: Chance, voice: Voice, of: Firm, style: PartyStyle): Item[] {
  const items = addressItems(voice, of, style);
  if (of.vat) items.push({ about: "vat", label: voice.label("vat"), value: printedVat(chance, of.vat, country(of.place.country)) });
  items.push(...contactItems(voice, of, style));
  return items;
}

function contactItems(voice: Voice, { person, phone, email }: Firm, style: PartyStyle): Item[] {
  const { name, ...reached } = person ?? { name: undefined, phone, email };
  const says = (about: "contact" | "phone" | "email", value: string | undefined): Item[] => (value ? [{ about, label: voice.label(about), value }] : []);
  if (style === "OneLine" && name) return says("contact", [name, reached.phone, reached.email].filter(Boolean).join(", "));
  return [...says("contact", name), ...says("phone", reached.phone), ...says("email", reached.email)];
}

/** The sender's lines on top of a letter. */
export function letterheadLines(chance: Chance, voice: Voice, of: Firm): string[] {
  const vat = of.vat && `${voice.label("vat")}: ${printedVat(chance, of.vat, country(of.place.country))}`;
  const office = of.person && chance.happens(0.5) ? [] : [`${voice.label("phone")} ${of.phone}`, of.email];
  const lines = [of.name, oneLine(voice, of), [vat, ...office].filter(Boolean).join("   ")];
  return lines.filter((line) => line !== "");
}

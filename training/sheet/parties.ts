import type { Chance } from "../chance.ts";
import type { Voice } from "../voice.ts";
import type { Label } from "../words/words.ts";
import { country } from "../world/countries.ts";
import type { Firm } from "../world/firms.ts";
import type { Place } from "../world/places.ts";
import { printedVat } from "../world/vat.ts";
import { joinPresent, labelledItems } from "./labelled-items.ts";
import type { Item, PartyStyle } from "./sheet.ts";

type Address = { name: string; street: string; place: Place };

/** Formats the lines of an address, without the name. */
export function addressLines(voice: Voice, { street, place }: Address): string[] {
  const lines = voice.cityFirst ? [voice.town(place), street] : [street, voice.town(place)];
  return [...lines, voice.country(place)].filter((line) => line !== undefined);
}

export const oneLine = (voice: Voice, of: Address): string => addressLines(voice, of).join(", ");

/** Lists name and address in the given style. */
export function addressItems(voice: Voice, of: Address, style: PartyStyle): Item[] {
  if (style === "OneLine") {
    return [
      { about: "company", label: voice.label("company"), value: `${of.name}, ${oneLine(voice, of)}`, bare: true },
    ];
  }
  if (style === "Lines") {
    return [
      {
        about: "company",
        label: voice.label("company"),
        value: [of.name, ...addressLines(voice, of)].join("\n"),
        bare: true,
      },
    ];
  }
  return labelledItems(voice, [
    ["company", of.name],
    ["street", of.street],
    ["city", voice.town(of.place)],
    ["country", voice.country(of.place)],
  ]);
}

/** Lists name, address, tax number and contact person. */
export function partyItems(chance: Chance, voice: Voice, of: Firm, style: PartyStyle): Item[] {
  const vat = of.vat && printedVat(chance, of.vat, country(of.place.country));
  return [...addressItems(voice, of, style), ...labelledItems(voice, [["vat", vat], ...contact(of, style)])];
}

function contact({ person, phone, email }: Firm, style: PartyStyle): [Label, string | undefined][] {
  const asked = person ?? { name: undefined, phone, email };
  if (style === "OneLine" && asked.name)
    return [["contact", joinPresent(", ", [asked.name, asked.phone, asked.email])]];
  return [
    ["contact", asked.name],
    ["phone", asked.phone],
    ["email", asked.email],
  ];
}

/** Formats the letterhead of the sender. */
export function letterheadLines(chance: Chance, voice: Voice, of: Firm): string[] {
  const vat = of.vat && `${voice.label("vat")}: ${printedVat(chance, of.vat, country(of.place.country))}`;
  const office = of.person && chance.happens(0.5) ? [] : [`${voice.label("phone")} ${of.phone}`, of.email];
  return [of.name, oneLine(voice, of), joinPresent("   ", [vat, ...office])].filter((line) => line !== "");
}

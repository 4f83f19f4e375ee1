import type { Chance } from "../chance.ts";
import type { Made } from "../document.ts";
import { Voice } from "../voice.ts";
import { daysAfter } from "../world/calendar.ts";
import { plate } from "../world/codes.ts";
import { country } from "../world/countries.ts";
import { driver, firm, street, type Firm } from "../world/firms.ts";
import { makeOrder } from "../world/make-order.ts";
import type { Places } from "../world/places.ts";
import { formLayouts, type Field, type Form } from "./layouts.ts";
import { paperWords } from "./words.ts";

const tight = (text: string): string => text.replaceAll(/[\s-]/g, "");
const two = (value: number): string => String(value).padStart(2, "0");

/** Number of characters in an IBAN after its check digits, by country. */
const ACCOUNT: Record<string, number> = {
  PL: 24,
  DE: 18,
  AT: 16,
  LT: 16,
  HU: 24,
  CZ: 20,
  SK: 20,
  ES: 20,
  BE: 12,
  DK: 14,
  CH: 17,
  HR: 17,
  SE: 20,
};

/**
 * Generates an IBAN with the country's length and a valid checksum. Countries without an entry get a Lithuanian one.
 */
function account97(chance: Chance, home: string): string {
  const code = home in ACCOUNT ? home : "LT";
  const account = chance.code("#".repeat(ACCOUNT[code]!));
  const letters = [...code].map((letter) => letter.charCodeAt(0) - 55).join("");
  const check = String(98n - (BigInt(`${account}${letters}00`) % 97n)).padStart(2, "0");
  return `${code}${check}${account}`.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

interface Given {
  chance: Chance;
  places: Places;
  language: string;
  voice: Voice;
  /** Code of the country that issues the document. */
  home: string;
  holder: Firm;
}

type Sheet = { form: Form; truth: Record<string, unknown> };

async function made(
  chance: Chance,
  places: Places,
  language: string,
  name: string,
  sheet: (given: Given) => Sheet,
): Promise<Made> {
  const layout = formLayouts[name];
  if (!layout) throw new RangeError(`There is no layout ${name} for forms.`);
  const order = makeOrder(chance.fork("order"), places, language, { pair: true });
  const home = order.customer.place.country;
  const holder = firm(chance.fork("holder"), places, order.carrier?.place.country ?? home, "haulier");
  const voice = new Voice(chance.fork("voice"), language, { abroad: true });
  const { form, truth } = sheet({ chance: chance.fork("sheet"), places, language, voice, home, holder });
  const bytes = await layout.set(chance.fork("set"), form);
  return { bytes, extension: layout.extension, language, truth: truth as Made["truth"] };
}

/** Generates the notice of a fine. */
export const makeFine = (chance: Chance, places: Places, language: string, name: string): Promise<Made> =>
  made(chance, places, language, name, fine);

function fine({ chance, places, language, voice, home, holder }: Given): Sheet {
  const words = paperWords(language).fine;
  const town = places.any(chance, home);
  const authority = chance.pick(words.authority).replace("{}", town.city);
  const speeding = chance.happens(0.65);
  const limit = chance.pick([50, 60, 70, 80]);
  const speed = limit + chance.between(6, 31);
  const amount = chance.stepped(30, 480, 10);
  const reduced = chance.happens(0.4) ? amount / 2 : undefined;
  const day = `2026-${two(chance.between(2, 10))}-${two(chance.between(1, 28))}`;
  const minutes = chance.between(1, 1439);
  const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const [until, due] = [daysAfter(day, 20), daysAfter(day, 62)];
  const printedPlate = plate(chance, holder.place.country, "tractor");
  const place = `${street(chance, home)}, ${town.city}`;
  const reference = chance.code(
    chance.pick(["###.##.######.#", "@@/#####/2026", "##########", "@@@-####-##/26", "####/2026/##"]),
  );
  const payref = chance.code(chance.pick(["#############", "@@####-##", "##########"]));
  const account = account97(chance, home);
  const { currency } = country(home);
  const money = (value: number): string => voice.figures.money(value, currency);
  const inBrackets = chance.happens(0.5);
  const fields: (Field | false | undefined)[] = [
    { label: chance.pick(words.reference), value: reference },
    {
      label: chance.pick(words.when),
      value: chance.pick([`${voice.date(day)}, ${clock}`, `${voice.date(day)} ${clock}`]),
    },
    { label: chance.pick(words.where), value: place },
    speeding && { label: chance.pick(words.what), value: words.speeding },
    { label: chance.pick(words.plate), value: inBrackets ? `${printedPlate} (${holder.place.country})` : printedPlate },
    !inBrackets && {
      label: chance.pick(words.country),
      value: chance.happens(0.5)
        ? holder.place.country
        : (new Intl.DisplayNames(language, { type: "region" }).of(holder.place.country) ?? ""),
    },
    speeding && { label: chance.pick(words.limit), value: `${limit} km/h` },
    speeding && { label: chance.pick(words.speed), value: `${speed} km/h` },
    { label: chance.pick(words.amount), value: money(amount) },
    reduced !== undefined && {
      label: chance.pick(words.reduced).replace("{}", voice.date(until)),
      value: money(reduced),
    },
    { label: chance.pick(words.due), value: voice.date(due) },
    { label: "IBAN", value: account },
    { label: chance.pick(words.payref), value: payref },
  ];
  return {
    form: {
      letterhead: [authority, `${street(chance, home)}, ${voice.town(town)}`, voice.date(daysAfter(day, 12))],
      recipient: [holder.name, holder.street, voice.town(holder.place)],
      title: chance.pick(words.title),
      opening: words.letter,
      fields: fields.filter((field) => field !== undefined && field !== false),
      closing: [],
    },
    truth: {
      reference,
      authority,
      offenceAt: `${day}T${clock}`,
      place,
      measuredSpeed: speeding ? speed : null,
      speedLimit: speeding ? limit : null,
      licensePlate: tight(printedPlate),
      plateCountry: holder.place.country,
      amount,
      currency,
      discountedAmount: reduced ?? null,
      discountUntil: reduced === undefined ? null : until,
      dueDate: due,
      iban: tight(account),
      paymentReference: payref,
    },
  };
}

/** Generates an insurance policy or certificate. */
export const makePolicy = (chance: Chance, places: Places, language: string, name: string): Promise<Made> =>
  made(chance, places, language, name, policy);

function policy({ chance, places, language, voice, home, holder }: Given): Sheet {
  const words = paperWords(language).policy;
  const insurer = words.insurer.replace("{}", chance.pick(country(home).starts));
  const [insured, taken, numbered, period, sum, own, area, plates] = words.labels as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const from = `2026-${two(chance.between(1, 10))}-01`;
  const to = daysAfter(from, 364);
  const amount = chance.pick([100_000, 200_000, 300_000, 600_000, 1_000_000]);
  const number = chance.code(chance.pick(["@@/##/#######", "VH ##-####.###", "##########", "@@@-######-26"]));
  const states = chance.shuffled(["DE", "PL", "FR", "IT", "CZ", "AT", "NL", "ES", "HU"]).slice(0, chance.between(2, 6));
  const asCodes = chance.happens(0.4);
  const named = states.map((code) =>
    asCodes ? code : (new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code),
  );
  const printed = chance.happens(0.6)
    ? Array.from({ length: chance.between(1, 3) }, () => plate(chance, holder.place.country, "tractor"))
    : [];
  const apart = chance.happens(0.4);
  const fields: (Field | false)[] = [
    { label: numbered, value: number },
    chance.happens(0.7) && { label: insured, value: insurer },
    {
      label: taken,
      value: [holder.name, holder.street, voice.town(holder.place), ...(holder.vat ? [holder.vat] : [])].join("\n"),
    },
    ...(apart
      ? [
          { label: words.from, value: voice.date(from) },
          { label: words.to, value: voice.date(to) },
        ]
      : [{ label: period, value: `${voice.date(from)} - ${voice.date(to)}` }]),
    { label: sum, value: `${voice.figures.money(amount, "EUR")} ${words.each}` },
    { label: own, value: voice.figures.money(500, "EUR") },
    { label: area, value: named.join(", ") },
    printed.length > 0 && { label: plates, value: printed.join(", ") },
  ];
  const seat = places.any(chance, home);
  return {
    form: {
      letterhead: [insurer, `${street(chance, home)}, ${voice.town(seat)}`],
      recipient: [],
      title: chance.pick(words.title),
      opening: words.kind,
      fields: fields.filter((field) => field !== false),
      closing: [`${seat.city}, ${voice.date(daysAfter(from, -9))}`],
    },
    truth: {
      kind: "CarrierLiability",
      policyNumber: number,
      insurer,
      policyHolder: {
        name: holder.name,
        street: holder.street,
        postalCode: holder.place.postalCode,
        city: holder.place.city,
        ...(holder.vat && { vatCode: tight(holder.vat) }),
      },
      validFrom: from,
      validTo: to,
      sumInsured: amount,
      currency: "EUR",
      territory: states,
      licensePlates: printed.map(tight),
    },
  };
}

/** Generates a driving licence, ADR certificate, driver card or A1 certificate. */
export const makeDriverPaper = (chance: Chance, places: Places, language: string, name: string): Promise<Made> =>
  made(chance, places, language, name, driverPaper);

const NUMBERED = ["1.", "2.", "3.", "4a.", "4b.", "4c.", "5.", "9."];

function driverPaper({ chance, places, language, voice, home }: Given): Sheet {
  const words = paperWords(language).paper;
  const kind = chance.pick(["licence", "adr", "card", "a1"] as const);
  const [given = "", ...more] = driver(chance, home).name.split(" ");
  const surname = more.join(" ");
  const [birth, issued] = [
    `19${chance.between(65, 99)}-${two(chance.between(1, 12))}-${two(chance.between(1, 28))}`,
    `202${chance.between(0, 5)}-${two(chance.between(1, 12))}-${two(chance.between(1, 28))}`,
  ];
  const expires = daysAfter(issued, 365 * chance.between(1, 5));
  const number = chance
    .code(kind === "card" ? "@@@#############" : chance.pick(["@###@@@####", "########", "@@ ######", "###/####/##"]))
    .replaceAll(" ", "");
  const categories =
    kind === "licence"
      ? ["B", "C", "CE", ...(chance.happens(0.5) ? ["D"] : [])]
      : kind === "adr"
        ? ["2", "3", "4.1", "8"]
        : [];
  const office = places.any(chance, home).city;
  const state = new Intl.DisplayNames(language, { type: "region" }).of(home) ?? home;
  const [last, first, born, certificate, from, to, classes, by, card] = words.labels as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const fields: Field[] =
    kind === "licence"
      ? [
          surname,
          given,
          voice.date(birth),
          voice.date(issued),
          voice.date(expires),
          office,
          number,
          categories.join(chance.pick(["/", ", ", " "])),
        ].map((value, at) => ({ label: NUMBERED[at]!, value }))
      : [
          { label: last, value: surname },
          { label: first, value: given },
          { label: born, value: voice.date(birth) },
          { label: kind === "card" ? card : certificate, value: number },
          { label: by, value: office },
          { label: from, value: voice.date(issued) },
          { label: to, value: voice.date(expires) },
          ...(kind === "adr" ? [{ label: classes, value: categories.join(", ") }] : []),
        ];
  return {
    form: { letterhead: [state], recipient: [], title: words[kind], opening: "", fields, closing: [] },
    truth: {
      type: { licence: "DrivingLicence", adr: "Adr", card: "DriverCard", a1: "A1" }[kind],
      number,
      issuingCountry: home,
      issuedAt: issued,
      expiresAt: expires,
      categories,
      holder: { name: `${given} ${surname}`, birthDate: birth },
    },
  };
}

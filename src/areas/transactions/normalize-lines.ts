import { toStoredCard, type StoredCard } from "../../domain/payment-cards.ts";
import type { Env } from "../../platform/env.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { isStorableInstant } from "../../domain/periods.ts";
import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import { kindOfProduct, isLitre, type StatementLine } from "../../extraction/statements/index.ts";
import { fuelIn } from "./anomalies.ts";
import { retryable, type Rejected } from "./ledger.ts";
import type { ItemInput } from "./input.ts";
import type { Entry } from "./model.ts";

/** Data that applies to all lines of a feed. */
export interface ImportContext {
  env: Env;
  company: string;
  /** Country of the company, for lines that name no country. */
  homeCountry?: string | undefined;
  provider?: string | undefined;
}

type InputLine = Omit<StatementLine, "kind" | "type"> &
  Partial<Pick<StatementLine, "kind" | "type">> &
  Pick<Partial<ItemInput>, "metadata">;

/** Normalizes lines for the ledger and looks up their places. Lines that cannot be normalized are rejected. */
export async function normalizeLines(
  desk: ImportContext,
  lines: readonly { row: number; line: InputLine }[],
): Promise<{ entries: Entry[]; rejected: Rejected[] }> {
  const cards = new Map<string, StoredCard>();
  const clocks = new Clocks();
  const [entries, rejected]: [Entry[], Rejected[]] = [[], []];
  for (const { row, line } of lines) {
    const zone = zoneFor(desk, line);
    const occurredAt = instantIn(clocks, line.occurredAt, zone);
    if (occurredAt) entries.push(entryOf(desk, row, line, { zone, occurredAt }, cards));
    else rejected.push({ row, errors: [noMoment(line)] });
  }
  await locate(desk.env, entries);
  return { entries, rejected };
}

const zoneFor = (
  { homeCountry }: ImportContext,
  { countryCode, postalCode, latitude, longitude, currency }: InputLine,
): string =>
  zoneOf({
    countryCode: countryCode ?? homeCountry ?? countryOfCurrency(currency),
    postalCode,
    latitude,
    longitude,
  }) ?? "UTC";

function instantIn(clocks: Clocks, moment: string, zone: string): string | undefined {
  try {
    const instant = clocks.instantOf(moment, zone);
    return isStorableInstant(instant) ? instant : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class Clocks {
  private readonly offsets = new Map<string, number | undefined>();

  instantOf(moment: string, zone: string): string {
    const day = moment.slice(0, 10);
    const offset = isLocal(moment) ? this.offsetOn(day, zone) : undefined;
    if (offset === undefined) return instantOf(moment, zone);
    return new Date(utc(day, moment.slice(10) || "T00:00") - offset).toISOString();
  }

  /** In milliseconds, positive east of Greenwich; undefined if clocks change on that day. */
  private offsetOn(day: string, zone: string): number | undefined {
    const key = `${zone} ${day}`;
    if (!this.offsets.has(key)) {
      const [first, last] = ["T00:00:00", "T23:59:59"].map(
        (time) => utc(day, time) - Date.parse(instantOf(`${day}${time}`, zone)),
      );
      this.offsets.set(key, first === last ? first : undefined);
    }
    return this.offsets.get(key);
  }
}

const utc = (day: string, time: string) => Date.parse(`${day}${time}Z`);

const noMoment = ({ occurredAt }: InputLine) => ({
  code: "invalid",
  field: "occurredAt",
  message: `"${occurredAt}" is not a time in the years 0000 to 9999.`,
});

function entryOf(
  { env, company, provider }: ImportContext,
  row: number,
  line: InputLine,
  { zone, occurredAt }: { zone: string; occurredAt: string },
  cards: Map<string, StoredCard>,
): Entry {
  const { cardNumber, occurredAt: moment, driver, latitude, longitude, licensePlate } = line;
  const { netAmount, vatAmount, grossAmount, odometer } = line;
  const kind =
    line.kind ??
    (line.productName ? kindOfProduct(line.productName) : undefined) ??
    (line.unit && isLitre(line.unit) ? "Fuel" : "Other");
  if (cardNumber && !cards.has(cardNumber)) cards.set(cardNumber, toStoredCard(env, company, cardNumber));
  const { externalId, invoiceNumber, vin, station, city, postalCode, countryCode, productName } = line;
  const { quantity, unit, unitPrice, currency, metadata } = line;
  return {
    row,
    provider,
    externalId,
    invoiceNumber,
    kind,
    type: line.type ?? ((grossAmount ?? netAmount ?? 0) < 0 ? "Refund" : "Purchase"),
    occurredAt,
    local: isLocal(moment)
      ? `${moment}${moment.includes("T") ? ":00" : "T00:00:00"}`.slice(0, 19)
      : localTimeIn(occurredAt, zone).slice(0, 19),
    timed: moment.includes("T"),
    card: cardNumber ? cards.get(cardNumber) : undefined,
    licensePlate: licensePlate && latin(licensePlate),
    vin,
    driverSaid: driver,
    station,
    city,
    postalCode,
    countryCode,
    point: latitude !== undefined && longitude !== undefined ? { latitude, longitude, within: 0 } : undefined,
    productName,
    fuel: fuelIn({ kind, productName: productName ?? "" }),
    quantity,
    unit,
    unitPrice,
    net: centsOf(netAmount),
    vat: centsOf(vatAmount),
    gross: centsOf(grossAmount),
    currency,
    odometer: odometer === undefined ? undefined : Math.round(odometer),
    metadata,
  };
}

const isLocal = (moment: string) => !/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(moment);

/** Converts an amount to cents. Half a cent is rounded away from zero, so that a refund equals its purchase. */
export const centsOf = (amount: number | undefined): number | undefined => {
  if (amount === undefined) return undefined;
  const cents = Math.round(Number((Math.abs(amount) * 100).toPrecision(15)));
  return amount < 0 ? -cents : cents;
};

/** `PL` for `PLN`. The euro is excluded, because it belongs to several countries. */
const countryOfCurrency = (currency: string | undefined) =>
  currency && currency !== "EUR" ? currency.slice(0, 2) : undefined;

const twins: Record<string, string> = Object.fromEntries(
  [..."АAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"].flatMap((letter, at, all) =>
    at % 2 === 0 ? [[letter, all[at + 1]!]] : [],
  ),
);

/** Replaces Cyrillic and Greek letters by the Latin letters that look like them. */
export const latin = (plate: string): string => plate.replace(/[\u0370-\u04ff]/g, (letter) => twins[letter] ?? letter);

const known = new Map<string, Entry["point"] | null>();
const mostKnown = 20_000;
const stationUncertaintyKm = 30;
const leastPeople = 1000;

async function locate(env: Env, entries: Entry[]): Promise<void> {
  for (const entry of entries) {
    const { countryCode, city, postalCode, station } = entry;
    if (entry.point || !countryCode || !(city || postalCode || station)) continue;
    const key = [countryCode, postalCode, city, station].join("|");
    let point = known.get(key);
    if (point === undefined) {
      point = (await placeOf(env, countryCode, entry)) ?? null;
      if (known.size >= mostKnown) known.clear();
      known.set(key, point);
    }
    if (point) entry.point = point;
  }
}

/** Looks up a location by the postal code, otherwise by the town, otherwise by a town in the name of the station. */
export async function placeOf(
  env: Env,
  countryCode: string,
  { city, postalCode, station }: Pick<Entry, "city" | "postalCode" | "station">,
): Promise<Entry["point"]> {
  const gazetteer = await retryable(gazetteerOf(env).prepare([countryCode]));
  const [coded] = postalCode ? gazetteer.lookupPostal(countryCode, postalCode) : [];
  const [town] = city ? gazetteer.lookupCity(city, countryCode) : [];
  const place =
    coded ??
    town ??
    largest(
      (station ? runsOf(station) : []).flatMap((words) =>
        gazetteer.lookupCity(words, countryCode).filter(({ population }) => population >= leastPeople),
      ),
    );
  return (
    place && {
      latitude: place.latitude,
      longitude: place.longitude,
      within: (coded ?? town) ? 5 : stationUncertaintyKm,
    }
  );
}

const largest = <Place extends { population: number }>(places: readonly Place[]): Place | undefined =>
  places.reduce<Place | undefined>(
    (best, next) => (best && best.population >= next.population ? best : next),
    undefined,
  );

/** Lists all sequences of one to three consecutive words of a name. Words of fewer than three letters are skipped. */
export function runsOf(name: string): string[] {
  const words = name
    .split(/[^\p{L}-]+/u)
    .filter((word) => word.length >= 3)
    .slice(0, 8);
  return words.flatMap((_, from) =>
    [1, 2, 3].flatMap((count) => (from + count <= words.length ? [words.slice(from, from + count).join(" ")] : [])),
  );
}

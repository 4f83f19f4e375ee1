import { tzOffset } from "@date-fns/tz/tzOffset";
import zoneAt from "@photostructure/tz-lookup";
import { memoize } from "../../extraction/statements/memoize.ts";
import severalZones from "./zones.json" with { type: "json" };

/**
 * The clocks of the world's stops. The table in zones.json names, for every country with clocks of several kinds (and those
 * the runtime does not know or lists in an odd order), the zone most of it keeps and the beginnings of the postal codes
 * that keep another one; the longest beginning wins.
 *
 * Sources: zones and countries are IANA's, by way of the runtime (Intl). United States and Canada: coordinates of GeoNames'
 * postal codes (CC BY 4.0) looked up in OpenStreetMap's zone boundaries. Russia, Australia, Brazil, Mexico and others: the
 * ranges that their post offices give to regions.
 */

/** Where a stop is, as far as it is known. */
export interface ZonedPlace {
  /** ISO 3166-1 alpha-2, capitals. */
  countryCode?: string | undefined;
  /** As written: blanks, dashes and country letters before it do not matter; its first figures alone are enough. */
  postalCode?: string | undefined;
  /** Degrees, north positive. */
  latitude?: number | undefined;
  /** Degrees, east positive. */
  longitude?: number | undefined;
}

interface Zones {
  zone: string;
  /** Length of a code that may have lost its leading zero in a spreadsheet. */
  digits?: number;
  postal?: Record<string, string>;
}

interface Point {
  latitude: number;
  longitude: number;
}

const zonesOf = new Map<string, Zones>(Object.entries(severalZones as Record<string, Zones>));
const DAY = 86_400_000;
const LONGEST_CODE = 10;
/** Degrees of latitude; how far from a border the small table of zones may err. */
const NEARBY = [0.1, 0.25, 0.5, 0.75];
const DIRECTIONS = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => ({ north, east })));

/**
 * The IANA time zone of a place: by its coordinates, else by country and postal code. Coordinates near a border count for
 * the side the country is on; coordinates at sea count for the land nearby or the country. Undefined where neither
 * coordinates nor a country with a known zone are given.
 */
export function zoneOf(place: ZonedPlace): string | undefined {
  const country = /^[A-Z]{2}$/.test(place.countryCode ?? "") ? place.countryCode : undefined;
  const point = pointOf(place);
  if (!point) return country && zoneOfPostalCode(country, place.postalCode);
  const exact = zoneAt(point.latitude, point.longitude);
  const near = () => around(point).filter(isLand);
  if (!country) return isLand(exact) ? exact : (near()[0] ?? exact);
  const atHome = homeOf(country);
  if (isLand(exact) && atHome(exact)) return exact;
  return near().find(atHome) ?? (isLand(exact) ? exact : (zoneOfPostalCode(country, place.postalCode) ?? exact));
}

/**
 * The instant of a date or time, as `2026-03-29T01:30:00.000Z`. A date alone is its midnight. One with an offset is taken as
 * it is, any other as the clocks of the zone show it: where they skip it, it moves forward by what they skip; where they
 * show it twice, it is the first.
 *
 * @param moment as {@link ./shapes.ts MomentText} takes it
 * @param zone an IANA time zone
 * @throws {RangeError} when it is no moment, or no zone
 */
export function instantOf(moment: string, zone: string): string {
  const [, local, sign, hours, minutes] = /^(.+T.+?)(?:Z|([+-])(\d\d):?(\d\d))$/i.exec(moment) ?? [];
  if (local) return new Date(sign ? `${local}${sign}${hours}:${minutes}` : `${local}Z`).toISOString();
  const clock = Date.parse(moment.includes("T") ? `${moment}Z` : moment);
  const before = clock - offsetAt(zone, clock - DAY);
  const after = clock - offsetAt(zone, clock + DAY);
  const isShown = (instant: number) => instant + offsetAt(zone, instant) === clock;
  return new Date(before !== after && !isShown(before) && isShown(after) ? after : before).toISOString();
}

/** What the clocks of a zone show at an instant: `2026-03-29T03:30:00`. @throws {RangeError} when there is no such zone */
export const localTimeIn = (instant: string, zone: string): string =>
  new Date(Date.parse(instant) + offsetAt(zone, Date.parse(instant))).toISOString().replace(/(?:\.000)?Z$/, "");

/** Milliseconds east of UTC; NaN where there is no such zone. */
const offsetAt = (zone: string, instant: number) => Math.round(tzOffset(zone, new Date(instant)) * 60_000);

function pointOf({ latitude, longitude }: ZonedPlace): Point | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const onEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return onEarth ? { latitude, longitude } : undefined;
}

/** Zones of the points around one, the nearest first. */
function around({ latitude, longitude }: Point): string[] {
  const wider = 1 / Math.max(0.2, Math.cos((latitude * Math.PI) / 180));
  return NEARBY.flatMap((far) =>
    DIRECTIONS.map(({ north, east }) =>
      zoneAt(Math.max(-90, Math.min(90, latitude + north * far)), onGlobe(longitude + east * far * wider)),
    ),
  );
}

const onGlobe = (longitude: number) => ((longitude + 540) % 360) - 180;

/** At sea the table of coordinates gives `Etc/GMT+3` and the like. */
const isLand = (zone: string) => !zone.startsWith("Etc/");

/** What the clocks of a zone show in winter and summer. */
const clockOf = memoize((zone) =>
  [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((instant) => offsetAt(zone, instant)).join(),
);

/** One name for each zone: Europe/Kyiv and Europe/Kiev are the same. */
const nameOf = memoize((zone) => new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone);

/** Every zone kept somewhere in a country, as the runtime knows it; empty for what is no country. */
const zonesIn = memoize((country) => new Intl.Locale(`und-${country}`).getTimeZones() ?? []);

/** Tells whether a zone may be the country's: one with the same clock, or by its name where the country has several clocks. */
const homeOf = memoize((country) => {
  const listed = zonesOf.get(country);
  const zones = [...zonesIn(country), ...(listed ? [listed.zone, ...Object.keys(listed.postal ?? {})] : [])];
  const clocks = new Set(zones.map(clockOf));
  const names = new Set(zones.map(nameOf));
  return clocks.size === 1 ? (zone: string) => clocks.has(clockOf(zone)) : (zone: string) => names.has(nameOf(zone));
});

function zoneOfPostalCode(country: string, postalCode = ""): string | undefined {
  const listed = zonesOf.get(country);
  if (!listed) return zoneOfWholeCountry(country);
  const code = bareCode(postalCode, listed.digits);
  const beginnings = beginningsOf(country);
  for (let length = code.length; length > 0; length--) {
    const zone = beginnings.get(code.slice(0, length));
    if (zone) return zone;
  }
  return listed.zone;
}

/** Undefined where zones differ and no table says which one most keep: Antarctica. */
function zoneOfWholeCountry(country: string): string | undefined {
  const zones = zonesIn(country);
  return new Set(zones.map(clockOf)).size === 1 ? zones[0] : undefined;
}

/** The zone of each beginning of a postal code that keeps another one than most of the country. */
const beginningsOf = memoize(
  (country) =>
    new Map(
      Object.entries(zonesOf.get(country)?.postal ?? {}).flatMap(([zone, beginnings]) =>
        beginnings.split(" ").map((beginning) => [beginning, zone] as const),
      ),
    ),
);

/** "E-35001" is "35001", "V1A 2B3" is "V1A2B3", "8001" of five figures is "08001". */
function bareCode(postalCode: string, digits?: number): string {
  const bare = postalCode
    .toUpperCase()
    .replace(/[^A-Z\d]/g, "")
    .replace(/^[A-Z]+(?=\d\d)/, "");
  return (bare.length + 1 === digits ? `0${bare}` : bare).slice(0, LONGEST_CODE);
}

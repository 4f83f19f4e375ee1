import { tzOffset } from "@date-fns/tz/tzOffset";
import zoneAt from "@photostructure/tz-lookup";
import { memoize } from "../../extraction/statements/memoize.ts";
import severalZones from "./zones.json" with { type: "json" };

/**
 * Time zones of stops. For each country with several zones, `zones.json` has its main zone, and the prefixes of postal
 * codes in its other zones; the longest prefix is used. It also has countries that the runtime lacks or lists in an
 * unusual order. Sources: zones and countries are those of IANA, from the runtime (Intl). United States and Canada:
 * coordinates of GeoNames' postal codes (CC BY 4.0), located in the zone boundaries of OpenStreetMap. Russia,
 * Australia, Brazil, Mexico and others: the ranges that their post offices assign to regions.
 */

/** The location of a stop. Every field may be missing. */
export interface ZonedPlace {
  /** ISO 3166-1 alpha-2, upper case. */
  countryCode?: string | undefined;
  /** The code as written. Whitespace, dashes and a country prefix are ignored; the first digits are sufficient. */
  postalCode?: string | undefined;
  /** Degrees, north positive. */
  latitude?: number | undefined;
  /** Degrees, east positive. */
  longitude?: number | undefined;
}

interface Zones {
  zone: string;
  /** Number of digits of a postal code that may have lost its leading zero in a spreadsheet. */
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
/**
 * In degrees of latitude. Near a border the zone table is only approximate, so points around a place are looked up too.
 */
const NEARBY = [0.1, 0.25, 0.5, 0.75];
const DIRECTIONS = [-1, 0, 1].flatMap((north) => [-1, 0, 1].map((east) => ({ north, east })));

/**
 * Determines the IANA time zone of a place from its coordinates, otherwise from its country and postal code. Near a
 * border, the country decides between the zones. At sea, the nearest land or the country decides. Returns undefined if
 * the place has no coordinates and the zone of its country is not known.
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
 * Converts a date or time to an instant, such as `2026-03-29T01:30:00.000Z`. A date means midnight. Without an offset,
 * it is local time in the zone. A time that the change to summer time skips is moved forward by the skipped hour. If a
 * time occurs twice, its first instant is used.
 * @param moment as {@link ./shapes.ts MomentText} accepts it
 * @param zone an IANA time zone
 * @throws {RangeError} if the text is not a date or time, or the zone does not exist
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

/**
 * Returns the local time of a zone at an instant, such as `2026-03-29T03:30:00`.
 * @throws {RangeError} if the zone does not exist
 */
export const localTimeIn = (instant: string, zone: string): string =>
  new Date(Date.parse(instant) + offsetAt(zone, Date.parse(instant))).toISOString().replace(/(?:\.000)?Z$/, "");

/** In milliseconds, positive to the east; NaN if the zone does not exist. */
const offsetAt = (zone: string, instant: number) => Math.round(tzOffset(zone, new Date(instant)) * 60_000);

function pointOf({ latitude, longitude }: ZonedPlace): Point | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const onEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return onEarth ? { latitude, longitude } : undefined;
}

function around({ latitude, longitude }: Point): string[] {
  const wider = 1 / Math.max(0.2, Math.cos((latitude * Math.PI) / 180));
  return NEARBY.flatMap((far) =>
    DIRECTIONS.map(({ north, east }) =>
      zoneAt(Math.max(-90, Math.min(90, latitude + north * far)), onGlobe(longitude + east * far * wider)),
    ),
  );
}

const onGlobe = (longitude: number) => ((longitude + 540) % 360) - 180;

/** At sea the coordinate table returns zones such as `Etc/GMT+3`. */
const isLand = (zone: string) => !zone.startsWith("Etc/");

/** In winter and in summer, as a text for comparison. */
const clockOf = memoize((zone) =>
  [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((instant) => offsetAt(zone, instant)).join(),
);

/** The same for Europe/Kyiv and Europe/Kiev. */
const nameOf = memoize((zone) => new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone);

/** Empty if the country does not exist. */
const zonesIn = memoize((country) => new Intl.Locale(`und-${country}`).getTimeZones() ?? []);

/**
 * Returns a test for whether a zone may belong to the country. It compares the UTC offsets, or the names if the country
 * has zones with different offsets.
 */
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

/** Undefined if the zones of the country differ, as in Antarctica. */
function zoneOfWholeCountry(country: string): string | undefined {
  const zones = zonesIn(country);
  return new Set(zones.map(clockOf)).size === 1 ? zones[0] : undefined;
}

const beginningsOf = memoize(
  (country) =>
    new Map(
      Object.entries(zonesOf.get(country)?.postal ?? {}).flatMap(([zone, beginnings]) =>
        beginnings.split(" ").map((beginning) => [beginning, zone] as const),
      ),
    ),
);

/** "E-35001" becomes "35001", "V1A 2B3" becomes "V1A2B3", and "8001" with five digits "08001". */
function bareCode(postalCode: string, digits?: number): string {
  const bare = postalCode
    .toUpperCase()
    .replace(/[^A-Z\d]/g, "")
    .replace(/^[A-Z]+(?=\d\d)/, "");
  return (bare.length + 1 === digits ? `0${bare}` : bare).slice(0, LONGEST_CODE);
}

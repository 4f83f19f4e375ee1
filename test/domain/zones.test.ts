import { assert, constantFrom, date, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { clockChangeIn, clocksOf, HOUR } from "../support/european-clocks.ts";
import { MomentText } from "../../src/domain/shapes.ts";
import { instantOf, zoneOf } from "../../src/domain/places/zones.ts";
import severalZones from "../../src/domain/places/zones.json" with { type: "json" };

const MINUTE = 60_000;

/** Splits a text into its rows, which are separated by bars or line breaks. Empty rows are left out. */
const rows = (text: string) =>
  text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Computes the offset of a zone from UTC at an instant, in milliseconds, with Intl. */
const offsetOf = (zone: string, instant: number) => Date.parse(`${clockAt(zone, instant)}Z`) - instant;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Formats the local time of a zone at an instant, such as `2026-03-29T01:30:00`. */
function clockAt(zone: string, instant: number): string {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(zone, clock);
  return clock.format(instant).replace(" ", "T");
}

/** Whether two zones have the same local time in winter and in summer. */
const sameClock = (one: string, other: string) =>
  [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].every((at) => offsetOf(one, at) === offsetOf(other, at));

function zoneOfRow(place: string): string {
  const [countryCode, postalCode] = place.split(":");
  return zoneOf({ countryCode, postalCode })!;
}

const text = (shown: number) => new Date(shown).toISOString().slice(0, 19);
const iso = (instant: number) => new Date(instant).toISOString();

describe.each([2026, 2027])("summer time of %i", (year) => {
  const [spring, autumn] = [clockChangeIn(year, 2), clockChangeIn(year, 9)];

  test.each(clocksOf("union"))("$place observes it, $winter ms east of UTC in winter", ({ place, winter }) => {
    const zone = zoneOfRow(place);
    const summer = winter + HOUR;
    const half = 30 * MINUTE;
    const asked: [shown: number, instant: number][] = [
      [spring + winter - half, spring - half],
      // A local time that the change skips is read with the offset before the change.
      [spring + winter, spring],
      [spring + winter + half, spring + half],
      [spring + summer, spring],
      [spring + summer + half, spring + half],
      [autumn + summer - 3 * half, autumn - 3 * half],
      // A local time that occurs twice means its first occurrence.
      [autumn + winter, autumn - HOUR],
      [autumn + winter + half, autumn - half],
      [autumn + summer, autumn + HOUR],
      [autumn + summer + half, autumn + 3 * half],
    ];
    expect(asked.map(([shown]) => instantOf(text(shown), zone))).toEqual(asked.map(([, instant]) => iso(instant)));
  });

  test.each(clocksOf("fixed"))("$place does not observe it, $winter ms east of UTC", ({ place, winter }) => {
    const zone = zoneOfRow(place);
    const asked = [spring, autumn].flatMap((change) => [-3, -2, -1, 0, 1, 2, 3].map((hours) => change + hours * HOUR));
    expect(asked.map((instant) => instantOf(text(instant + winter), zone))).toEqual(asked.map(iso));
  });
});

test("the table contains every European country that the runtime knows", () => {
  const told = new Set([...clocksOf("union"), ...clocksOf("fixed")].map(({ place }) => place.slice(0, 2)));
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const codes = letters.flatMap((one) => letters.map((two) => one + two));
  // Codes that are not, or are no longer, the code of a country.
  const gone = new Set(["CS", "DD", "FX", "SU", "UK", "YU"]);
  const european = codes.filter((code) =>
    (new Intl.Locale(`und-${code}`).getTimeZones() ?? []).some((zone) => zone.startsWith("Europe/")),
  );
  expect(european.filter((code) => !told.has(code) && !gone.has(code))).toEqual([]);
});

describe("conversion of local times", () => {
  test.each([
    ["2026-11-24", "2026-11-23T23:00:00.000Z"],
    ["2026-11-24T08:00", "2026-11-24T07:00:00.000Z"],
    ["2026-11-24T08:00:05", "2026-11-24T07:00:05.000Z"],
    ["2026-11-24T08:00:05.123", "2026-11-24T07:00:05.123Z"],
    ["2026-11-24T08:00:05Z", "2026-11-24T08:00:05.000Z"],
    ["2026-11-24T08:00-05:30", "2026-11-24T13:30:00.000Z"],
    ["2026-11-24T08:00-0530", "2026-11-24T13:30:00.000Z"],
    ["2026-11-24T08:00z", "2026-11-24T08:00:00.000Z"],
    ["2026-10-25T02:30+01:00", "2026-10-25T01:30:00.000Z"],
    ["2026-10-25T02:30+02:00", "2026-10-25T00:30:00.000Z"],
    ["2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z"],
  ])("%s in Warsaw is %s", (moment, instant) => {
    expect(MomentText.parse(moment)).toBe(moment);
    expect(instantOf(moment, "Europe/Warsaw")).toBe(instant);
  });

  test.each([
    // These zones have a summer time of half an hour, a change that skips midnight, and a change that skipped a whole
    // day.
    ["Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45:00.000Z"],
    ["Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00.000Z"],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-24T08:00", "2026-11-24T02:15:00.000Z"],
  ])("in %s, %s is %s", (zone, moment, instant) => expect(instantOf(moment, zone)).toBe(instant));

  test.each(
    rows(`
    2026-02-30
    2027-02-29T08:00
    2026-13-01
    2026-00-10
    2026-11-31T08:00:00Z
    2026-11-24T25:00
    2026-11-24T24:00
    2026-11-24T08:60
    2026-11-24T08:00:60
    2026-11-24T08
    2026-11-24 08:00
    2026-11-24T08:00+24:00
    2026-11-24T08:00:00.
    24.11.2026
    20261124
    tomorrow`),
  )("%s is refused", (moment) => {
    const { error } = MomentText.safeParse(moment);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^(Not a date such as 2026-11-24|This day does not exist in the calendar$)/),
    ]);
  });

  test("an unknown zone or an invalid time throws a RangeError", () => {
    expect(() => instantOf("2026-11-24", "Europe/Atlantis")).toThrow(RangeError);
    expect(() => instantOf("tomorrow", "Europe/Berlin")).toThrow(RangeError);
  });
});

test("a local time converts back to its instant, to the earlier one if it is repeated", () => {
  const moments = date({ min: new Date("2000-01-01"), max: new Date("2037-12-31"), noInvalidDate: true });
  const zones = constantFrom(...Intl.supportedValuesOf("timeZone"));
  assert(
    property(zones, moments, (zone, moment) => {
      const instant = Math.floor(moment.getTime() / 1000) * 1000;
      const shown = clockAt(zone, instant);
      const found = Date.parse(instantOf(shown, zone));
      expect(clockAt(zone, found)).toBe(shown);
      expect(found).toBeLessThanOrEqual(instant);
      expect(instant - found).toBeLessThanOrEqual(offsetOf(zone, found) - offsetOf(zone, instant));
    }),
    { numRuns: 2000 },
  );
});

describe("zones by postal code", () => {
  test.each(
    rows(`
ES 08001 Europe/Madrid | ES 8001 Europe/Madrid | ES 3501 Europe/Madrid | ES 35 Atlantic/Canary
    ES E-38670 Atlantic/Canary | ES ES51001 Africa/Ceuta
    PT 4000-001 Europe/Lisbon | PT PT-9400-001 Atlantic/Madeira | PT 9900 Atlantic/Azores
    FR 75001 Europe/Paris | FR 9710 Europe/Paris | FR 97110 America/Guadeloupe | FR 97200 America/Martinique
    FR 97300 America/Cayenne | FR 97400 Indian/Reunion | FR 97500 America/Miquelon | FR 97600 Indian/Mayotte
    FR 98600 Pacific/Wallis | FR 98714 Pacific/Tahiti | FR 98800 Pacific/Noumea
    DK 2100 Europe/Copenhagen | DK 3900 America/Nuuk
    UA 49000 Europe/Kyiv | UA 99000 Europe/Simferopol
    RU 190000 Europe/Moscow | RU 236001 Europe/Kaliningrad | RU 443086 Europe/Samara
    RU 630099 Asia/Novosibirsk | RU 644099 Asia/Omsk | RU 660049 Asia/Krasnoyarsk | RU 664003 Asia/Irkutsk
    RU 672000 Asia/Chita | RU 677000 Asia/Yakutsk | RU 690091 Asia/Vladivostok | RU 693000 Asia/Sakhalin
    RU 685000 Asia/Magadan | RU 683000 Asia/Kamchatka | RU 689000 Asia/Anadyr
    US 10001 America/New_York | US 2108 America/New_York | US 42701-1234 America/New_York
    US 40202 America/New_York | US 42101 America/Chicago | US 37402 America/New_York | US 37203 America/Chicago
    US 60601 America/Chicago | US 57701 America/Denver | US 57101 America/Chicago | US 69101 America/Chicago
    US 69361 America/Denver | US 79901 America/Denver | US 80202 America/Denver | US 85001 America/Phoenix
    US 86515 America/Denver | US 83814 America/Los_Angeles | US 83702 America/Denver
    US 89101 America/Los_Angeles | US 89883 America/Denver | US 97914 America/Denver
    US 98101 America/Los_Angeles | US 99501 America/Anchorage | US 96801 Pacific/Honolulu
    US 00901 America/Puerto_Rico | US 901 America/Los_Angeles
    CA M5V3L9 America/Toronto | CA A1C America/St_Johns | CA B3H1A1 America/Halifax | CA E1A1A1 America/Moncton
    CA R3B America/Winnipeg | CA P9N America/Winnipeg | CA S4P3Y2 America/Regina | CA T2P1J9 America/Edmonton
    CA v6b1a1 America/Vancouver | CA Y1A America/Whitehorse
    AU 2000 Australia/Sydney | AU 800 Australia/Darwin | AU 3000 Australia/Melbourne
    AU 4000 Australia/Brisbane | AU 5000 Australia/Adelaide | AU 6000 Australia/Perth
    AU 2880 Australia/Broken_Hill
    BR 01310-100 America/Sao_Paulo | BR 69005-010 America/Manaus | BR 69900-000 America/Rio_Branco
    BR 78005-000 America/Cuiaba
    MX 06000 America/Mexico_City | MX 6000 America/Mexico_City | MX 22000 America/Tijuana
    MX 77500 America/Cancun | MX 83000 America/Hermosillo | MX 88500 America/Matamoros
    MX 88000 America/Matamoros
    KZ 010000 Asia/Almaty
    ID 80111 Asia/Makassar
    CL 6200000 America/Punta_Arenas
    NZ 8942 Pacific/Chatham`).map((row) => row.split(" ") as [string, string, string]),
  )("%s %s is in %s", (countryCode, postalCode, zone) => expect(zoneOf({ countryCode, postalCode })).toBe(zone));

  test.each([
    ["PL", "Europe/Warsaw"],
    ["XK", "Europe/Belgrade"],
    ["CN", "Asia/Shanghai"],
    ["JP", "Asia/Tokyo"],
    ["AQ", undefined],
    ["ZZ", undefined],
    ["poland", undefined],
  ])("%s without a postal code is in %s", (countryCode, zone) => expect(zoneOf({ countryCode })).toBe(zone));

  test("no country and no postal code yield no zone", () => {
    expect(zoneOf({})).toBeUndefined();
    expect(zoneOf({ postalCode: "35001" })).toBeUndefined();
  });

  test("the table contains only zones that the runtime knows, and no postal code prefix twice", () => {
    const countries: [string, { zone: string; postal?: Record<string, string> }][] = Object.entries(severalZones);
    for (const [country, { zone, postal = {} }] of countries) {
      const beginnings = Object.values(postal).flatMap((list) => list.split(" "));
      expect(new Set(beginnings).size, country).toBe(beginnings.length);
      for (const named of [zone, ...Object.keys(postal)]) expect(() => clockAt(named, 0), named).not.toThrow();
    }
  });
});

describe("zones by coordinates", () => {
  /**
   * Towns, most of them near a border between two zones. `!` marks those whose zone is only right if the country is
   * given.
   */
  const towns = rows(`
    PT 41.1496 -8.6110 Europe/Lisbon Porto
    PT 38.8811 -7.1631 Europe/Lisbon Elvas !
    PT 38.1345 -6.9760 Europe/Lisbon Barrancos !
    PT 32.6507 -16.9084 Atlantic/Madeira Funchal
    PT 37.7412 -25.6756 Atlantic/Azores PontaDelgada
    ES 38.8794 -6.9707 Europe/Madrid Badajoz !
    ES 42.0460 -8.6450 Europe/Madrid Tui !
    ES 40.5910 -6.8114 Europe/Madrid FuentesDeOnoro !
    ES 28.1235 -15.4363 Atlantic/Canary LasPalmas
    ES 35.8883 -5.3162 Africa/Ceuta Ceuta !
    GI 36.1408 -5.3536 Europe/Madrid Gibraltar
    GB 51.1279 1.3134 Europe/London Dover
    FR 50.9513 1.8587 Europe/Paris Calais
    GB 55.0068 -7.3183 Europe/London Derry
    IE 53.3498 -6.2603 Europe/Dublin Dublin
    IS 64.1466 -21.9426 Atlantic/Reykjavik Reykjavik
    FO 62.0107 -6.7741 Atlantic/Faroe Torshavn
    DE 48.5734 7.8155 Europe/Berlin Kehl
    DE 52.3471 14.5506 Europe/Berlin FrankfurtOder
    PL 51.7500 23.6170 Europe/Warsaw Wlodawa !
    PL 52.0757 23.6157 Europe/Warsaw Terespol !
    BY 52.0976 23.7341 Europe/Minsk Brest !
    PL 51.1741 23.8030 Europe/Warsaw Dorohusk !
    PL 49.8020 22.9400 Europe/Warsaw Medyka !
    UA 49.8397 24.0297 Europe/Kyiv Lviv
    UA 48.6208 22.2879 Europe/Kyiv Uzhhorod !
    SK 48.6667 22.1833 Europe/Bratislava VysneNemecke !
    HU 48.4170 22.1820 Europe/Budapest Zahony !
    HU 46.2200 20.6900 Europe/Budapest Nagylak !
    RO 46.1667 20.7500 Europe/Bucharest Nadlac !
    RO 47.0465 21.9189 Europe/Bucharest Oradea !
    RS 44.8760 21.4130 Europe/Belgrade Vrsac !
    BG 43.9890 22.8820 Europe/Sofia Vidin !
    BG 41.7170 26.3280 Europe/Sofia KapitanAndreevo !
    TR 41.6771 26.5557 Europe/Istanbul Edirne !
    GR 40.9550 26.3250 Europe/Athens Kipi !
    GR 41.1250 22.5210 Europe/Athens Evzoni !
    MK 41.1420 22.5030 Europe/Skopje Gevgelija !
    AL 39.8756 20.0053 Europe/Tirane Sarande !
    EE 59.3772 28.1903 Europe/Tallinn Narva !
    EE 58.0949 27.4661 Europe/Tallinn Rapina !
    LV 56.4239 28.0000 Europe/Riga Terehova !
    LT 54.6872 25.2797 Europe/Vilnius Vilnius
    LT 54.6440 22.7400 Europe/Vilnius Kybartai !
    RU 54.7104 20.4522 Europe/Kaliningrad Kaliningrad
    RU 60.7096 28.7440 Europe/Moscow Vyborg
    FI 65.8480 24.1470 Europe/Helsinki Tornio !
    SE 65.8300 24.1370 Europe/Stockholm Haparanda !
    NO 69.7271 30.0450 Europe/Oslo Kirkenes !
    MD 46.8403 29.6433 Europe/Chisinau Tiraspol
    UA 44.9521 34.1024 Europe/Simferopol Simferopol
    GE 41.6168 41.6367 Asia/Tbilisi Batumi !
    CY 35.1856 33.3823 Asia/Nicosia Nicosia`).map((row) => row.split(" "));

  test.each(towns)("%s %s %s is in %s: %s", (countryCode, latitude, longitude, zone) => {
    const found = zoneOf({ countryCode, latitude: Number(latitude), longitude: Number(longitude) });
    expect(sameClock(found!, zone), `${found}`).toBe(true);
  });

  test.each(towns.filter((town) => town.at(-1) !== "!"))(
    "the zone is the same without the country: %s %s %s %s %s",
    (...row) => {
      const found = zoneOf({ latitude: Number(row[1]), longitude: Number(row[2]) });
      expect(sameClock(found!, row[3]!), `${found}`).toBe(true);
    },
  );

  test.each([
    [
      "coordinates take precedence over the country",
      { countryCode: "DE", latitude: 44.4268, longitude: 26.1025 },
      "Europe/Bucharest",
    ],
    [
      "coordinates take precedence over the postal code",
      { countryCode: "ES", postalCode: "28001", latitude: 28.1235, longitude: -15.4363 },
      "Atlantic/Canary",
    ],
    ["off the coast the country decides", { countryCode: "PL", latitude: 30, longitude: -40 }, "Europe/Warsaw"],
    [
      "off the coast the postal code decides",
      { countryCode: "PT", postalCode: "9000", latitude: 30, longitude: -40 },
      "Atlantic/Madeira",
    ],
    ["far from any coast there is no country", { latitude: 30, longitude: -40 }, "Etc/GMT+3"],
    ["one coordinate alone is ignored", { countryCode: "FI", latitude: 44.4 }, "Europe/Helsinki"],
    ["coordinates off the globe are ignored", { countryCode: "FI", latitude: 95, longitude: 26 }, "Europe/Helsinki"],
    ["NaN is ignored", { countryCode: "FI", latitude: Number.NaN, longitude: 26 }, "Europe/Helsinki"],
    ["the poles have neighbours", { countryCode: "FI", latitude: -90, longitude: 180 }, "Antarctica/McMurdo"],
    ["the date line too", { countryCode: "FJ", latitude: -16.8, longitude: 180 }, "Pacific/Fiji"],
  ])("%s", (_, place, zone) => expect(zoneOf(place)).toBe(zone));
});

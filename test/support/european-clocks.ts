export const HOUR = 3_600_000;

/**
 * The countries of Europe, by how many hours their clocks are ahead of UTC in winter. Those in `union` observe the
 * European Union's summer time, which begins and ends at 01:00 UTC on the last Sundays of March and October. The source
 * is the law, not Intl.
 */
const EUROPE = {
  union: {
    "-2": "GL",
    "-1": "PT:9500-150",
    "0": "FO GB GG IE IM JE PT PT:1000-001 PT:9000-039 ES:35001 ES:38005",
    "1": "AD AL AT BA BE CH CZ DE DK ES ES:28001 ES:51001 ES:52001 FR GI HR HU IT LI LU MC ME MK MT NL NO PL RS SE SI SJ SK SM VA XK",
    "2": "AX BG CY EE FI GR LT LV MD RO UA UA:01001",
  },
  fixed: {
    "0": "IS",
    "2": "RU:236006",
    "3": "BY RU RU:101000 RU:295000 RU:400001 RU:610000 TR UA:95000",
    "4": "AM AZ GE RU:410000 RU:414000 RU:426000 RU:432000 RU:443001",
    "5": "KZ RU:450000 RU:614000 RU:620000",
  },
};

/**
 * Lists the places with summer time (`union`) or without (`fixed`). A place is a country or one of its postal codes.
 * `winter` is how many milliseconds its clocks are ahead of UTC in winter.
 */
export const clocksOf = (kind: keyof typeof EUROPE) =>
  Object.entries(EUROPE[kind]).flatMap(([hours, places]) =>
    places.split(" ").map((place) => ({ place, winter: Number(hours) * HOUR })),
  );

/** Computes the instant at which summer time begins (month 2) or ends (month 9). */
export function clockChangeIn(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 24 * HOUR;
}

/** Computes how many milliseconds the clocks of a place are ahead of UTC at an instant, by law. */
export function aheadAt(kind: "union" | "fixed", winter: number, instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  const isSummer = instant >= clockChangeIn(year, 2) && instant < clockChangeIn(year, 9);
  return winter + (kind === "union" && isSummer ? HOUR : 0);
}

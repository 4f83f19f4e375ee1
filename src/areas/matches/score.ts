import { foldText } from "../../extraction/lexicon/fold.ts";
import { normalizeNumber } from "../../platform/archive/archive.ts";
import { distanceKm, type Point } from "../../domain/places/cells.ts";
import { capabilityCodes, trailerTypes, vehicleTypes } from "../../domain/mappings.ts";
import { spanOf, type Span } from "../../domain/periods.ts";
import { regionOf, defaultRange } from "../vehicles/search.ts";

// Calculates how well a vehicle fits a freight. Pure functions.

/** The place of a stop or a vehicle. */
export interface Address {
  countryCode: string;
  postalCode?: string | undefined;
  city?: string | undefined;
  coordinates?: Point | undefined;
}

/** The data of a freight that is compared. The first stop is the loading, the last stop the unloading. */
export interface Load {
  locations: { address: Address; period: { startDate?: string | undefined; endDate?: string | undefined } }[];
  requirements: {
    trailerTypes?: number[] | undefined;
    vehicleTypes?: number[] | undefined;
    capacity?: number | undefined;
    ldm?: number | undefined;
    pallets?: number | undefined;
    ftl?: boolean | undefined;
    capabilities?: number[] | undefined;
  };
}

/** The data of an available vehicle that is compared. */
export interface Free {
  requirements?:
    | {
        trailerType?: number | undefined;
        vehicleType?: number | undefined;
        capacity?: number | undefined;
        ldm?: number | undefined;
        pallets?: number | undefined;
        interestedInLtl?: boolean | undefined;
        capabilities?: string[] | undefined;
      }
    | undefined;
  loading?: { address: Address; period?: { startDate: string; endDate?: string | undefined } | undefined } | undefined;
  unloading?: { address: Address[] } | undefined;
  range?: number | undefined;
}

export const criteria = [
  "distance",
  "dates",
  "trailer",
  "vehicle",
  "load",
  "capabilities",
  "unloading",
  "partLoad",
] as const;
export type Criterion = (typeof criteria)[number];

/** The result of one criterion. */
export interface Reason {
  criterion: Criterion;
  fits: boolean;
  score: number;
  detail: string;
}

export interface Score {
  /** 0 to 1: the weighted sum of the scores of the reasons. */
  score: number;
  /** Straight-line distance in kilometres from the vehicle to the loading. Absent if a place is unknown. */
  distanceKm?: number;
  reasons: Reason[];
}

/** Weights of the criteria; their sum is 1. */
export const weights: Readonly<Record<Criterion, number>> = {
  distance: 0.3,
  dates: 0.2,
  trailer: 0.15,
  vehicle: 0.05,
  load: 0.1,
  capabilities: 0.1,
  unloading: 0.05,
  partLoad: 0.05,
};

/** Criteria that exclude a match if they are not met. All other criteria only lower the score. */
const decisive: readonly Criterion[] = ["distance", "dates", "trailer", "vehicle", "load"];

type Judged = Omit<Reason, "criterion">;

/**
 * Score of a criterion that cannot be judged, because a value is unknown. Dates and loads that fit get at least this
 * score.
 */
const neutralScore = 0.5;
/** The trailer type that means "any trailer". */
const anyTrailer = 10;

const judges: Record<Criterion, (load: Load, free: Free, at: string) => Judged> = {
  distance,
  dates,
  trailer,
  vehicle,
  load: size,
  capabilities,
  unloading,
  partLoad,
};

/** Rates how well a freight and a vehicle fit at a time; undefined if a decisive criterion is not met. */
export function scoreOf(load: Load, free: Free, at: string): Score | undefined {
  const reasons: Reason[] = [];
  for (const criterion of criteria) {
    const judged = judges[criterion](load, free, at);
    if (!judged.fits && decisive.includes(criterion)) return undefined;
    reasons.push({ criterion, ...judged });
  }
  const away = distanceBetween(load, free);
  const score = reasons.reduce((sum, reason) => sum + weights[reason.criterion] * reason.score, 0);
  return { score, ...(away !== undefined && { distanceKm: away }), reasons };
}

const firstOf = ({ locations }: Load) => locations[0]!;
const lastOf = ({ locations }: Load) => locations.at(-1)!;

function distanceBetween(load: Load, { loading }: Free): number | undefined {
  const [there, here] = [firstOf(load).address.coordinates, loading?.address.coordinates];
  return there && here ? distanceKm(there, here) : undefined;
}

/**
 * Without coordinates, two places count as near if they are in the same country and their postal codes begin with the
 * same two characters.
 */
function distance(load: Load, free: Free): Judged {
  const away = distanceBetween(load, free);
  const { range = defaultRange, loading } = free;
  if (away !== undefined) {
    const score = range === 0 ? Number(away === 0) : Math.max(0, 1 - away / range);
    return { fits: away <= range, score, detail: `${Math.round(away)} km away, ${range} km at most.` };
  }
  const region = regionOf(firstOf(load).address);
  const fits = region !== undefined && loading !== undefined && region === regionOf(loading.address);
  return {
    fits,
    score: fits ? neutralScore : 0,
    detail: fits ? `Both in ${region}; the distance is not known.` : "The distance is not known.",
  };
}

function dates(load: Load, { loading }: Free, at: string): Judged {
  const { address, period } = firstOf(load);
  const wanted = period.startDate && spanAt({ ...period, startDate: period.startDate }, address);
  const free = loading?.period && spanAt(loading.period, loading.address);
  if (!wanted || !free) return { fits: true, score: neutralScore, detail: "Loading or availability has no time." };
  const from = later(wanted.from, at);
  const [begins, ends] = [later(from, free.from), earlier(wanted.to, free.to)];
  if (ends < begins) return { fits: false, score: 0, detail: "Not free at the time of the loading." };
  const whole = between(from, wanted.to);
  const share = whole === 0 ? 1 : between(begins, ends) / whole;
  return {
    fits: true,
    score: neutralScore + (1 - neutralScore) * share,
    detail: `Free for ${percent(share)} of the time to load.`,
  };
}

const spanAt = (period: { startDate: string; endDate?: string | undefined }, address: Address): Span =>
  spanOf(period, { ...address, ...address.coordinates });
const later = (one: string, other: string) => (one > other ? one : other);
const earlier = (one: string, other: string) => (one < other ? one : other);
const between = (from: string, to: string) => Date.parse(to) - Date.parse(from);
const percent = (share: number) => `${Math.round(share * 100)} %`;

function trailer({ requirements: { trailerTypes: asked = [] } }: Load, { requirements }: Free): Judged {
  const own = requirements?.trailerType;
  if (asked.every((type) => type === anyTrailer)) return { fits: true, score: 1, detail: "Any trailer fits." };
  if (own === undefined) return { fits: true, score: neutralScore, detail: "The vehicle has no trailer type." };
  const name = trailerTypes[own] ?? `${own}`;
  if (asked.includes(own)) return { fits: true, score: 1, detail: `${name}, as required.` };
  if (own === anyTrailer || asked.includes(anyTrailer)) return { fits: true, score: 0.8, detail: `${name} fits.` };
  return { fits: false, score: 0, detail: `${name} does not fit.` };
}

function vehicle({ requirements: { vehicleTypes: asked = [] } }: Load, { requirements }: Free): Judged {
  const own = requirements?.vehicleType;
  if (asked.length === 0) return { fits: true, score: 1, detail: "Any vehicle fits." };
  if (own === undefined) return { fits: true, score: neutralScore, detail: "The vehicle has no vehicle type." };
  const fits = asked.includes(own);
  return {
    fits,
    score: Number(fits),
    detail: `${vehicleTypes[own] ?? own}${fits ? ", as required" : " does not fit"}.`,
  };
}

/** The load must fit into the vehicle. The more of the capacity it uses, the higher the score. */
function size({ requirements: asked }: Load, { requirements: own }: Free): Judged {
  const measures = [
    ["capacity", "t"],
    ["ldm", "ldm"],
    ["pallets", "pallets"],
  ] as const;
  const parts = measures.flatMap(([name, unit]) => {
    const [wanted, has] = [asked[name], own?.[name]];
    if (wanted === undefined) return [];
    if (has === undefined)
      return [{ fits: true, score: neutralScore, detail: `${wanted} ${unit} of an unknown capacity` }];
    const full = has === 0 ? 1 : Math.min(1, wanted / has);
    return [
      { fits: wanted <= has, score: neutralScore + (1 - neutralScore) * full, detail: `${wanted} of ${has} ${unit}` },
    ];
  });
  if (parts.length === 0) return { fits: true, score: 1, detail: "The size of the load is not known." };
  return {
    fits: parts.every(({ fits }) => fits),
    score: parts.reduce((sum, { score }) => sum + score, 0) / parts.length,
    detail: `${parts.map(({ detail }) => detail).join(", ")}.`,
  };
}

function capabilities({ requirements }: Load, free: Free): Judged {
  const required = (requirements.capabilities ?? []).map((id) => capabilityCodes[id] ?? `${id}`);
  const own = free.requirements?.capabilities ?? [];
  const missing = required.filter((code) => !own.includes(code));
  if (required.length === 0) return { fits: true, score: 1, detail: "None are required." };
  const fits = missing.length === 0;
  const detail = fits ? `Has ${required.join(", ")}.` : `Without ${missing.join(", ")}.`;
  return { fits, score: 1 - missing.length / required.length, detail };
}

const sameCountryScore = 0.4;

function unloading(load: Load, { unloading: wishes, range = defaultRange }: Free): Judged {
  const there = lastOf(load).address;
  const where = [there.countryCode, there.postalCode, there.city].filter(Boolean).join(" ");
  if (!wishes || wishes.address.length === 0)
    return { fits: true, score: 1, detail: `Goes anywhere, including ${where}.` };
  const score = Math.max(...wishes.address.map((wish) => nearness(wish, there, range)));
  const detail = score === 1 ? `Wants to go to ${where}.` : `${where} is not a preferred destination.`;
  return { fits: score === 1, score, detail };
}

function nearness(wish: Address, there: Address, range: number): number {
  if (wish.coordinates && there.coordinates && distanceKm(wish.coordinates, there.coordinates) <= range) return 1;
  if (wish.countryCode !== there.countryCode) return 0;
  return isNamed(wish, there) ? 1 : sameCountryScore;
}

/**
 * Whether a place in the same country matches a preferred destination: by its postal code, else by its town. A
 * destination with only a country matches any place.
 */
function isNamed(wish: Address, there: Address): boolean {
  if (wish.postalCode) return normalizeNumber(there.postalCode ?? "").startsWith(normalizeNumber(wish.postalCode));
  if (wish.city) return foldText(wish.city) === foldText(there.city ?? "");
  return !wish.coordinates;
}

function partLoad({ requirements: { ftl } }: Load, { requirements }: Free): Judged {
  const interested = requirements?.interestedInLtl;
  if (ftl !== false) return { fits: true, score: 1, detail: "It is not a part load." };
  if (interested === undefined)
    return { fits: true, score: neutralScore, detail: "It is not known whether part loads are welcome." };
  return { fits: interested, score: Number(interested), detail: `Part loads are ${interested ? "" : "not "}welcome.` };
}

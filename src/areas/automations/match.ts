import { distanceKm, type Point } from "../../domain/places/cells.ts";
import { isAnchored, occurredAt, type Occurred } from "./time-windows.ts";
import { deadlinesOver } from "./deadlines.ts";
import { droveAt, nameKey, type Assignment, type Driver } from "./drivers.ts";
import type { Likeness } from "./plates.ts";
import { meantOf, onRoadAt, type OnRoad, type Road } from "./orders-on-road.ts";
import type { Candidate, EvidenceStep, FineInput, MatchStatus } from "./shapes.ts";

/** What a fine says. */
export interface Fine extends FineInput {
  /** Where a list says when it was in words that are no day. */
  offenceSaid?: string;
}

/** A vehicle whose plate it may be, and what is known of it around that time. */
export interface Suspect {
  vehicleId: string;
  likeness: Likeness;
  licensePlate: string;
  countryCode?: string | undefined;
  assignments: readonly Assignment[];
  roads: readonly Road[];
  purchases: readonly Purchase[];
}

/** Where and when something was bought with a vehicle's card. */
export interface Purchase {
  transactionId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether the time of day is known. */
  timed: boolean;
  countryCode?: string | undefined;
  point?: (Point & { within: number }) | undefined;
  /** Whom the line names. */
  driverSaid?: string | undefined;
}

/** All that a fine is matched with. */
export interface MatchContext {
  zone: string;
  countryCode?: string | undefined;
  /** Nothing on the fine says where it was: the country is the company's, if that is known. */
  isAssumed?: boolean | undefined;
  /** When it is looked at, in milliseconds since 1970. */
  now?: number | undefined;
  point?: Point | undefined;
  suspects: readonly Suspect[];
  /** How surely plate and time were read. */
  reading?: { confidence: number; documentId: string } | undefined;
}

/** Whose fine it is, as far as that was found. */
export interface Match {
  matchStatus: MatchStatus;
  vehicleId?: string;
  driver?: Driver;
  orderId?: string;
  confidence: number;
  evidence: EvidenceStep[];
  candidates: Candidate[];
}

/** What is known with so much certainty is entered by itself. */
export const assignConfidence = 0.8;
const most = 0.99;

const surePlate: Record<Likeness, number> = { Same: 0.99, Confused: 0.7, Near: 0.5 };
const otherCountry = 0.6;
const sureTime: Record<NonNullable<Occurred["doubt"]> | "None", number> = { None: 1, Day: 0.95, Gap: 0.9, Fold: 0.9 };
/** Of a fine that says nothing of the country, and whether the clocks of Europe would tell the same driver. */
const sureClock = { any: 0.95, one: 0.7 };
const sureFuture = 0.5;
const sureDriver = { alone: 0.95, perhaps: 0.6 };
const hour = 3_600_000;
const day = 24 * hour;
/** So far the clocks of Europe are apart. */
const clocksApart = 3 * hour;

const step = (
  name: EvidenceStep["step"],
  message: string,
  confidence: number | null = null,
  subject: EvidenceStep["subject"] = null,
): EvidenceStep => ({ step: name, message, confidence, subject });

/**
 * Finds out whose fine it is: plate, vehicle, driver at that time, order on the road then. Nothing is guessed: where more than
 * one is possible they are candidates. Deadlines that are over are named, for of them nobody is told any more.
 */
export function matchFine(fine: Fine, known: MatchContext): Match {
  const match = matchWithoutDeadlines(fine, known);
  const over = known.now === undefined ? [] : deadlinesOver({ ...fine, countryCode: known.countryCode }, known.now);
  const steps = over.map(({ deadline, date }) => step("Deadline", `${deadline} ${date} was over when the fine came.`));
  return { ...match, evidence: [...match.evidence, ...steps] };
}

function matchWithoutDeadlines(fine: Fine, known: MatchContext): Match {
  const evidence = known.reading
    ? [
        step("Document", "Plate and time were read from a document.", known.reading.confidence, {
          type: "Document",
          id: known.reading.documentId,
        }),
      ]
    : [];
  const suspects = known.suspects.filter((suspect) => isPossible(fine, suspect));
  const plate = fine.licensePlate ?? "";
  if (suspects.length === 0) {
    const message = plate ? `No vehicle of the fleet has the plate ${plate}.` : "The fine names no plate.";
    return unmatched("VehicleUnknown", [...evidence, step("Plate", message, 0)]);
  }
  const occurred = fine.offenceAt ? occurredAt(fine.offenceAt, known.zone) : undefined;
  const [suspect] = suspects;
  if (suspects.length > 1 || suspect!.likeness === "Near") {
    const told = suspects.map((one) => plateStep(plate, fine, one));
    const same = suspects.filter(({ likeness }) => likeness === "Same").length;
    if (same > 1) told.push(step("Plate", `The fleet has ${same} vehicles with the plate ${plate}: keep one of them.`));
    const candidates = suspects.flatMap((one) => candidatesOf(fine, one, occurred));
    return { ...unmatched("Ambiguous", [...evidence, ...told]), candidates };
  }
  return matchSuspect(fine, known, suspect!, occurred, evidence);
}

/** The same with a vehicle that a person has named. */
export function matchWithVehicle(fine: Fine, known: Omit<MatchContext, "suspects">, suspect: Suspect): Match {
  const occurred = fine.offenceAt ? occurredAt(fine.offenceAt, known.zone) : undefined;
  const match = matchSuspect(fine, { ...known, suspects: [suspect] }, suspect, occurred, []);
  const named = step("Plate", `A person named the vehicle with the plate ${suspect.licensePlate}.`, 1, {
    type: "Vehicle",
    id: suspect.vehicleId,
  });
  return { ...match, evidence: [named, ...match.evidence.filter((one) => one.step !== "Plate")] };
}

const unmatched = (matchStatus: MatchStatus, evidence: EvidenceStep[]): Match => ({
  matchStatus,
  confidence: 0,
  evidence,
  candidates: [],
});

/** A plate of another country is another plate, unless it is the same sign by sign. */
const isPossible = ({ plateCountry }: Fine, { likeness, countryCode }: Suspect) =>
  likeness === "Same" || !plateCountry || !countryCode || plateCountry === countryCode;

function matchSuspect(
  fine: Fine,
  known: MatchContext,
  suspect: Suspect,
  occurred: Occurred | undefined,
  before: EvidenceStep[],
): Match {
  const { vehicleId } = suspect;
  const evidence = [...before, plateStep(fine.licensePlate ?? "", fine, suspect)];
  const sure = () => confidenceOf(evidence);
  if (!occurred) {
    const message = fine.offenceSaid
      ? `The fine says "${fine.offenceSaid}" of when it was, which is no day.`
      : "The fine does not say when it was.";
    evidence.push(step("Time", message, 0));
    const candidates = suspect.assignments.length > 0 ? candidatesOf(fine, suspect, undefined) : [];
    return { matchStatus: "DriverUnknown", vehicleId, confidence: sure(), evidence, candidates };
  }
  const { drivers, isSure } = droveAt(suspect.assignments, occurred);
  evidence.push(timeStep(fine.offenceAt!, known, occurred, isSureAround(suspect.assignments, occurred)));
  const onRoad = onRoadAt(suspect.roads, occurred, known.point);
  const order = meantOf(onRoad);
  const [driver] = drivers;
  if (driver && drivers.length === 1) evidence.push(driverStep(driver, isSure, vehicleId));
  else evidence.push(noDriverStep(drivers, suspect, vehicleId));
  evidence.push(...orderSteps(onRoad, order));
  const road = { vehicleId, ...(order && { orderId: order.road.orderId }) };
  if (drivers.length > 1) {
    const candidates = candidatesOf(fine, suspect, occurred);
    return { matchStatus: "Ambiguous", ...road, confidence: sure(), evidence, candidates };
  }
  evidence.push(...purchaseSteps(suspect.purchases, occurred, known, driver));
  if (!driver) {
    const candidates = driversByPurchase(suspect, occurred, sure());
    return { matchStatus: "DriverUnknown", ...road, confidence: sure(), evidence, candidates };
  }
  return { matchStatus: "Matched", ...road, driver, confidence: sure(), evidence, candidates: [] };
}

/** A purchase nearby takes away so much of the doubt. */
const supported = 0.3;

/** The steps to the driver multiply; what the road says of the order is for itself. */
function confidenceOf(evidence: readonly EvidenceStep[]): number {
  const steps = evidence.filter((one) => one.step !== "Order");
  const all = steps.reduce((product, { confidence }) => product * (confidence ?? 1), 1);
  const isSupported = all > 0 && steps.some((one) => one.step === "Transactions" && one.confidence === 1);
  return rounded(Math.min(most, isSupported ? all + (1 - all) * supported : all));
}

const rounded = (confidence: number) => Math.round(confidence * 1000) / 1000;

function plateStep(plate: string, { plateCountry }: Fine, suspect: Suspect): EvidenceStep {
  const { likeness, licensePlate, countryCode, vehicleId } = suspect;
  const isElsewhere = plateCountry !== undefined && countryCode !== undefined && plateCountry !== countryCode;
  const said = {
    Same: `The vehicle has the plate ${licensePlate}.`,
    Confused: `The vehicle's plate ${licensePlate} differs from ${plate} in signs that are taken for each other.`,
    Near: `The vehicle's plate ${licensePlate} differs from ${plate} in one sign.`,
  }[likeness];
  const message = isElsewhere ? `${said} It is registered in ${countryCode}, not in ${plateCountry}.` : said;
  const confidence = rounded(surePlate[likeness] * (isElsewhere ? otherCountry : 1));
  return step("Plate", message, confidence, { type: "Vehicle", id: vehicleId });
}

/** Whether the same one drove by every clock of Europe. */
function isSureAround(assignments: readonly Assignment[], { windows }: Occurred): boolean {
  const wide = windows.map(({ from, to }) => ({ from: from - clocksApart, to: to + clocksApart }));
  return droveAt(assignments, { windows: wide }).isSure;
}

function timeStep(
  offenceAt: string,
  { zone, countryCode, isAssumed, now }: MatchContext,
  { doubt: why, windows }: Occurred,
  isSame: boolean,
): EvidenceStep {
  const doubt = why ?? "None";
  const { from } = windows[0]!;
  const instant = new Date(from).toISOString();
  const message = {
    None: `${offenceAt} in ${zone} is ${instant}.`,
    Day: `Only the day is known, ${offenceAt} in ${zone}.`,
    Gap: `The clocks in ${zone} skipped ${offenceAt}; it is taken as ${instant}.`,
    Fold: `The clocks in ${zone} showed ${offenceAt} twice, first at ${instant}.`,
  }[doubt];
  if (now !== undefined && from > now + day) return step("Time", `${message} That is to come yet.`, sureFuture);
  if (!isAssumed || isAnchored(offenceAt)) return step("Time", message, sureTime[doubt]);
  const where = countryCode ? `${countryCode} is assumed.` : "No country is known.";
  const sure = rounded(sureTime[doubt] * sureClock[isSame ? "any" : "one"]);
  return step("Time", `${message} The fine does not say where it was: ${where}`, sure);
}

const driverStep = ({ name }: Driver, isSure: boolean, vehicleId: string) =>
  step(
    "Driver",
    isSure ? `${name} was assigned to the vehicle.` : `${name} was assigned to the vehicle for a part of that time.`,
    isSure ? sureDriver.alone : sureDriver.perhaps,
    { type: "Vehicle", id: vehicleId },
  );

function noDriverStep(drivers: readonly Driver[], { assignments }: Suspect, vehicleId: string): EvidenceStep {
  const message =
    drivers.length > 1
      ? `${drivers.length} drivers were assigned to the vehicle: ${drivers.map(({ name }) => name).join(", ")}.`
      : assignments.length > 0
        ? "Nobody was assigned to the vehicle then."
        : "Nobody was ever assigned to the vehicle.";
  return step("Driver", message, drivers.length > 1 ? rounded(1 / drivers.length) : 0, {
    type: "Vehicle",
    id: vehicleId,
  });
}

function orderSteps(onRoad: readonly OnRoad[], order: OnRoad | undefined): EvidenceStep[] {
  if (!order)
    return onRoad.map(({ road }) =>
      step(
        "Order",
        `${nameOf(road)} was one of ${onRoad.length} orders on the road then.`,
        rounded(1 / onRoad.length),
        {
          type: "Order",
          id: road.orderId,
        },
      ),
    );
  const { road, isWithin, leg } = order;
  const when = isWithin ? "was on the road then" : "began or ended within 12 hours";
  const where = leg
    ? `: between stop ${leg.from.sequence} (${leg.from.name}) and stop ${leg.to.sequence} (${leg.to.name}), ${leg.km} km from the line`
    : "";
  const sure = rounded((isWithin ? 0.95 : 0.75) * (leg && leg.km > farFromLine ? 0.7 : 1));
  return [step("Order", `${nameOf(road)} ${when}${where}.`, sure, { type: "Order", id: road.orderId })];
}

const farFromLine = 150;
const nameOf = ({ orderNumber }: Road) => (orderNumber ? `Order ${orderNumber}` : "An order");

/** Fuel and toll around that time says something this long before and after. */
export const besideMilliseconds = 6 * 3_600_000;
/** Nobody drives a lorry faster, hour by hour. */
const mostKmPerHour = 110;

/** A purchase near the place makes it surer, one that is too far away less sure, and so does one that names somebody else. */
function purchaseSteps(
  purchases: readonly Purchase[],
  occurred: Occurred,
  known: MatchContext,
  driver: Driver | undefined,
): EvidenceStep[] {
  const beside = nearest(purchases, occurred);
  if (!beside) return [];
  const { purchase, apart } = beside;
  const subject = { type: "Transaction" as const, id: purchase.transactionId };
  const hours = Math.round(apart / 360_000) / 10;
  const km = known.point && purchase.point && Math.round(distanceKm(known.point, purchase.point));
  if (driver && purchase.driverSaid && nameKey(purchase.driverSaid) !== nameKey(driver.name))
    return [step("Transactions", `A purchase ${hours} hours apart names ${purchase.driverSaid}.`, 0.8, subject)];
  if (km !== undefined && km - purchase.point!.within > (apart / 3_600_000) * mostKmPerHour + nearby)
    return [step("Transactions", `A purchase ${hours} hours apart was ${km} km away.`, 0.6, subject)];
  if (km !== undefined)
    return [step("Transactions", `A purchase ${hours} hours apart was ${km} km away, as it may be.`, 1, subject)];
  if (known.countryCode && purchase.countryCode === known.countryCode)
    return [step("Transactions", `A purchase ${hours} hours apart was in ${known.countryCode} as well.`, 1, subject)];
  return [];
}

const nearby = 30;

function nearest(purchases: readonly Purchase[], { windows, doubt }: Occurred) {
  if (doubt === "Day") return undefined;
  const { from } = windows[0]!;
  return purchases
    .filter(({ timed }) => timed)
    .map((purchase) => ({ purchase, apart: Math.abs(purchase.at - from) }))
    .filter(({ apart }) => apart <= besideMilliseconds)
    .sort((a, b) => a.apart - b.apart)[0];
}

/** Where nobody was assigned, a purchase around that time may name somebody. */
function driversByPurchase(suspect: Suspect, occurred: Occurred, confidence: number): Candidate[] {
  const name = nearest(suspect.purchases, occurred)?.purchase.driverSaid;
  if (!name) return [];
  const { vehicleId, licensePlate } = suspect;
  return [{ vehicleId, licensePlate, driver: { name }, confidence: Math.max(confidence, saidSurely) }];
}

const saidSurely = 0.5;

/** Each vehicle with everyone who may have driven it. */
function candidatesOf(fine: Fine, suspect: Suspect, occurred: Occurred | undefined): Candidate[] {
  const { vehicleId, licensePlate, assignments } = suspect;
  const sure = plateStep(fine.licensePlate ?? "", fine, suspect).confidence ?? 0;
  const drivers = occurred ? droveAt(assignments, occurred).drivers : [];
  const confidence = rounded(sure / Math.max(1, drivers.length));
  if (drivers.length === 0) return [{ vehicleId, licensePlate, driver: null, confidence }];
  return drivers.map((driver) => ({ vehicleId, licensePlate, driver, confidence }));
}

import { distanceKm } from "../../domain/places/cells.ts";
import { isAnchored, type Occurred } from "./time-windows.ts";
import { droveAt, nameKey, type Assignment, type Driver } from "./drivers.ts";
import type { Likeness } from "./plates.ts";
import type { OnRoad, Road } from "./orders-on-road.ts";
import type { EvidenceStep } from "./views.ts";
import type { Fine, Suspect, Purchase, MatchContext } from "./match-context.ts";

// Builds the evidence of a match: one step per conclusion, with a message and a confidence.

const surePlate: Record<Likeness, number> = { Same: 0.99, Confused: 0.7, Near: 0.5 };
const otherCountry = 0.6;
const sureTime: Record<NonNullable<Occurred["doubt"]> | "None", number> = { None: 1, Day: 0.95, Gap: 0.9, Fold: 0.9 };
/**
 * Factors of the confidence in the time if the fine does not state its country: `any` if the driver is the same in all
 * time zones of Europe, otherwise `one`.
 */
const sureClock = { any: 0.95, one: 0.7 };
const sureFuture = 0.5;
const sureDriver = { alone: 0.95, perhaps: 0.6 };
const hour = 3_600_000;
const day = 24 * hour;
/** Largest difference between time zones of Europe, in milliseconds. */
const clocksApart = 3 * hour;

export const step = (
  name: EvidenceStep["step"],
  message: string,
  confidence: number | null = null,
  subject: EvidenceStep["subject"] = null,
): EvidenceStep => ({ step: name, message, confidence, subject });

export const rounded = (confidence: number) => Math.round(confidence * 1000) / 1000;

export function plateStep(plate: string, { plateCountry }: Fine, suspect: Suspect): EvidenceStep {
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

/** Whether the driver is the same in all time zones of Europe. */
export function isSureAround(assignments: readonly Assignment[], { windows }: Occurred): boolean {
  const wide = windows.map(({ from, to }) => ({ from: from - clocksApart, to: to + clocksApart }));
  return droveAt(assignments, { windows: wide }).isSure;
}

export function timeStep(
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
  if (now !== undefined && from > now + day) return step("Time", `${message} This is in the future.`, sureFuture);
  if (!isAssumed || isAnchored(offenceAt)) return step("Time", message, sureTime[doubt]);
  const where = countryCode ? `${countryCode} is assumed.` : "The country is not known.";
  const sure = rounded(sureTime[doubt] * sureClock[isSame ? "any" : "one"]);
  return step("Time", `${message} The fine does not state the place: ${where}`, sure);
}

export const driverStep = ({ name }: Driver, isSure: boolean, vehicleId: string) =>
  step(
    "Driver",
    isSure ? `${name} was assigned to the vehicle.` : `${name} was assigned to the vehicle for part of that time.`,
    isSure ? sureDriver.alone : sureDriver.perhaps,
    { type: "Vehicle", id: vehicleId },
  );

export function noDriverStep(drivers: readonly Driver[], { assignments }: Suspect, vehicleId: string): EvidenceStep {
  const message =
    drivers.length > 1
      ? `${drivers.length} drivers were assigned to the vehicle: ${drivers.map(({ name }) => name).join(", ")}.`
      : assignments.length > 0
        ? "No driver was assigned to the vehicle at that time."
        : "No driver was ever assigned to the vehicle.";
  return step("Driver", message, drivers.length > 1 ? rounded(1 / drivers.length) : 0, {
    type: "Vehicle",
    id: vehicleId,
  });
}

export function orderSteps(onRoad: readonly OnRoad[], order: OnRoad | undefined): EvidenceStep[] {
  if (!order)
    return onRoad.map(({ road }) =>
      step(
        "Order",
        `${nameOf(road)} was one of ${onRoad.length} orders on the road at that time.`,
        rounded(1 / onRoad.length),
        {
          type: "Order",
          id: road.orderId,
        },
      ),
    );
  const { road, isWithin, leg } = order;
  const when = isWithin ? "was on the road at that time" : "began or ended within 12 hours";
  const where = leg
    ? `: between stop ${leg.from.sequence} (${leg.from.name}) and stop ${leg.to.sequence} (${leg.to.name}), ${leg.km} km from the line`
    : "";
  const sure = rounded((isWithin ? 0.95 : 0.75) * (leg && leg.km > farFromLine ? 0.7 : 1));
  return [step("Order", `${nameOf(road)} ${when}${where}.`, sure, { type: "Order", id: road.orderId })];
}

const farFromLine = 150;
const nameOf = ({ orderNumber }: Road) => (orderNumber ? `Order ${orderNumber}` : "An order");

/** Purchases within this time before and after the offence are considered. */
export const besideMilliseconds = 6 * 3_600_000;
/** Highest plausible average speed of a vehicle. */
const mostKmPerHour = 110;

/**
 * Creates the step for the purchase that is nearest in time. The confidence is lower if the purchase was too far away
 * or by another driver.
 */
export function purchaseSteps(
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
    return [step("Transactions", `A purchase ${hours} hours apart was ${km} km away, which is possible.`, 1, subject)];
  if (known.countryCode && purchase.countryCode === known.countryCode)
    return [step("Transactions", `A purchase ${hours} hours apart was in ${known.countryCode} as well.`, 1, subject)];
  return [];
}

const nearby = 30;

export function nearest(purchases: readonly Purchase[], { windows, doubt }: Occurred) {
  if (doubt === "Day") return undefined;
  const { from } = windows[0]!;
  return purchases
    .filter(({ timed }) => timed)
    .map((purchase) => ({ purchase, apart: Math.abs(purchase.at - from) }))
    .filter(({ apart }) => apart <= besideMilliseconds)
    .sort((a, b) => a.apart - b.apart)[0];
}

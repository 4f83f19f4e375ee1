import { occurredAt, type Occurred } from "./time-windows.ts";
import { deadlinesOver } from "./deadlines.ts";
import { droveAt } from "./drivers.ts";
import { meantOf, onRoadAt } from "./orders-on-road.ts";
import type { Candidate, EvidenceStep, MatchStatus } from "./views.ts";
import type { Fine, Suspect, MatchContext, Match } from "./match-context.ts";
import {
  step,
  rounded,
  plateStep,
  isSureAround,
  orderSteps,
  purchaseSteps,
  timeStep,
  driverStep,
  noDriverStep,
  nearest,
} from "./evidence.ts";

/** Fines with at least this confidence are assigned automatically. */
export const assignConfidence = 0.8;
const most = 0.99;

/**
 * Matches a fine. The plate determines the vehicle; the time determines the driver and the order that was being
 * transported. If several vehicles or drivers are possible, all of them become candidates. The evidence names deadlines
 * that have passed, because no reminder is sent for them.
 */
export function matchFine(fine: Fine, known: MatchContext): Match {
  const match = matchWithoutDeadlines(fine, known);
  const over = known.now === undefined ? [] : deadlinesOver({ ...fine, countryCode: known.countryCode }, known.now);
  const steps = over.map(({ deadline, date }) =>
    step("Deadline", `${deadline} ${date} had passed when the fine arrived.`),
  );
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
    const message = plate ? `No vehicle of the fleet has the plate ${plate}.` : "The fine states no plate.";
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

/** Matches a fine with a vehicle that a reviewer selected. */
export function matchWithVehicle(fine: Fine, known: Omit<MatchContext, "suspects">, suspect: Suspect): Match {
  const occurred = fine.offenceAt ? occurredAt(fine.offenceAt, known.zone) : undefined;
  const match = matchSuspect(fine, { ...known, suspects: [suspect] }, suspect, occurred, []);
  const named = step("Plate", `A reviewer chose the vehicle with the plate ${suspect.licensePlate}.`, 1, {
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

/**
 * Whether the fine may mean this vehicle. A vehicle of another country is excluded if its plate is only similar, but
 * not if its plate is identical.
 */
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
      ? `The fine states "${fine.offenceSaid}" as the time of the offence, which is not a date.`
      : "The fine does not state the time of the offence.";
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

/** A purchase that supports the match reduces the remaining doubt (1 - confidence) by this share. */
const supported = 0.3;

/**
 * Computes the confidence in the match. It is the product of the confidences of all steps except that of the order. A
 * purchase that supports the match increases it.
 */
function confidenceOf(evidence: readonly EvidenceStep[]): number {
  const steps = evidence.filter((one) => one.step !== "Order");
  const all = steps.reduce((product, { confidence }) => product * (confidence ?? 1), 1);
  const isSupported = all > 0 && steps.some((one) => one.step === "Transactions" && one.confidence === 1);
  return rounded(Math.min(most, isSupported ? all + (1 - all) * supported : all));
}

/** If the vehicle has no assigned driver, proposes the driver that the nearest purchase names as a candidate. */
function driversByPurchase(suspect: Suspect, occurred: Occurred, confidence: number): Candidate[] {
  const name = nearest(suspect.purchases, occurred)?.purchase.driverSaid;
  if (!name) return [];
  const { vehicleId, licensePlate } = suspect;
  return [{ vehicleId, licensePlate, driver: { name }, confidence: Math.max(confidence, saidSurely) }];
}

const saidSurely = 0.5;

function candidatesOf(fine: Fine, suspect: Suspect, occurred: Occurred | undefined): Candidate[] {
  const { vehicleId, licensePlate, assignments } = suspect;
  const sure = plateStep(fine.licensePlate ?? "", fine, suspect).confidence ?? 0;
  const drivers = occurred ? droveAt(assignments, occurred).drivers : [];
  const confidence = rounded(sure / Math.max(1, drivers.length));
  if (drivers.length === 0) return [{ vehicleId, licensePlate, driver: null, confidence }];
  return drivers.map((driver) => ({ vehicleId, licensePlate, driver, confidence }));
}

import type { Env, Job } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { latin } from "../transactions/normalize-lines.ts";
import { ledgerOf, type LedgerVehicle } from "../transactions/ledger.ts";
import { commands } from "./commands.ts";
import type { VehicleDetails } from "./model.ts";

/**
 * Runs the job that sends the current data of a vehicle to the ledger of card transactions. May run twice, because the
 * ledger compares versions.
 */
export async function syncWithLedger({ company, id }: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const call = { company, id };
  const { reply, version } = await executeCommand(env, commands.facts, call, {});
  const vehicle = reply.given && toLedgerVehicle(reply.given, id);
  await ledgerOf(env, company).know(company, id, version, vehicle);
  await executeCommand(env, commands.introduced, call, { version });
}

/**
 * Updates the ledger before the response, so that the next transactions are matched with the vehicle. If this fails,
 * the job repeats it later.
 */
export const syncWithLedgerNow = (env: Env, company: string, id: string): Promise<void> =>
  syncWithLedger({ company, id }, env).catch((error: unknown) =>
    logFault("vehicles.introduce", error, { company, id }),
  );

function toLedgerVehicle(
  { licensePlate, vin, tankCapacity, fuelType, cards = [], assignments = [] }: VehicleDetails,
  vehicleId: string,
): LedgerVehicle {
  return {
    vehicleId,
    ...(licensePlate && { licensePlate: latin(barePlate(licensePlate)) }),
    ...(vin && { vin }),
    ...(tankCapacity && { tankCapacity }),
    ...(fuelType && { fuelType }),
    cards: cards.map(({ digest }) => digest),
    assignments: assignments.map(({ driver, from, to }) => ({ name: driver.name, from, ...(to && { to }) })),
  };
}

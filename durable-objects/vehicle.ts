import { commands } from "../src/areas/vehicles/commands.ts";
import type { Vehicle } from "../src/areas/vehicles/model.ts";
import { vehicleRow } from "../src/areas/vehicles/search.ts";
import { operations } from "../src/areas/vehicles/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each vehicle. */
export class VehicleObject extends Aggregate<Vehicle> {
  readonly noun = "Vehicle";
  readonly decisions = decisionsOf({ vehicles: { operations, commands } });
  urlOf = (id: string) => `/api/v1/vehicles/${id}`;
  archiveRow = vehicleRow;
}

import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import * as vehicles from "../src/areas/vehicles/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each vehicle. */
export class VehicleObject extends Aggregate<vehicles.Vehicle> {
  readonly noun = "Vehicle";
  readonly decisions = decisionsOf({ vehicles });
  urlOf = (id: string) => `/api/v1/vehicles/${id}`;
  archiveRow = (state: vehicles.Vehicle, company: string, id: string): ArchiveRow =>
    vehicles.vehicleRow(state, company, id);
}

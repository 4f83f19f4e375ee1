import * as z from "zod";
import { PublicFreight } from "../freights/views.ts";
import { VehicleOffered } from "../vehicles/model.ts";
import { criteria, weights } from "./score.ts";

const weightList = criteria.map((criterion) => `${criterion} ${weights[criterion]}`).join(", ");

const Reason = z
  .object({
    criterion: z.enum(criteria),
    fits: z.boolean(),
    score: z.number().describe("0 to 1."),
    detail: z.string(),
  })
  .meta({ id: "MatchReason" });

const Matched = z.object({
  score: z.number().describe(`0 to 1: the weighted sum of the scores of the reasons. Weights: ${weightList}.`),
  distanceKm: z
    .number()
    .int()
    .optional()
    .describe("Straight-line distance from the vehicle's place to the loading. Absent if unknown."),
  reasons: z.array(Reason).describe("One for each criterion."),
});

const FreightVehicle = VehicleOffered.meta({ id: "VehicleOffered" });
export const VehicleMatch = Matched.extend({ vehicleId: z.string(), vehicle: FreightVehicle }).meta({
  id: "VehicleMatch",
});

export const FreightMatch = Matched.extend({ freightId: z.string(), freight: PublicFreight }).meta({
  id: "FreightMatch",
});

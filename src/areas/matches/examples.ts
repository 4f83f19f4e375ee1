import type * as z from "zod";
import { publicExample } from "../freights/examples.ts";
import { VehicleOffered } from "../vehicles/model.ts";
import { viewExample as vehicleExample } from "../vehicles/examples.ts";
import type { FreightMatch, VehicleMatch } from "./model.ts";

const match = {
  score: 0.9856,
  distanceKm: 6,
  reasons: [
    { criterion: "distance" as const, fits: true, score: 0.9519, detail: "6 km away, 150 km at most." },
    { criterion: "dates" as const, fits: true, score: 1, detail: "Free for 100 % of the time to load." },
    { criterion: "trailer" as const, fits: true, score: 1, detail: "Tautliner (Curtainsider), as required." },
    { criterion: "vehicle" as const, fits: true, score: 1, detail: "Any vehicle fits." },
    { criterion: "load" as const, fits: true, score: 1, detail: "24 of 24 t, 13.6 of 13.6 ldm, 33 of 33 pallets." },
    { criterion: "capabilities" as const, fits: true, score: 1, detail: "Has gps." },
    { criterion: "unloading" as const, fits: true, score: 1, detail: "Wants to go to PL 53-609 Wrocław." },
    { criterion: "partLoad" as const, fits: true, score: 1, detail: "It is not a part load." },
  ],
};

export const vehicleMatchExample: z.input<typeof VehicleMatch> = {
  ...match,
  vehicleId: vehicleExample.vehicleId,
  vehicle: VehicleOffered.parse(vehicleExample),
};

export const freightMatchExample: z.input<typeof FreightMatch> = {
  ...match,
  freightId: publicExample.freightId,
  freight: publicExample,
};

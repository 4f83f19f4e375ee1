import * as z from "zod";
import { listOf, listParameters, type Page } from "../../platform/list-parameters.ts";
import { operationsOn } from "../../http/operation.ts";
import { paginate } from "../../http/paginate.ts";
import { PublicFreight } from "../freights/views.ts";
import { freightCommands } from "../freights/commands.ts";
import { VehicleOffered } from "../vehicles/model.ts";
import { commands as vehicleCommands } from "../vehicles/commands.ts";
import { freightMatchExample, vehicleMatchExample } from "./examples.ts";
import { freightsFor, vehiclesFor, type Match } from "./find.ts";
import { FreightMatch, VehicleMatch } from "./model.ts";

const ofFreights = operationsOn({ binding: "FREIGHTS", param: "freightId", scope: "freights" });
const ofVehicles = operationsOn({ binding: "VEHICLES", param: "vehicleId", scope: "fleet" });

const MatchQuery = z.object(listParameters(["score"], "-score"));
type MatchQuery = z.output<typeof MatchQuery>;

const howRanked =
  "Best matches first, each with its reasons. Excluded are matches outside the vehicle's range or its availability, with another trailer or vehicle type, or with too little capacity. A missing capability, another preferred destination and an unwelcome part load only lower the score; a requirement that the other side does not state counts half. Only the 1000 newest candidates are compared. New records are included about a second after they were created.";

export const operations = {
  vehicles: ofFreights.get("/api/v1/freights/:freightId/matches", {
    summary: "Find vehicles for a freight",
    description: `Your company's vehicles that are free where and when the freight is loaded. ${howRanked}`,
    additionalScopes: ["fleet:read"],
    query: MatchQuery,
    ok: listOf(VehicleMatch),
    refuses: ["freight_archived"],
    example: { query: { limit: "10" }, reply: { items: [vehicleMatchExample] } },
    async handle({ params, query }, { env, caller, send }) {
      const freight = await send(freightCommands.read, params.freightId, {});
      const matches = await vehiclesFor(freight, matching(env.ARCHIVE, caller.company));
      const { items, ...more } = pageOfMatches(matches, ({ vehicleId }) => vehicleId, {
        ...query,
        list: "vehicle matches",
      });
      return {
        items: items.map(({ thing, ...match }) => ({
          vehicleId: thing.vehicleId,
          ...shown(match),
          vehicle: VehicleOffered.parse(thing),
        })),
        ...more,
      };
    },
  }),

  freights: ofVehicles.get("/api/v1/vehicles/:vehicleId/matches", {
    summary: "Find freights for a vehicle",
    description: `Your company's live freights and drafts that are loaded where and when the vehicle is free. ${howRanked}`,
    additionalScopes: ["freights:read"],
    query: MatchQuery,
    ok: listOf(FreightMatch),
    example: { query: { limit: "10" }, reply: { items: [freightMatchExample] } },
    async handle({ params, query }, { env, caller, send }) {
      const vehicle = await send(vehicleCommands.look, params.vehicleId, {});
      const matches = await freightsFor(vehicle, matching(env.ARCHIVE, caller.company));
      const { items, ...more } = pageOfMatches(matches, ({ freightId }) => freightId, {
        ...query,
        list: "freight matches",
      });
      return {
        items: items.map(({ thing, ...match }) => ({
          freightId: thing.freightId,
          ...shown(match),
          freight: PublicFreight.parse(thing),
        })),
        ...more,
      };
    },
  }),
};

const matching = (archive: D1Database, company: string) => ({ archive, company, at: new Date().toISOString() });

function pageOfMatches<Thing extends { updatedAt: string }>(
  matches: Match<Thing>[],
  idOf: (thing: Thing) => string,
  { sort = "-score", updatedSince = "", ...query }: MatchQuery & { list: string },
): Page<Match<Thing>> {
  const changed = matches.filter(({ thing }) => thing.updatedAt >= updatedSince);
  return paginate(
    changed.map((match) => ({ ...match, id: idOf(match.thing) })),
    { ...query, sort, id: "id" },
  );
}

const rounded = (score: number) => Number(score.toFixed(4));

const shown = ({ score, distanceKm, reasons }: Omit<Match<unknown>, "thing">) => ({
  score: rounded(score),
  ...(distanceKm !== undefined && { distanceKm: Math.round(distanceKm) }),
  reasons: reasons.map((reason) => ({ ...reason, score: rounded(reason.score) })),
});

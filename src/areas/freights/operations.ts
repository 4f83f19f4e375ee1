import * as z from "zod";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { archivedExample, example, inputExample, listedArchivedExample, listedExample } from "./examples.ts";
import type { Events, Freight } from "./model.ts";
import { ListQuery, listFreights } from "./search.ts";
import { FreightInput } from "./input.ts";
import { shareOperations } from "./shares/operations.ts";
import { freightCommands } from "./commands.ts";
import { ArchivedFreight, FreightView, ListedFreight } from "./views.ts";
import { create, replace } from "./upsert.ts";

const { get, post, put, del } = operationsOn<Freight, Events>({
  binding: "FREIGHTS",
  param: "freightId",
  scope: "freights",
});

export const operations = {
  ...shareOperations,

  create: post("/api/v1/freights", {
    summary: "Publish a freight",
    description:
      "A freight with `sources` is published immediately; without them it is a draft. The response is an empty object as text, with the id in `X-Freight-Id` and `Location`; with `Accept: application/json` it is the freight. " +
      "A price with `growTo` grows in equal steps, one per `updateRate`, and reaches `growTo` in the last step before `until`. Carriers see only the current price.",
    idHeader: "X-Freight-Id",
    body: FreightInput,
    ok: FreightView,
    refuses: ["duplicate_external_number", "in_progress"],
    example: { body: inputExample, reply: example },
    handle: ({ body }, context) => create(body, context),
  }),

  list: get("/api/v1/freights", {
    summary: "List live freights",
    description: "Includes drafts; newest first. A freight appears about a second after it was created.",
    query: ListQuery,
    ok: listOf(ListedFreight),
    example: {
      query: { status: "Published", loadingCountry: "DE", limit: "20" },
      reply: { items: [listedExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: ({ query }, { env, caller }) => listFreights(env.ARCHIVE, caller.company, "Live", query),
  }),

  listArchived: get("/api/v1/freights/archive", {
    summary: "List archived freights",
    description: "Booked, expired and withdrawn freights, newest first.",
    query: ListQuery,
    ok: listOf(ListedFreight),
    example: {
      query: { status: "Expired", limit: "20" },
      reply: { items: [listedArchivedExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: ({ query }, { env, caller }) => listFreights(env.ARCHIVE, caller.company, "Archive", query),
  }),

  readArchived: get("/api/v1/freights/archive/:freightId", {
    summary: "Read an archived freight",
    description: "Its state when it was archived, with all offers, the price history and the winner.",
    ok: ArchivedFreight,
    example: { reply: archivedExample },
    command: freightCommands.archived,
  }),

  read: get("/api/v1/freights/:freightId", {
    summary: "Read a live freight",
    description: "With the current price. An archived freight returns 410, with its address in `Link`.",
    ok: FreightView,
    refuses: ["freight_archived"],
    example: { reply: example },
    command: freightCommands.read,
  }),

  update: put("/api/v1/freights/:freightId", {
    summary: "Replace a freight",
    description:
      "Replaces all fields; `metadata` is kept if it is not sent. Changed stops, times or requirements make open offers `Outdated`; a changed price restarts its growth. A draft that gets `sources` is published. Identical values do not change the version and send no event.",
    body: FreightInput,
    ok: FreightView,
    refuses: ["duplicate_external_number", "in_progress", "invalid_state"],
    example: { body: inputExample, reply: example },
    async handle({ params, body }, context) {
      const { reply, version } = await replace(params.freightId, body, context);
      return new Answer(reply, { version });
    },
  }),

  withdraw: del("/api/v1/freights/:freightId", {
    summary: "Withdraw a freight",
    description:
      "Declines its offers, disables its links and moves it to the archive. Repeating the request returns 204 again.",
    ok: z.object({}),
    status: 204,
    command: freightCommands.withdraw,
  }),
};

import * as z from "zod";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/lists.ts";
import { archivedExample, example, inputExample, listedArchivedExample, listedExample } from "./examples.ts";
import type { Events, Freight } from "./model.ts";
import { ListQuery, listFreights } from "./search.ts";
import { FreightInput } from "./shapes.ts";
import { shareOperations } from "./shares/operations.ts";
import { freightCommands } from "./commands.ts";
import { ArchivedFreight, FreightView, ListedFreight } from "./views.ts";
import { create, replace } from "./upsert.ts";

// What may be asked

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
      "Where it has `sources` it is published at once, else it is a draft. The answer is an empty object as text, with the id in `X-Freight-Id` and `Location`; `Accept: application/json` answers the freight. " +
      "A price with `growTo` grows in equal steps, one each `updateRate`, and stands at `growTo` in the last one before `until`; others see only the price of the moment.",
    idHeader: "X-Freight-Id",
    body: FreightInput,
    ok: FreightView,
    refuses: ["duplicate_external_number", "in_progress"],
    example: { body: inputExample, reply: example },
    handle: ({ body }, context) => create(body, context),
  }),

  list: get("/api/v1/freights", {
    summary: "List live freights",
    description: "Drafts included, newest first. A freight appears about a second after it was made.",
    query: ListQuery,
    ok: listOf(ListedFreight),
    example: {
      query: { status: "Published", loadingCountry: "DE", limit: "20" },
      reply: { items: [listedExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: ({ query }, { env, caller }) => listFreights(env.ARCHIVE, caller.company, "Live", query),
  }),

  listArchived: get("/api/v1/freights/archive", {
    summary: "List freights that are no longer live",
    description: "Booked, expired and withdrawn ones, newest first.",
    query: ListQuery,
    ok: listOf(ListedFreight),
    example: {
      query: { status: "Expired", limit: "20" },
      reply: { items: [listedArchivedExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: ({ query }, { env, caller }) => listFreights(env.ARCHIVE, caller.company, "Archive", query),
  }),

  readArchived: get("/api/v1/freights/archive/:freightId", {
    summary: "Read a freight that is no longer live",
    description: "As it was when it left, with every offer, every price that was told, and who got it.",
    ok: ArchivedFreight,
    example: { reply: archivedExample },
    async handle({ params }, { execute }) {
      const { reply, version } = await execute(freightCommands.archived, params.freightId, {});
      return new Answer(reply, { version });
    },
  }),

  read: get("/api/v1/freights/:freightId", {
    summary: "Read a live freight",
    description: "With the price of this moment. One that is no longer live answers 410, and in `Link` where it is.",
    ok: FreightView,
    refuses: ["freight_archived"],
    example: { reply: example },
    async handle({ params }, { execute }) {
      const { reply, version } = await execute(freightCommands.read, params.freightId, {});
      return new Answer(reply, { version });
    },
  }),

  update: put("/api/v1/freights/:freightId", {
    summary: "Replace a freight",
    description:
      "Replaces what the body names; `metadata` stays when it is not sent. Other stops, times or requirements make open offers `Outdated`; another price begins to grow anew. A draft that is given `sources` is published. What is sent as it was changes no version and sends no event.",
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
    description: "Its offers are declined, its links lead nowhere, and the archive keeps it. Again: 204 again.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, { execute }) {
      await execute(freightCommands.withdraw, params.freightId, {});
      return {};
    },
  }),
};

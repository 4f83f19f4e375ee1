import * as z from "zod";
import { toStoredCard } from "../../domain/payment-cards.ts";
import { refuse } from "../../platform/decision.ts";
import type { Env } from "../../platform/env.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { coordinatesOf } from "../../domain/places/places.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { inputExample, vehicleId, viewExample } from "./examples.ts";
import { NewVehicle, type Vehicle, VehicleInput, VehicleView, type events, isPresent, viewOf } from "./model.ts";
import { syncWithLedgerNow } from "./jobs.ts";
import { commands, type VehicleUpdate, type CardUpdate } from "./commands.ts";
import { ListQuery, listVehicles } from "./search.ts";

const { get, post, put, del } = operationsOn<Vehicle, typeof events>({
  binding: "VEHICLES",
  param: "vehicleId",
  scope: "fleet",
});

export const operations = {
  create: post("/api/v1/vehicles", {
    summary: "Create a vehicle",
    description:
      "With `loading` the vehicle is available at that place and time, and its matches list freights nearby. Missing coordinates are looked up by postal code or town. Of a card number only the last four characters and a keyed digest for look-ups are stored.",
    body: VehicleInput,
    ok: NewVehicle,
    status: 201,
    refuses: ["in_progress"],
    example: { body: inputExample, reply: { id: vehicleId, ...viewExample } },
    async handle({ body }, context) {
      const { reply, ...more } = await context.execute(commands.create, context.newId, await toUpdate(body, context));
      await syncWithLedgerNow(context.env, context.caller.company, reply.vehicleId);
      const location = `/api/v1/vehicles/${reply.vehicleId}`;
      return new Answer({ id: reply.vehicleId, ...reply }, { ...more, headers: { location } });
    },
  }),

  list: get("/api/v1/vehicles", {
    summary: "List vehicles",
    description: "Newest first. A vehicle appears about a second after it was created.",
    query: ListQuery,
    ok: listOf(VehicleView),
    example: {
      query: { trailerType: "3", loadingCountry: "DE", near: "51.34,12.37,150" },
      reply: { items: [viewExample] },
    },
    handle: async ({ query }, { env, caller }) => listVehicles(env.ARCHIVE, caller.company, query),
  }),

  read: get("/api/v1/vehicles/:vehicleId", {
    summary: "Read a vehicle",
    ok: VehicleView,
    example: { reply: viewExample },
    decide: (state, _, { id }) => (isPresent(state) ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  update: put("/api/v1/vehicles/:vehicleId", {
    summary: "Replace a vehicle",
    description:
      "Replaces all fields; `metadata` is kept if it is not sent. A card that the vehicle already has may be sent with `last4` only. Identical values do not change the version.",
    body: VehicleInput,
    ok: VehicleView,
    example: { body: inputExample, reply: viewExample },
    async handle({ params, body }, context) {
      const { reply, ...more } = await context.execute(
        commands.replace,
        params.vehicleId,
        await toUpdate(body, context),
      );
      await syncWithLedgerNow(context.env, context.caller.company, params.vehicleId);
      return new Answer(reply, more);
    },
  }),

  remove: del("/api/v1/vehicles/:vehicleId", {
    summary: "Remove a vehicle",
    description:
      "Deletes all its data, except the encrypted responses to requests with an `Idempotency-Key`, which are kept for 24 hours. Repeating the request returns 204 again.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, { env, caller, execute }) {
      await execute(commands.remove, params.vehicleId, {});
      await syncWithLedgerNow(env, caller.company, params.vehicleId);
      return {};
    },
  }),
};

async function toUpdate({ metadata, cards, ...given }: VehicleInput, { env, caller }: Context): Promise<VehicleUpdate> {
  const [loading, addresses] = await Promise.all([
    given.loading && withCoordinates(env, given.loading.address).then((address) => ({ ...given.loading!, address })),
    given.unloading && Promise.all(given.unloading.address.map((address) => withCoordinates(env, address))),
  ]);
  const kept = cards?.map(({ provider, number, last4 = "" }): CardUpdate => ({
    provider,
    ...(number ? toStoredCard(env, caller.company, number) : { last4 }),
  }));
  return {
    given: {
      ...given,
      ...(loading && { loading }),
      ...(addresses && { unloading: { address: addresses } }),
      ...(kept && { cards: kept }),
    },
    ...(metadata && { metadata }),
  };
}

type Located = Parameters<typeof coordinatesOf>[1] & {
  coordinates?: { latitude: number; longitude: number } | undefined;
};

async function withCoordinates<Address extends Located>(env: Env, address: Address): Promise<Address> {
  if (address.coordinates) return address;
  const coordinates = await coordinatesOf(env, address);
  return coordinates ? { ...address, coordinates } : address;
}

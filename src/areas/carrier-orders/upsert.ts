import type * as z from "zod";
import type { Env } from "../../platform/env.ts";
import { Answer } from "../../http/responses.ts";
import { partId } from "../../platform/ids.ts";
import {
  numberKey,
  releaseNumber,
  withNumber,
  takeNumber,
  withHolder,
  type NumberRegistry,
} from "../../platform/unique-numbers.ts";
import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { lookUpPlace } from "../../domain/places/places.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { commands, type OrderInput } from "./commands.ts";
import { CarrierOrderInput } from "./input.ts";
import {
  isSameNumber,
  type CarrierOrderEnvelope,
  type NewCarrierOrder,
  type UpsertResult,
  type UpsertResults,
} from "./model.ts";

// Creates and replaces carrier orders, finds them by their number, and keeps the numbers unique.

/** Order numbers are unique among the orders of a company that are not cancelled. */
export const orderNumbers: NumberRegistry = {
  kind: "orders",
  noun: "order",
  toKey: numberKey,
  async findNumber(env, company, id) {
    const { made } = (await executeCommand(env, commands.number, { company, id }, {})).reply;
    return made && { number: made.orderNumber, isLive: made.isLive };
  },
};

/** Maximum number of orders of one request that are written concurrently. */
const concurrency = 8;
/** Maximum number of times that an upsert looks for the order with its number. */
const maxAttempts = 5;

/** Creates a carrier order. @throws Problem `duplicate_order_number` */
export async function create(
  body: CarrierOrderInput,
  context: Context,
): Promise<Answer<z.output<typeof NewCarrierOrder>>> {
  const wanted = { number: body.orderNumber, id: context.newId };
  const order = await resolvePlaces(body, context.env);
  const { reply, ...more } = await withHolder(orderNumbers, wanted, context, (id) =>
    context.execute(commands.create, id, order),
  );
  return new Answer(reply, { ...more, status: 201, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

/**
 * Creates the order `id` with the first of the numbers that is free. Idempotent.
 * @throws Problem `in_progress`, `duplicate_order_number` when all numbers are taken
 */
export async function createOnce(
  env: Env,
  { company, id }: { company: string; id: string },
  data: Omit<z.input<typeof CarrierOrderInput>, "orderNumber">,
  numbers: string[],
): Promise<void> {
  if ((await executeCommand(env, commands.number, { company, id }, {})).reply.made) return;
  const inputs = numbers.map((orderNumber) => CarrierOrderInput.parse({ ...data, orderNumber }));
  for (const input of inputs) {
    if ((await takeNumber(env, orderNumbers, company, input.orderNumber, id)) !== id) continue;
    const order = await resolvePlaces(input, env);
    try {
      await executeCommand(env, commands.create, { company, id }, order);
    } catch (error) {
      if (!(error instanceof Problem && error.reason === "duplicate_order_number")) throw error;
    }
    return;
  }
  throw new Problem("duplicate_order_number", `All of these order numbers are already in use: ${numbers.join(", ")}.`);
}

type Envelope = CommandOutcome<z.output<typeof CarrierOrderEnvelope>>;

/**
 * Replaces the data of an order.
 * @throws Problem `duplicate_order_number`, `carrier_change_refused`, `invalid_state`, `in_progress`
 */
export async function replace(id: string, body: CarrierOrderInput, context: Context): Promise<Envelope> {
  const { env, caller } = context;
  const order = await resolvePlaces(body, env);
  return (
    (await replaceWithSameNumber(id, order, context)) ??
    withNumber(
      env,
      orderNumbers,
      caller.company,
      id,
      async () => (await replaceWithSameNumber(id, order, context)) ?? rename(id, order, context),
    )
  );
}

/** @returns undefined, without a change, if the request changes the order number */
async function replaceWithSameNumber(
  id: string,
  order: OrderInput,
  { execute }: Context,
): Promise<Envelope | undefined> {
  const { reply, ...more } = await execute(commands.replace, id, order);
  return reply === "Renamed" ? undefined : { reply: reply.envelope, ...more };
}

/**
 * Replaces an order and changes its number. The new number is claimed first and the old one released last, so that the
 * order always holds a number.
 */
async function rename(id: string, order: OrderInput, { env, caller, execute }: Context): Promise<Envelope> {
  const { orderNumber } = order.given;
  if ((await takeNumber(env, orderNumbers, caller.company, orderNumber, id)) !== id)
    throw new Problem("duplicate_order_number", `Order number ${orderNumber} is already in use.`);
  try {
    const { reply, ...more } = await execute(commands.replace, id, { ...order, held: true });
    if (reply === "Renamed") throw new Error("The order asks for a number that it already holds.");
    await releaseNumber(env, orderNumbers, caller.company, reply.before, id);
    return { reply: reply.envelope, ...more };
  } catch (error) {
    if (error instanceof Problem) await releaseNumber(env, orderNumbers, caller.company, orderNumber, id);
    throw error;
  }
}

/** Creates the order, or replaces the one with the same number. @throws Problem `in_progress`, `version_mismatch` */
export async function upsert(body: CarrierOrderInput, context: Context): Promise<Answer<UpsertResult>> {
  const { reply, version, replayed } = await upsertWithId(context.newId, body, context);
  return new Answer(reply, { version, replayed, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

/**
 * Creates or replaces several orders. All are validated before any is written; then each succeeds or fails on its own.
 * @throws Problem `validation_failed` for repeated numbers, and for `If-Match`, which can name the version of one order only
 */
export async function upsertMany(
  items: CarrierOrderInput[],
  context: Context,
): Promise<Answer<z.input<typeof UpsertResults>>> {
  if (context.request.headers.has("if-match"))
    throw invalid([
      wrongField(
        ["If-Match"],
        "invalid",
        "If-Match cannot be sent with items. Send the order in a request of its own.",
      ),
    ]);
  refuseRepeatedNumbers(items);
  const outcomes: Awaited<ReturnType<typeof upsertItem>>[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    const batch = items.slice(start, start + concurrency);
    outcomes.push(...(await Promise.all(batch.map((item, index) => upsertItem(item, start + index, context)))));
  }
  return new Answer(
    { items: outcomes.map(({ result }) => result) },
    { replayed: outcomes.every(({ replayed }) => replayed) },
  );
}

async function upsertItem(item: CarrierOrderInput, index: number, context: Context) {
  const { orderNumber } = item;
  try {
    const { reply, replayed } = await upsertWithId(await partId(context.newId, index), item, context);
    return { result: { orderNumber, ...reply }, replayed: replayed === true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { result: { orderNumber, errorCode: error.reason, detail: error.message }, replayed: false };
  }
}

/** Creates or replaces an order. Tries again if the order with the number was cancelled or renamed in the meantime. */
async function upsertWithId(
  id: string,
  body: CarrierOrderInput,
  context: Context,
): Promise<CommandOutcome<UpsertResult>> {
  const order = {
    ...(await resolvePlaces(body, context.env)),
    ...(context.request.headers.has("if-match") && { isSeen: true }),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const wanted = { number: body.orderNumber, id };
      return await withHolder(orderNumbers, wanted, context, (holder) =>
        context.execute(commands.upsert, holder, order),
      );
    } catch (error) {
      const isOtherOrder = error instanceof Problem && error.reason === "in_progress";
      if (!isOtherOrder || attempt === maxAttempts) throw error;
    }
  }
}

async function resolvePlaces({ metadata, ...given }: CarrierOrderInput, env: Env): Promise<OrderInput> {
  const places = await Promise.all(
    (given.locations ?? []).map(async ({ countryCode, postalCode, city }) =>
      countryCode ? lookUpPlace(env, { countryCode, postalCode, city }) : {},
    ),
  );
  return { given, places, ...(metadata && { metadata }) };
}

function refuseRepeatedNumbers(items: CarrierOrderInput[]): void {
  const numbers = items.map(({ orderNumber }) => orderNumber);
  const repeated = numbers.flatMap((number, index) =>
    numbers.findIndex((one) => isSameNumber(one, number)) < index ? [index] : [],
  );
  if (repeated.length > 0)
    throw invalid(
      repeated.map((index) =>
        wrongField(
          ["items", index, "orderNumber"],
          "duplicate",
          `orderNumber: ${numbers[index]} occurs more than once in items.`,
        ),
      ),
    );
}

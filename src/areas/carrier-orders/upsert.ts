import type * as z from "zod";
import type { Env } from "../../platform/env.ts";
import { Answer } from "../../http/responses.ts";
import { partId } from "../../platform/ids.ts";
import { releaseNumber, withNumber, takeNumber, withHolder } from "../../platform/unique-numbers.ts";
import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { lookUpPlace } from "../../domain/places/places.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { orderNumbers } from "./numbers.ts";
import { isSameNumber } from "./order.ts";
import {
  CarrierOrderInput,
  type CarrierOrderEnvelope,
  type NewCarrierOrder,
  type UpsertResult,
  type UpsertResults,
} from "./shapes.ts";
import { commands, type SaidOrder } from "./commands.ts";

// Which order is written, and that its number is its own meanwhile.

/** Orders of one upsert that are made at the same time. */
const atOnce = 8;
/** How often an upsert looks for the order of its number anew. */
const mostAttempts = 5;

/** A new carrier order: the form of `POST /api/v1/orders` that is no document. @throws Problem `duplicate_order_number` */
export async function create(
  body: CarrierOrderInput,
  context: Context,
): Promise<Answer<z.output<typeof NewCarrierOrder>>> {
  const wanted = { number: body.orderNumber, id: context.newId };
  const said = await saidIn(body, context.env);
  const { reply, ...more } = await withHolder(orderNumbers, wanted, context, (id) =>
    context.execute(commands.create, id, said),
  );
  return new Answer(reply, { ...more, status: 201, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

/**
 * Makes the order `id` of something else, once, however often it is asked for: under the first of the numbers that no
 * other order has.
 * @throws Problem `in_progress`, `duplicate_order_number` when all numbers are taken
 */
export async function createOnce(
  env: Env,
  { company, id }: { company: string; id: string },
  order: Omit<z.input<typeof CarrierOrderInput>, "orderNumber">,
  numbers: string[],
): Promise<void> {
  if ((await executeCommand(env, commands.number, { company, id }, {})).reply.made) return;
  const orders = numbers.map((orderNumber) => CarrierOrderInput.parse({ ...order, orderNumber }));
  for (const input of orders) {
    if ((await takeNumber(env, orderNumbers, company, input.orderNumber, id)) !== id) continue;
    const said = await saidIn(input, env);
    try {
      await executeCommand(env, commands.create, { company, id }, said);
    } catch (error) {
      if (!(error instanceof Problem && error.reason === "duplicate_order_number")) throw error;
    }
    return;
  }
  throw new Problem("duplicate_order_number", `Order numbers already in use: ${numbers.join(", ")}.`);
}

type Envelope = CommandOutcome<z.output<typeof CarrierOrderEnvelope>>;

/** Says an order anew. @throws Problem `duplicate_order_number`, `carrier_change_refused`, `invalid_state`, `in_progress` */
export async function replace(id: string, body: CarrierOrderInput, context: Context): Promise<Envelope> {
  const { env, caller } = context;
  const said = await saidIn(body, env);
  return (
    (await replaceAsNumbered(id, said, context)) ??
    withNumber(
      env,
      orderNumbers,
      caller.company,
      id,
      async () => (await replaceAsNumbered(id, said, context)) ?? rename(id, said, context),
    )
  );
}

/** @returns undefined and changes nothing when the order has another number */
async function replaceAsNumbered(id: string, said: SaidOrder, { execute }: Context): Promise<Envelope | undefined> {
  const { reply, ...more } = await execute(commands.replace, id, said);
  return reply === "Renamed" ? undefined : { reply: reply.envelope, ...more };
}

/** The new number is taken first and the old one given back last: no moment leaves the order without one. */
async function rename(id: string, said: SaidOrder, { env, caller, execute }: Context): Promise<Envelope> {
  const { orderNumber } = said.given;
  if ((await takeNumber(env, orderNumbers, caller.company, orderNumber, id)) !== id)
    throw new Problem("duplicate_order_number", `Order number ${orderNumber} is already in use.`);
  try {
    const { reply, ...more } = await execute(commands.replace, id, { ...said, held: true });
    if (reply === "Renamed") throw new Error("A number that is held is not asked for again.");
    await releaseNumber(env, orderNumbers, caller.company, reply.before, id);
    return { reply: reply.envelope, ...more };
  } catch (error) {
    if (error instanceof Problem) await releaseNumber(env, orderNumbers, caller.company, orderNumber, id);
    throw error;
  }
}

/** Makes the order of a number, or says it anew. @throws Problem `in_progress`, `version_mismatch` */
export async function upsert(body: CarrierOrderInput, context: Context): Promise<Answer<UpsertResult>> {
  const { reply, version, replayed } = await upsertAs(context.newId, body, context);
  return new Answer(reply, { version, replayed, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

/**
 * All are looked at before any is written; then each stands by itself.
 * @throws Problem `validation_failed` for twins, and for a version, which is that of one order
 */
export async function upsertMany(
  items: CarrierOrderInput[],
  context: Context,
): Promise<Answer<z.input<typeof UpsertResults>>> {
  if (context.request.headers.has("if-match"))
    throw invalid([
      wrongField(["If-Match"], "invalid", "If-Match is supported for a single order only, not for items."),
    ]);
  refuseTwins(items);
  const outcomes: Awaited<ReturnType<typeof upsertItem>>[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    const some = items.slice(start, start + atOnce);
    outcomes.push(...(await Promise.all(some.map((item, index) => upsertItem(item, start + index, context)))));
  }
  return new Answer(
    { items: outcomes.map(({ result }) => result) },
    { replayed: outcomes.every(({ replayed }) => replayed) },
  );
}

async function upsertItem(item: CarrierOrderInput, index: number, context: Context) {
  const { orderNumber } = item;
  try {
    const { reply, replayed } = await upsertAs(await partId(context.newId, index), item, context);
    return { result: { orderNumber, ...reply }, replayed: replayed === true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { result: { orderNumber, errorCode: error.reason, detail: error.message }, replayed: false };
  }
}

/** The order that has the number may be cancelled or renamed before it is asked: then the number leads to another. */
async function upsertAs(id: string, body: CarrierOrderInput, context: Context): Promise<CommandOutcome<UpsertResult>> {
  const said = {
    ...(await saidIn(body, context.env)),
    ...(context.request.headers.has("if-match") && { isSeen: true }),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const wanted = { number: body.orderNumber, id };
      return await withHolder(orderNumbers, wanted, context, (holder) =>
        context.execute(commands.upsert, holder, said),
      );
    } catch (error) {
      const isAnother = error instanceof Problem && error.reason === "in_progress";
      if (!isAnother || attempt === mostAttempts) throw error;
    }
  }
}

async function saidIn({ metadata, ...given }: CarrierOrderInput, env: Env): Promise<SaidOrder> {
  const places = await Promise.all(
    (given.locations ?? []).map(async ({ countryCode, postalCode, city }) =>
      countryCode ? lookUpPlace(env, { countryCode, postalCode, city }) : {},
    ),
  );
  return { given, places, ...(metadata && { metadata }) };
}

function refuseTwins(items: CarrierOrderInput[]): void {
  const numbers = items.map(({ orderNumber }) => orderNumber);
  const twins = numbers.flatMap((number, index) =>
    numbers.findIndex((one) => isSameNumber(one, number)) < index ? [index] : [],
  );
  if (twins.length > 0)
    throw invalid(
      twins.map((index) =>
        wrongField(["items", index, "orderNumber"], "duplicate", `${numbers[index]} is there twice.`),
      ),
    );
}

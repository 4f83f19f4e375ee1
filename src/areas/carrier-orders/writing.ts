import type * as z from "zod";
import { Answer } from "../../kit/http.ts";
import { partId } from "../../kit/ids.ts";
import type { Context, Outcome } from "../../kit/operation.ts";
import { holderOf, releaseClaim, takeClaim } from "../../kit/owners.ts";
import { invalid, Problem, wrongField } from "../../kit/problem.ts";
import { releaseNumber, renaming, takeNumber } from "./numbers.ts";
import { isSameNumber } from "./order.ts";
import type {
  CarrierOrderEnvelope,
  CarrierOrderInput,
  NewCarrierOrder,
  UpsertResult,
  UpsertResults,
} from "./shapes.ts";
import { steps, type Said } from "./steps.ts";

// Which order is written, and that its number is its own meanwhile.

/** Orders of one upsert that are made at the same time. */
const atOnce = 8;
/** How often an upsert looks for the order of its number anew. */
const mostAttempts = 5;
/** A repeated request is known this long. */
const repeatMilliseconds = 24 * 60 * 60 * 1000;

/** A new carrier order: the form of `POST /api/v1/orders` that is no document. @throws Problem `duplicate_order_number` */
export async function create(
  body: CarrierOrderInput,
  context: Context,
): Promise<Answer<z.output<typeof NewCarrierOrder>>> {
  const wanted = { ...body, id: context.newId };
  const { reply, ...more } = await withOrderOf(wanted, context, (id) =>
    context.perform(steps.create, id, saidIn(body)),
  );
  return new Answer(reply, { ...more, status: 201, headers: { location: `/api/v1/orders/${reply.orderId}` } });
}

type Envelope = Outcome<z.output<typeof CarrierOrderEnvelope>>;

/** Says an order anew. @throws Problem `duplicate_order_number`, `carrier_change_refused`, `invalid_state`, `in_progress` */
export async function replace(id: string, body: CarrierOrderInput, context: Context): Promise<Envelope> {
  const said = saidIn(body);
  const { env, caller } = context;
  return (
    (await replaceAsNumbered(id, said, context)) ??
    renaming(
      env,
      caller.company,
      id,
      async () => (await replaceAsNumbered(id, said, context)) ?? rename(id, said, context),
    )
  );
}

/** @returns undefined and changes nothing when the order has another number */
async function replaceAsNumbered(id: string, said: Said, { perform }: Context): Promise<Envelope | undefined> {
  const { reply, ...more } = await perform(steps.replace, id, said);
  return reply === "Renamed" ? undefined : { reply: reply.envelope, ...more };
}

/** The new number is taken first and the old one given back last: no moment leaves the order without one. */
async function rename(id: string, said: Said, { env, caller, perform }: Context): Promise<Envelope> {
  const { orderNumber } = said.given;
  if ((await takeNumber(env, caller.company, orderNumber, id)) !== id)
    throw new Problem("duplicate_order_number", `There is another order ${orderNumber}.`);
  try {
    const { reply, ...more } = await perform(steps.replace, id, { ...said, held: true });
    if (reply === "Renamed") throw new Error("A number that is held is not asked for again.");
    await releaseNumber(env, caller.company, reply.before, id);
    return { reply: reply.envelope, ...more };
  } catch (error) {
    if (error instanceof Problem) await releaseNumber(env, caller.company, orderNumber, id);
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
    throw invalid([wrongField(["If-Match"], "invalid", "If-Match is for one order, not for items.")]);
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
async function upsertAs(id: string, body: CarrierOrderInput, context: Context): Promise<Outcome<UpsertResult>> {
  const said = { ...saidIn(body), ...(context.request.headers.has("if-match") && { isSeen: true }) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await withOrderOf({ ...body, id }, context, (holder) => context.perform(steps.upsert, holder, said));
    } catch (error) {
      const isAnother = error instanceof Problem && error.reason === "in_progress";
      if (!isAnother || attempt === mostAttempts) throw error;
    }
  }
}

const saidIn = ({ metadata, ...given }: CarrierOrderInput): Said => ({ given, ...(metadata && { metadata }) });

/**
 * Writes the order that has a number, or `id` when none has it. What a key repeats goes to the order it went to at first,
 * whatever number that has by now; what was refused went nowhere, and looks for its order anew.
 */
async function withOrderOf<Done>(
  { orderNumber, id }: { orderNumber: string; id: string },
  { env, caller: { company }, request }: Context,
  write: (orderId: string) => Promise<Done>,
): Promise<Done> {
  const take = () => takeNumber(env, company, orderNumber, id);
  if (!request.headers.has("idempotency-key")) return write(await take());
  const name = `repeats/${id}`;
  const before = await holderOf(env, company, name);
  const claim = { holder: before ?? (await take()), until: Date.now() + repeatMilliseconds };
  const { holder } = await takeClaim(env, company, name, claim);
  try {
    return await write(holder);
  } catch (error) {
    if (error instanceof Problem) await releaseClaim(env, company, name, { holder });
    throw error;
  }
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

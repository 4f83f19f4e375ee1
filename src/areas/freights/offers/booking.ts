import type * as z from "zod";
import type { CarrierOrderInput } from "../../carrier-orders/input.ts";
import { createOnce } from "../../carrier-orders/upsert.ts";
import { normalizeNumber } from "../../../platform/archive/archive.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { mostMetadata } from "../../../domain/shapes.ts";
import { partId } from "../../../platform/ids.ts";
import { logFault } from "../../../platform/log.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import type { Freight } from "../model.ts";
import { amountOf } from "../price.ts";
import type { Stop } from "../stops.ts";
import { offerCommands } from "./commands.ts";
import type { Offer } from "./offer.ts";

const maxCommentLength = 10_000;

/** Returns the id of a freight's carrier order, derived from the freight's id. */
export const carrierOrderIdOf = (freightId: string): Promise<string> => partId(freightId, 0);

/** Creates the carrier order of a booked freight. Idempotent. */
export async function book({ company, id }: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const { freight, offer } = (await executeCommand(env, offerCommands.booked, { company, id }, {})).reply;
  if (freight && offer) {
    const orderId = await carrierOrderIdOf(id);
    await createOnce(env, { company, id: orderId }, orderOf(id, freight, offer), numbersOf(id, freight));
  }
  await executeCommand(env, offerCommands.ordered, { company, id }, {});
}

/** Creates the carrier order immediately after booking. If that fails, the job `freights.book` creates it later. */
export const bookNow = (env: Env, company: string, id: string): Promise<void> =>
  book({ company, id }, env).catch((error: unknown) => logFault("freights.book", error, { company, id }));

/**
 * Lists the order numbers to try until one is not taken: the freight's number `A1`, then `A1 (freight …)` with the end
 * of its id, then with the whole id. Without a number: `F-` and the end of the id, then `F-` and the whole id.
 */
export function numbersOf(id: string, { said: { externalNumber } }: Freight): string[] {
  const own = id.slice(-12).toUpperCase();
  if (!externalNumber || normalizeNumber(externalNumber) === "") return [`F-${own}`, `F-${id.toUpperCase()}`];
  const beside = (name: string) => `${cutAt(89 - name.length, externalNumber)} (freight ${name})`;
  return [externalNumber, beside(own), beside(id.toUpperCase())];
}

/**
 * Converts a booked freight to its carrier order. The agreed price is in the internal comments, because the carrier
 * must not see a price in its order.
 */
export function orderOf(
  id: string,
  { said, metadata }: Freight,
  { offerId, carrier, vehicle, price, currency, comments }: Offer,
): Omit<z.input<typeof CarrierOrderInput>, "orderNumber"> {
  const { term } = said.payment;
  const agreed = `${amountOf(price).toFixed(2)} ${currency}${term === undefined ? "" : `, paid within ${term} days`}`;
  const internalComments = [
    `Agreed: ${agreed}. Freight ${id}, offer ${offerId}.`,
    ...(comments ? [`The carrier said: ${comments}`] : []),
    ...(said.internalComments ? [said.internalComments] : []),
  ];
  return {
    carrier,
    internalComments: cutAt(maxCommentLength, internalComments.join("\n")),
    ...(vehicle?.licensePlates && { details: { licensePlates: vehicle.licensePlates } }),
    locations: said.locations.map(stopOf),
    metadata: { ...fittingMetadata(metadata), freightId: id, offerId },
  };
}

/** Leaves room for `freightId` and `offerId`. `internalId` is always kept. */
function fittingMetadata(metadata: Record<string, string> = {}) {
  const { freightId: _, offerId: __, internalId, ...rest } = metadata;
  const words = Object.entries({ ...(internalId !== undefined && { internalId }), ...rest });
  return Object.fromEntries(words.slice(0, mostMetadata - 2));
}

/** Does not split a surrogate pair. */
const cutAt = (length: number, text: string) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

const stopOf = ({ type, address, startsAt, endsAt }: Stop, index: number) => ({
  sequence: index + 1,
  type,
  ...(startsAt && { startDate: startsAt }),
  ...(endsAt && { endDate: endsAt }),
  countryCode: address.countryCode,
  ...(address.postalCode && { postalCode: address.postalCode }),
  ...(address.city && { city: address.city }),
  ...(address.coordinates && { position: address.coordinates }),
});

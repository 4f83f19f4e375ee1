import type * as z from "zod";
import type { CarrierOrderInput } from "../../carrier-orders/input.ts";
import { createOnce } from "../../carrier-orders/upsert.ts";
import { tight } from "../../../platform/archive/archive.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { mostMetadata } from "../../../domain/shapes.ts";
import { partId } from "../../../platform/ids.ts";
import { logFault } from "../../../platform/log.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import type { Freight } from "../model.ts";
import { amountOf } from "../price.ts";
import type { Stop } from "../stops.ts";
import { offerCommands } from "./commands.ts";
import type { Offer } from "./negotiation.ts";

/** Letters of a carrier order's internal comments. */
const mostLetters = 10_000;

/** The id of the order that comes of a freight: the same whoever makes it, and however often. */
export const carrierOrderIdOf = (freightId: string): Promise<string> => partId(freightId, 0);

/** Makes the order of the carrier that got a freight. Made twice it is one. */
export async function book({ company, id }: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const { freight, offer } = (await executeCommand(env, offerCommands.booked, { company, id }, {})).reply;
  if (freight && offer) {
    const orderId = await carrierOrderIdOf(id);
    await createOnce(env, { company, id: orderId }, orderOf(id, freight, offer), numbersOf(id, freight));
  }
  await executeCommand(env, offerCommands.ordered, { company, id }, {});
}

/** The same right after the freight was booked. Should it fail, the freight's work makes up for it. */
export const acceptedOf = (env: Env, company: string, id: string): Promise<void> =>
  book({ company, id }, env).catch((error: unknown) => logFault("freights.book", error, { company, id }));

/** The order bears the freight's number; where another order has it, the freight itself is named beside it. */
export function numbersOf(id: string, { said: { externalNumber } }: Freight): string[] {
  const own = id.slice(-12).toUpperCase();
  if (!externalNumber || tight(externalNumber) === "") return [`F-${own}`, `F-${id.toUpperCase()}`];
  const beside = (name: string) => `${cutAt(89 - name.length, externalNumber)} (freight ${name})`;
  return [externalNumber, beside(own), beside(id.toUpperCase())];
}

/** What was agreed is for the company's own people: a carrier order says no price to its carrier. */
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
    internalComments: cutAt(mostLetters, internalComments.join("\n")),
    ...(vehicle?.licensePlates && { details: { licensePlates: vehicle.licensePlates } }),
    locations: said.locations.map(stopOf),
    metadata: { ...wordsBeside(metadata), freightId: id, offerId },
  };
}

/** The freight's own words, as many as an order has room for beside the two ids; by `internalId` it is found. */
function wordsBeside(metadata: Record<string, string> = {}) {
  const { freightId: _, offerId: __, internalId, ...rest } = metadata;
  const words = Object.entries({ ...(internalId !== undefined && { internalId }), ...rest });
  return Object.fromEntries(words.slice(0, mostMetadata - 2));
}

/** The beginning of a text; it never ends with half a character. */
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

import { anyOf, listArchive, normalizeNumber } from "../../platform/archive/archive.ts";
import type { Env } from "../../platform/env.ts";
import type { CarrierOrderRow } from "./shapes.ts";

/** More do not help anybody to choose. */
const most = 10;

/**
 * Carrier orders that are not cancelled and have one of these numbers, however blanks, signs and case are written, the newest
 * first. An order is found about a second after it was made.
 */
export async function ordersNumbered(
  { ARCHIVE }: Pick<Env, "ARCHIVE">,
  company: string,
  numbers: readonly string[],
): Promise<{ orderId: string; orderNumber: string }[]> {
  const terms = [...new Set(numbers.map(normalizeNumber))].filter(Boolean).map((number) => `orderNumber:${number}`);
  if (terms.length === 0) return [];
  const { items } = await listArchive<CarrierOrderRow>(ARCHIVE, {
    table: "orders",
    company,
    terms: [[["kind:Carrier"]], anyOf(...terms)],
    ranges: [],
    patterns: [],
    sort: "-createdAt",
    limit: most,
  });
  return items
    .filter(({ status }) => status !== "Cancelled")
    .map(({ orderId, orderNumber }) => ({ orderId, orderNumber }));
}

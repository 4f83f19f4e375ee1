import * as z from "zod";
import { tight, tombstone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { given } from "../../platform/omit-undefined.ts";
import { vatCodeTerms } from "../../domain/parties.ts";
import type { OrderView } from "../../extraction/kinds/order/view.ts";
import type { Intake } from "../intake/index.ts";
import { example, failedExample, orderId } from "./examples.ts";
import { OrderEnvelope, type OrderRow } from "./shapes.ts";

// What happens to it

export const events = {
  OrderProcessed: z
    .array(OrderEnvelope)
    .meta({ id: "OrderProcessed", description: "A file was read and orders were found in it.", examples: [[example]] }),
  OrderFailed: z
    .array(OrderEnvelope)
    .meta({ id: "OrderFailed", description: "A file could not be turned into an order.", examples: [[failedExample]] }),
  OrderDeleted: z.object({ orderId: z.string() }).meta({
    id: "OrderDeleted",
    description: "An order that was read from a file was deleted.",
    examples: [{ orderId }],
  }),
  OrderCorrected: z.array(OrderEnvelope).meta({
    id: "OrderCorrected",
    description: "Somebody put values of an order right, by feedback.",
    examples: [[example]],
  }),
};

// What is remembered

/** An order read from a document. */
export interface Order extends Intake<OrderEnvelope> {
  kind?: undefined;
}

/** The work that reads it. */
export const reading = "orders.read";
/** The work that deletes what is stored of one that was deleted. */
export const removing = "orders.remove";
/** Where its file and its evidence lie in R2. */
export const folder = "orders";

/** The archive's row of an order: how it is listed and what it is found by. */
export function orderRow(order: Order, company: string, id: string): ArchiveRow {
  if (order.removed) return tombstone("orders", company, id);
  const views = order.envelopes.flatMap(({ data }) => data ?? []);
  const first = views[0];
  const loading = first?.locations?.find(({ type }) => type === "Loading");
  const unloading = first?.locations?.findLast(({ type }) => type === "Unloading");
  const view: OrderRow = {
    orderId: id,
    kind: "Document",
    status: order.status,
    ...given({
      orderNumber: first?.orderNumber,
      referenceNumber: first?.referenceNumber,
      orderDate: first?.orderDate,
      customer: first?.customer && given({ name: first.customer.name, vatCode: first.customer.vatCode }),
      loading: loading && placeOf(loading),
      unloading: unloading && placeOf(unloading),
      loadingDate: loading?.startDate,
      unloadingDate: unloading?.startDate,
      price: first?.payments?.price,
      currency: first?.payments?.currency,
      errorCode: order.envelopes[0]?.errorCode,
      metadata: order.metadata,
    }),
    orders: order.envelopes.length,
    fileName: order.file.name,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
  return {
    table: "orders",
    id,
    company,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    terms: [
      "kind:Document",
      `status:${order.status}`,
      ...views.flatMap(termsOf),
      ...(order.metadata?.["internalId"] ? [`internalId:${order.metadata["internalId"]}`] : []),
    ],
    text: [order.file.name, ...views.flatMap(wordsOf)].join(" ").slice(0, 20_000),
    columns: {
      orderNumber: first?.orderNumber ?? null,
      numberKey: tight(first?.orderNumber ?? ""),
      loadingDate: loading?.startDate ?? null,
      unloadingDate: unloading?.startDate ?? null,
    },
    view,
  };
}

function termsOf(view: OrderView): string[] {
  const stops = view.locations ?? [];
  return [
    ...some("orderNumber", [view.orderNumber && tight(view.orderNumber)]),
    ...some("referenceNumber", (view.referenceNumber ?? "").split(",").map(tight)),
    ...(view.customer?.vatCode ? vatCodeTerms("customerVatCode", view.customer.vatCode) : []),
    ...some("licensePlate", [...(view.vehiclesLicensePlates ?? []), ...(view.trailersLicensePlates ?? [])].map(tight)),
    ...some(
      "loadingCountry",
      stops.filter(({ type }) => type === "Loading").map(({ countryCode }) => countryCode),
    ),
    ...some(
      "unloadingCountry",
      stops.filter(({ type }) => type === "Unloading").map(({ countryCode }) => countryCode),
    ),
  ];
}

const some = (name: string, values: (string | undefined)[]) =>
  values.flatMap((value) => (value ? [`${name}:${value}`] : []));

const wordsOf = (view: OrderView): string[] =>
  [
    view.orderNumber,
    view.referenceNumber,
    view.customer?.name,
    view.carrier?.name,
    ...(view.locations ?? []).flatMap(({ name, city, postalCode, cargo }) => [
      name,
      city,
      postalCode,
      ...(cargo ?? []).map(({ cargoType }) => cargoType),
    ]),
  ].filter((word): word is string => Boolean(word));

const placeOf = ({ countryCode, postalCode, city }: { countryCode?: string; postalCode?: string; city?: string }) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

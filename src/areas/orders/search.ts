import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  createdBetween,
  exact,
  internalId,
  numberOrPattern,
  searchable,
  words,
} from "../../platform/archive/searchable.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { vatCodeField } from "../../domain/parties.ts";
import { choice, processingStatuses } from "../../domain/shapes.ts";
import type { OrderView } from "../../extraction/kinds/order/view.ts";
import { carrierOrderStatuses } from "../carrier-orders/model.ts";
import type { CarrierOrderRow } from "../carrier-orders/search.ts";
import { routeSearch, viewOfRoute } from "../intake/route-search.ts";
import type { Order, OrderRow } from "./model.ts";

const route = routeSearch((order: Order) => viewsOf(order).map(({ locations = [] }) => locations));

/** The search of orders. It includes carrier orders, whose rows (`carrierOrderRow`) are in the same table. */
export const search = searchable<Order, OrderRow | CarrierOrderRow>()({
  table: "orders",
  sort: ["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"],
  columns: {
    orderNumber: (order) => firstOf(order)?.orderNumber,
    ...route.columns,
  },
  fields: {
    kind: exact(
      choice(["Document", "Carrier"]).optional().describe("Extracted from a document, or given to a carrier."),
      () => "Document",
    ),
    status: exact(choice([...processingStatuses, ...carrierOrderStatuses]).optional(), ({ status }: Order) => status),
    orderNumber: {
      ...numberOrPattern(
        z.string().max(200).optional().describe("The number, or a pattern with `*`."),
        (order: Order) => firstOf(order)?.orderNumber,
      ),
      terms: (order: Order) =>
        viewsOf(order).flatMap(({ orderNumber }) =>
          orderNumber ? [`orderNumber:${normalizeNumber(orderNumber)}`] : [],
        ),
    },
    referenceNumber: exact(
      z.string().max(200).optional(),
      (order: Order) =>
        viewsOf(order).flatMap(({ referenceNumber = "" }) => referenceNumber.split(",").map(normalizeNumber)),
      normalizeNumber,
    ),
    customerVatCode: vatCodeField((order: Order) => viewsOf(order).map(({ customer }) => customer?.vatCode)),
    licensePlate: exact(
      z.string().max(20).optional(),
      (order: Order) =>
        viewsOf(order)
          .flatMap(({ vehiclesLicensePlates = [], trailersLicensePlates = [] }) => [
            ...vehiclesLicensePlates,
            ...trailersLicensePlates,
          ])
          .map(normalizeNumber),
      normalizeNumber,
    ),
    ...route.fields,
    ...createdBetween,
    internalId: internalId(),
    text: words(),
  },
  text: (order) => [
    order.file.name,
    ...viewsOf(order).flatMap(({ orderNumber, referenceNumber, customer, carrier, locations = [] }) => [
      orderNumber,
      referenceNumber,
      customer?.name,
      carrier?.name,
      ...locations.flatMap(({ name, city, postalCode, cargo = [] }) => [
        name,
        city,
        postalCode,
        ...cargo.map(({ cargoType }) => cargoType),
      ]),
    ]),
  ],
});

/** Builds the archive row of an order that was extracted from a document. */
export function orderRow(order: Order, company: string, id: string): ArchiveRow {
  if (order.removed) return search.tombstone(company, id);
  const { status, metadata, envelopes, file, createdAt, updatedAt } = order;
  const first = firstOf(order);
  const view: OrderRow = {
    orderId: id,
    kind: "Document",
    status,
    ...omitUndefined({
      orderNumber: first?.orderNumber,
      referenceNumber: first?.referenceNumber,
      orderDate: first?.orderDate,
      customer: first?.customer && omitUndefined({ name: first.customer.name, vatCode: first.customer.vatCode }),
      ...viewOfRoute(first?.locations),
      price: first?.payments?.price,
      currency: first?.payments?.currency,
      errorCode: envelopes[0]?.errorCode,
      metadata,
    }),
    orders: envelopes.length,
    fileName: file.name,
    createdAt,
    updatedAt,
  };
  return search.row(order, { id, company, createdAt, updatedAt, view });
}

const viewsOf = ({ envelopes }: Order): OrderView[] => envelopes.flatMap(({ data }) => data ?? []);

const firstOf = (order: Order): OrderView | undefined => viewsOf(order)[0];

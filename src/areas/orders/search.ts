import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  createdBetween,
  exact,
  internalId,
  numberOrPattern,
  rangeFrom,
  rangeTo,
  searchable,
  termsBy,
  words,
} from "../../platform/archive/searchable.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { vatCodeSearch, vatCodeTerms } from "../../domain/parties.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, processingStatuses, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import type { OrderView } from "../../extraction/kinds/order/view.ts";
import { carrierOrderStatuses } from "../carrier-orders/model.ts";
import type { CarrierOrderRow } from "../carrier-orders/search.ts";
import type { Order, OrderRow } from "./model.ts";

const LocalTime = QueryClock.optional().describe("Local time at the stop; an offset is ignored.");

/**
 * Search fields of orders extracted from documents. Carrier orders are in the same table: `carrierOrderRow` has terms and
 * columns of the same names.
 */
const search = searchable<Order, OrderRow | CarrierOrderRow>()({
  table: "orders",
  sort: ["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"],
  columns: {
    orderNumber: (order) => firstOf(order)?.orderNumber,
    loadingDate: (order) => stopsOf(firstOf(order)).loading?.startDate,
    unloadingDate: (order) => stopsOf(firstOf(order)).unloading?.startDate,
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
    customerVatCode: termsBy(
      z.string().max(50).optional(),
      (order: Order, name) =>
        viewsOf(order).flatMap(({ customer }) => (customer?.vatCode ? vatCodeTerms(name, customer.vatCode) : [])),
      (code, name) => vatCodeSearch(name, code),
    ),
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
    loadingCountry: exact(Country.optional(), (order: Order) => countriesOf(order, "Loading")),
    unloadingCountry: exact(Country.optional(), (order: Order) => countriesOf(order, "Unloading")),
    loadingFrom: rangeFrom("loadingDate", LocalTime),
    loadingTo: rangeTo("loadingDate", QueryClockEnd.optional()),
    unloadingFrom: rangeFrom("unloadingDate", LocalTime),
    unloadingTo: rangeTo("unloadingDate", QueryClockEnd.optional()),
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

export const ListQuery = search.query;

/** One page of the orders of both kinds. */
export const listOrders = (archive: D1Database, company: string, query: z.output<typeof ListQuery>) =>
  search.list(archive, company, query);

/** The archive's row of an order extracted from a document. */
export function orderRow(order: Order, company: string, id: string): ArchiveRow {
  if (order.removed) return search.tombstone(company, id);
  const { status, metadata, envelopes, file, createdAt, updatedAt } = order;
  const first = firstOf(order);
  const { loading, unloading } = stopsOf(first);
  const view: OrderRow = {
    orderId: id,
    kind: "Document",
    status,
    ...omitUndefined({
      orderNumber: first?.orderNumber,
      referenceNumber: first?.referenceNumber,
      orderDate: first?.orderDate,
      customer: first?.customer && omitUndefined({ name: first.customer.name, vatCode: first.customer.vatCode }),
      loading: loading && placeText(loading),
      unloading: unloading && placeText(unloading),
      loadingDate: loading?.startDate,
      unloadingDate: unloading?.startDate,
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

const stopsOf = (view: OrderView | undefined) => ({
  loading: view?.locations?.find(({ type }) => type === "Loading"),
  unloading: view?.locations?.findLast(({ type }) => type === "Unloading"),
});

const countriesOf = (order: Order, stopType: "Loading" | "Unloading") =>
  viewsOf(order).flatMap(({ locations = [] }) =>
    locations.filter(({ type }) => type === stopType).map(({ countryCode }) => countryCode),
  );

const placeText = ({ countryCode, postalCode, city }: { countryCode?: string; postalCode?: string; city?: string }) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

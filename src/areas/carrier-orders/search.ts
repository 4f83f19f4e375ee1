import * as z from "zod";
import { anyOf, normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import {
  exact,
  rangeFrom,
  rangeTo,
  searchable,
  shapesOf,
  type SearchField,
} from "../../platform/archive/searchable.ts";
import { wordsIn } from "../../platform/archive/terms.ts";
import type { Env } from "../../platform/env.ts";
import { aliasOf, listMembers, resolveAlias } from "../../platform/list-parameters.ts";
import { vatCodeSearch, vatCodeTerms } from "../../domain/parties.ts";
import { localTimeIn } from "../../domain/places/zones.ts";
import { choice, LineText, Metadata, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import { placeText, routeView } from "../intake/route-search.ts";
import { documentTypes, OrderDocumentView } from "./documents.ts";
import { zoneOfStop, type Stop } from "./input.ts";
import { CarrierOrderStatus, carrierOrderStatuses, viewWithoutLink, type CarrierOrder } from "./model.ts";

/** A carrier order as an item of a list. */
export const CarrierOrderRow = z
  .object({
    orderId: z.string(),
    kind: z.literal("Carrier"),
    status: CarrierOrderStatus,
    orderNumber: z.string(),
    carrier: z.object({ name: z.string().optional(), vatCode: z.string().optional(), email: z.string().optional() }),
    ...routeView,
    licensePlates: z.array(z.string()),
    requiredDocumentTypes: z.string().describe("Separated by commas."),
    missingDocumentTypes: z.array(z.enum(documentTypes)),
    documents: z.array(OrderDocumentView),
    createdAt: z.string(),
    updatedAt: z.string(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "CarrierOrderRow" });
export type CarrierOrderRow = z.output<typeof CarrierOrderRow>;

/**
 * Declares a search field that matches any value of a list. An empty list sets no condition.
 * @param name the name of the terms, in the singular
 */
const anyValue = <Shape extends z.ZodType<string[] | null | undefined>>(
  name: string,
  shape: Shape,
  valuesOf: (order: CarrierOrder) => string | readonly string[] | undefined,
  key?: (value: string) => string,
): SearchField<CarrierOrder, Shape> => {
  const field = exact(shape, valuesOf, key);
  return {
    shape,
    terms: (order) => field.terms!(order, name),
    conditions: (values) => (values.length > 0 ? field.conditions(values, name) : {}),
  };
};

const text = (max: number) => LineText(max).nullish();

const fields = {
  statuses: anyValue("status", z.array(choice(carrierOrderStatuses)).max(20).nullish(), ({ status }) => status),
  carrier: {
    shape: text(200).describe("A VAT code, or words of the carrier's name."),
    terms: ({ given: { carrier } }: CarrierOrder) => [
      ...(carrier.vatCode ? vatCodeTerms("carrier", carrier.vatCode) : []),
      ...carrierWords(carrier.name ?? ""),
    ],
    conditions(carrier: string) {
      const words = carrierWords(carrier);
      return { terms: [[...vatCodeSearch("carrier", carrier), ...(words.length > 0 ? [words] : [])]] };
    },
  },
  orderNumber: {
    shape: text(100).describe(
      "The number, or a pattern with `*` of at most 50 letters and digits. Case, blanks and dashes are ignored.",
    ),
    terms: ({ given }: CarrierOrder) => [`orderNumber:${normalizeNumber(given.orderNumber)}`],
    columns: ({ given }: CarrierOrder) => ({ numberKey: normalizeNumber(given.orderNumber) }),
    conditions: (pattern: string) => ({ patterns: [{ column: "numberKey", name: "orderNumber", pattern }] }),
  },
  loadingFrom: rangeFrom(
    "loadingDate",
    QueryClock.nullish().describe("Start of the first loading, local time; an offset is ignored."),
  ),
  loadingTo: rangeTo("loadingDate", QueryClockEnd.nullish()),
  unloadingFrom: rangeFrom(
    "unloadingDate",
    QueryClock.nullish().describe("Start of the last unloading, local time; an offset is ignored."),
  ),
  unloadingTo: rangeTo("unloadingDate", QueryClockEnd.nullish()),
  licensePlates: anyValue(
    "licensePlate",
    z.array(LineText(30)).max(50).nullish().describe("Matches any of these."),
    platesOf,
    normalizeNumber,
  ),
  internalIds: anyValue(
    "internalId",
    z.array(LineText(512)).max(50).nullish().describe("Matches any of these."),
    ({ metadata }) => metadata?.["internalId"],
  ),
  text: {
    shape: text(200).describe("Words; each matches the beginning of a word."),
    conditions: (words: string) => ({ text: words }),
  },
};

const sort = ["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"] as const;

/** The search of carrier orders. Extracted orders are in the same table, with terms and columns of the same names. */
const search = searchable<CarrierOrder, CarrierOrderRow>()({
  table: "orders",
  sort,
  columns: {
    orderNumber: ({ given }) => given.orderNumber,
    loadingDate: (order) => localStart(endsOf(order).loading),
    unloadingDate: (order) => localStart(endsOf(order).unloading),
  },
  fields,
  terms: ({ given: { locations = [] } }) => [
    "kind:Carrier",
    ...locations.flatMap(({ type, countryCode }) =>
      countryCode && (type === "Loading" || type === "Unloading")
        ? [`${type.toLowerCase()}Country:${countryCode}`]
        : [],
    ),
  ],
  text: (order) => [
    order.given.orderNumber,
    order.given.carrier.name,
    order.given.carrier.vatCode,
    ...platesOf(order),
    ...(order.given.locations ?? []).flatMap(({ name, city, postalCode }) => [name, city, postalCode]),
  ],
});

const listed = listMembers(sort);

export const QueryInput = z
  .strictObject({ ...shapesOf(fields), ...listed, continuationToken: aliasOf("cursor", listed.cursor) })
  .meta({ id: "CarrierOrderQuery" });

const isCarrierOrder = { terms: [[["kind:Carrier"]]] };

/**
 * Lists one page of carrier orders.
 * @throws Problem `invalid_cursor`; `validation_failed` if `cursor` and its alias differ
 */
export function queryCarrierOrders(
  archive: D1Database,
  company: string,
  { cursor, continuationToken, ...query }: z.output<typeof QueryInput>,
) {
  const { value, name } = resolveAlias<string>({ cursor, continuationToken }, "cursor", "continuationToken");
  return search.list(archive, company, { ...query, cursor: value, cursorName: name }, isCarrierOrder);
}

/** Maximum number of orders that `findOrdersByNumbers` returns. More would not help to choose one of them. */
const maxCandidates = 10;

/**
 * Finds the carrier orders that have one of the numbers and are not cancelled, newest first. Whitespace, punctuation
 * and case of the numbers are ignored. An order is found about a second after its creation.
 */
export async function findOrdersByNumbers(
  { ARCHIVE }: Pick<Env, "ARCHIVE">,
  company: string,
  numbers: readonly string[],
): Promise<{ orderId: string; orderNumber: string }[]> {
  const terms = [...new Set(numbers.map(normalizeNumber))].filter(Boolean).map((number) => `orderNumber:${number}`);
  if (terms.length === 0) return [];
  const conditions = { terms: [...isCarrierOrder.terms, anyOf(...terms)] };
  const { items } = await search.list(ARCHIVE, company, { limit: maxCandidates }, conditions);
  return items
    .filter(({ status }) => status !== "Cancelled")
    .map(({ orderId, orderNumber }) => ({ orderId, orderNumber }));
}

/** Builds the archive row of a carrier order. */
export function carrierOrderRow(order: CarrierOrder, company: string, id: string): ArchiveRow {
  const { given, metadata, createdAt, updatedAt } = order;
  const { loading, unloading } = endsOf(order);
  const { internalComments: _, details: __, ...documents } = viewWithoutLink(order);
  const view: CarrierOrderRow = {
    orderId: id,
    kind: "Carrier",
    orderNumber: given.orderNumber,
    carrier: given.carrier,
    ...(loading && { loading: placeText(loading) }),
    ...(unloading && { unloading: placeText(unloading) }),
    ...(loading?.startDate && { loadingDate: loading.startDate }),
    ...(unloading?.startDate && { unloadingDate: unloading.startDate }),
    licensePlates: platesOf(order),
    ...documents,
    createdAt,
    updatedAt,
    ...(metadata && { metadata }),
  };
  return search.row(order, { id, company, createdAt, updatedAt, view });
}

function platesOf({ given }: CarrierOrder): string[] {
  return given.details?.licensePlates ?? [];
}

const carrierWords = (name: string) => wordsIn(name).map((word) => `carrierWord:${word}`);

const endsOf = ({ given: { locations = [] } }: CarrierOrder) => ({
  loading: locations.find(({ type }) => type === "Loading"),
  unloading: locations.findLast(({ type }) => type === "Unloading"),
});

/**
 * Returns the start of a stop in local time. Lists sort extracted orders by local time too. The view of a carrier order
 * contains the instant instead.
 */
const localStart = (stop: Stop | undefined) =>
  stop?.startDate && localTimeIn(stop.startDate, zoneOfStop(stop) ?? "UTC");

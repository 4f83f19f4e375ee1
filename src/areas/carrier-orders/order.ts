import * as z from "zod";
import { normalizeNumber, type ArchiveRow } from "../../platform/archive/archive.ts";
import { wordsIn } from "../../platform/archive/terms.ts";
import type { CommandContext } from "../../platform/decision.ts";
import { numberKey } from "../../platform/unique-numbers.ts";
import { vatCodeTerms } from "../../domain/parties.ts";
import type { KnownPlace } from "../../domain/places/places.ts";
import { shownAt } from "../../domain/places/zones.ts";
import type { OrderLocation, OrderView } from "../../extraction/kinds/order/view.ts";
import { documentEventExample, eventExample } from "./examples.ts";
import { canShow, shareUrl, type OrderLink } from "./link.ts";
import { missingTypes, viewOfPaper, type Paper } from "./papers.ts";
import {
  CarrierOrderEnvelope,
  CarrierOrderStatus,
  CarrierOrderView,
  OrderDocumentView,
  zoneOfStop,
  type CarrierOrderInput,
  type CarrierOrderRow,
  type Stop,
} from "./shapes.ts";

// What happens to it

const CarrierOrderHappening = CarrierOrderEnvelope.extend({
  orderId: z.string(),
  carrierOrder: CarrierOrderView.omit({ shareUrl: true }),
});
const DocumentHappening = OrderDocumentView.extend({ orderId: z.string(), orderStatus: CarrierOrderStatus });

const order = (id: string, description: string) =>
  CarrierOrderHappening.meta({ id, description, examples: [eventExample] });
const document = (id: string, description: string) =>
  DocumentHappening.meta({ id, description, examples: [documentEventExample] });

export const events = {
  CarrierOrderCreated: order("CarrierOrderCreated", "A carrier order was created."),
  CarrierOrderUpdated: order("CarrierOrderUpdated", "The data of a carrier order was changed."),
  CarrierOrderCancelled: order("CarrierOrderCancelled", "A carrier order was cancelled, and its link disabled."),
  CarrierOrderStatusChanged: order(
    "CarrierOrderStatusChanged",
    "The status of a carrier order changed, because documents were uploaded, accepted or rejected, or other documents are required.",
  ),
  OrderDocumentUploaded: document(
    "OrderDocumentUploaded",
    "A document, named by `documentId`, was uploaded for a carrier order.",
  ),
  OrderDocumentStatusChanged: document(
    "OrderDocumentStatusChanged",
    "A document, named by `documentId`, was accepted, rejected or superseded.",
  ),
  OrderDocumentDeleted: document("OrderDocumentDeleted", "A document, named by `documentId`, was deleted."),
};
export type Events = typeof events;

// What is remembered

/** What the company says of the order. */
export type Given = Omit<CarrierOrderInput, "metadata">;

/** An order given to a carrier. */
export interface CarrierOrder {
  kind: "Carrier";
  status: CarrierOrderStatus;
  given: Given;
  /** What the gazetteer knew of each stop; orders of earlier releases were not looked up. */
  places?: KnownPlace[];
  metadata?: Record<string, string>;
  /** Links that were made; the last one works, and its secret is kept as a digest. */
  link: OrderLink;
  /** Whose key made it, when it is somebody's: while the account is blocked, the link leads nowhere. */
  accountId?: string;
  papers: Paper[];
  /** Papers that were deleted, with the place of bytes that no other paper had, and whether these are still there. */
  deletedPapers?: { documentId: string; key?: string; isLeft?: true }[];
  createdAt: string;
  updatedAt: string;
}

export const isSameNumber = (one: string, other: string): boolean => numberKey(one) === numberKey(other);

/** The order as orders read from documents are shown. The weight is that of the whole load, so it stands at the first loading. */
export function dataOf({ given, places }: CarrierOrder): OrderView {
  const { orderNumber, carrier, details, locations = [] } = given;
  const first = locations.findIndex(({ type }) => type === "Loading");
  return {
    orderNumber,
    ...(details?.licensePlates && { licensePlates: details.licensePlates }),
    payer: {},
    customer: {},
    carrier: {
      ...(carrier.name && { name: carrier.name }),
      ...(carrier.vatCode && { vatCode: carrier.vatCode }),
      contactPerson: carrier.email ? { email: carrier.email } : {},
    },
    locations: locations.map((stop, index) =>
      locationOf(
        stop,
        places ? (places[index] ?? {}) : { city: stop.city },
        index === first ? details?.weight : undefined,
      ),
    ),
    payments: {},
    vehiclesLicensePlates: [],
    trailersLicensePlates: [],
    cargoValue: {},
  };
}

function locationOf(stop: Stop, known: Partial<KnownPlace>, totalWeight: number | undefined): OrderLocation {
  const { sequence = 1, type, startDate, endDate, name, countryCode, postalCode, city, street, position } = stop;
  return {
    sequence,
    type,
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...(countryCode && { countryCode }),
    ...(postalCode && { postalCode }),
    ...(city && { city }),
    ...(known.city && { normalizedCity: known.city }),
    ...(street && { street, normalizedStreet: street }),
    ...(name && { name, normalizedName: name }),
    coordinates: position ?? known.coordinates ?? {},
    cargo: totalWeight === undefined ? [] : [{ weight: totalWeight }],
    ...(totalWeight !== undefined && { totalWeight }),
  };
}

/** All seven keys, as the answer of PUT has them. */
export const envelopeOf = (state: CarrierOrder): z.output<typeof CarrierOrderEnvelope> => ({
  sequenceId: 0,
  status: "Succeeded",
  message: "",
  errorCode: "",
  data: dataOf(state),
  metadata: state.metadata ?? {},
  orderSubType: "Regular",
});

/** What stands beside the envelope, but for the link. */
export const besideOf = ({ status, given, papers }: CarrierOrder): Omit<CarrierOrderView, "shareUrl"> => ({
  status,
  requiredDocumentTypes: given.requiredDocumentTypes.join(","),
  missingDocumentTypes: missingTypes(given.requiredDocumentTypes, papers),
  ...(given.internalComments && { internalComments: given.internalComments }),
  ...(given.details && { details: given.details }),
  documents: papers.map(viewOfPaper),
});

/** A carrier order as it is read: what is absent is left out, and its link stands beside it. */
export function read(state: CarrierOrder, context: CommandContext) {
  const { metadata } = state;
  const isShown = state.status !== "Cancelled" && canShow(state, context);
  return {
    sequenceId: 0,
    status: "Succeeded" as const,
    orderSubType: "Regular" as const,
    data: dataOf(state),
    ...(metadata && { metadata }),
    carrierOrder: { ...(isShown && { shareUrl: shareUrl(state, context) }), ...besideOf(state) },
  };
}

/** The archive's row of a carrier order: how it is listed and what it is found by. */
export function carrierOrderRow(state: CarrierOrder, company: string, id: string): ArchiveRow {
  const { orderNumber, carrier, details, locations = [] } = state.given;
  const loading = locations.find(({ type }) => type === "Loading");
  const unloading = locations.findLast(({ type }) => type === "Unloading");
  const plates = details?.licensePlates ?? [];
  const { internalComments: _, details: __, ...beside } = besideOf(state);
  const view: CarrierOrderRow = {
    orderId: id,
    kind: "Carrier",
    orderNumber,
    carrier,
    ...(loading && { loading: placeOf(loading) }),
    ...(unloading && { unloading: placeOf(unloading) }),
    ...(loading?.startDate && { loadingDate: loading.startDate }),
    ...(unloading?.startDate && { unloadingDate: unloading.startDate }),
    licensePlates: plates,
    ...beside,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    ...(state.metadata && { metadata: state.metadata }),
  };
  return {
    table: "orders",
    id,
    company,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    terms: [
      ...new Set([
        `kind:Carrier`,
        `status:${state.status}`,
        `orderNumber:${normalizeNumber(orderNumber)}`,
        ...termsOf(state),
        ...carrierTerms(state.given.carrier),
      ]),
    ],
    text: [
      orderNumber,
      carrier.name,
      carrier.vatCode,
      ...plates,
      ...locations.flatMap(({ name, city, postalCode }) => [name, city, postalCode]),
    ]
      .filter(Boolean)
      .join(" ")
      .slice(0, 20_000),
    columns: {
      orderNumber,
      numberKey: normalizeNumber(orderNumber),
      loadingDate: clockAt(loading),
      unloadingDate: clockAt(unloading),
    },
    view,
  };
}

function termsOf({ given: { details, locations = [] }, metadata }: CarrierOrder): string[] {
  const internalId = metadata?.["internalId"];
  return [
    ...(details?.licensePlates ?? []).map((plate) => `licensePlate:${normalizeNumber(plate)}`),
    ...locations.flatMap(({ type, countryCode }) =>
      countryCode && (type === "Loading" || type === "Unloading")
        ? [`${type.toLowerCase()}Country:${countryCode}`]
        : [],
    ),
    ...(internalId ? [`internalId:${internalId}`] : []),
  ];
}

/** A carrier is found by its VAT code, and by words of its name. */
function carrierTerms({ name, vatCode }: Given["carrier"]): string[] {
  return [
    ...(vatCode ? vatCodeTerms("carrier", vatCode) : []),
    ...wordsIn(name ?? "").map((word) => `carrierWord:${word}`),
  ];
}

/** When a stop begins by the clock that hangs there, as stops of documents are listed; the view tells the instant. */
const clockAt = (stop: Stop | undefined): string | null =>
  stop?.startDate ? shownAt(stop.startDate, zoneOfStop(stop) ?? "UTC") : null;

const placeOf = ({ countryCode, postalCode, city }: Stop) => [countryCode, postalCode, city].filter(Boolean).join(" ");

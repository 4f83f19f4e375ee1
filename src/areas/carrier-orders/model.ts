import * as z from "zod";
import type { CommandContext } from "../../platform/decision.ts";
import { numberKey } from "../../platform/unique-numbers.ts";
import { Metadata } from "../../domain/shapes.ts";
import type { KnownPlace } from "../../domain/places/places.ts";
import { OrderView, type OrderLocation } from "../../extraction/kinds/order/view.ts";
import {
  documentTypes,
  isCurrent,
  missingTypes,
  OrderDocumentView,
  viewOfDocument,
  type DocumentType,
  type UploadedDocument,
} from "./documents.ts";
import { documentEventExample, eventExample } from "./examples.ts";
import type { CarrierOrderInput, Stop } from "./input.ts";
import { canDeriveSecret, shareUrl, type OrderLink } from "./link.ts";

// Views

export const carrierOrderStatuses = ["AwaitingDocuments", "InReview", "Rejected", "Completed", "Cancelled"] as const;
export const CarrierOrderStatus = z.enum(carrierOrderStatuses).meta({ id: "CarrierOrderStatus" });
export type CarrierOrderStatus = z.output<typeof CarrierOrderStatus>;

/** The field `carrierOrder` of an order. */
export const CarrierOrderView = z
  .object({
    status: CarrierOrderStatus,
    shareUrl: z.string().optional().describe("Page on which the carrier uploads documents. Absent after cancellation."),
    requiredDocumentTypes: z.string().describe("Separated by commas."),
    missingDocumentTypes: z
      .array(z.enum(documentTypes))
      .describe("Required types without a document. Superseded documents do not count, rejected ones do."),
    internalComments: z.string().optional(),
    details: z
      .object({ weight: z.number().optional().describe("Kilograms."), licensePlates: z.array(z.string()).optional() })
      .optional(),
    documents: z.array(OrderDocumentView).describe("In the order of their upload."),
  })
  .meta({ id: "CarrierOrder" });
export type CarrierOrderView = z.output<typeof CarrierOrderView>;

/** The envelope of a created or updated order, with all seven keys. */
export const CarrierOrderEnvelope = z
  .object({
    sequenceId: z.literal(0),
    status: z.literal("Succeeded"),
    message: z.string(),
    errorCode: z.string(),
    data: OrderView,
    metadata: Metadata,
    orderSubType: z.literal("Regular"),
  })
  .meta({ id: "CarrierOrderEnvelope" });

export const NewCarrierOrder = CarrierOrderEnvelope.extend({
  orderId: z.string(),
  shareUrl: z.string().describe("Send this link to the carrier."),
}).meta({ id: "NewCarrierOrder" });

/** The result of an upsert of one order. */
export const UpsertResult = z
  .object({
    orderId: z.string(),
    result: z.enum(["Created", "Updated", "Unchanged"]),
    shareUrl: z.string().describe("Send this link to the carrier."),
  })
  .meta({ id: "CarrierOrderUpserted" });
export type UpsertResult = z.output<typeof UpsertResult>;

const UpsertRefusal = z
  .object({ orderNumber: z.string(), errorCode: z.string(), detail: z.string() })
  .meta({ id: "CarrierOrderRefused" });

export const UpsertResults = z
  .object({
    items: z
      .array(
        z.union([
          UpsertResult.extend({ orderNumber: z.string() }).meta({ id: "CarrierOrderUpsertedOfMany" }),
          UpsertRefusal,
        ]),
      )
      .describe("In the order of the request."),
  })
  .meta({ id: "CarrierOrdersUpserted" });

export const JudgedDocument = OrderDocumentView.extend({ orderStatus: CarrierOrderStatus }).meta({
  id: "JudgedCarrierDocument",
});

// Events

const OrderEvent = CarrierOrderEnvelope.extend({
  orderId: z.string(),
  carrierOrder: CarrierOrderView.omit({ shareUrl: true }),
});
const DocumentEvent = OrderDocumentView.extend({ orderId: z.string(), orderStatus: CarrierOrderStatus });

const order = (id: string, description: string) => OrderEvent.meta({ id, description, examples: [eventExample] });
const document = (id: string, description: string) =>
  DocumentEvent.meta({ id, description, examples: [documentEventExample] });

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

// State

/** The data of the order as the company sent it. */
export type OrderData = Omit<CarrierOrderInput, "metadata">;

/** A carrier order, with the property names of its stored state. */
export interface CarrierOrder {
  kind: "Carrier";
  status: CarrierOrderStatus;
  given: OrderData;
  /** Gazetteer entry of each stop. Orders of earlier releases have none. */
  places?: KnownPlace[];
  metadata?: Record<string, string>;
  /** The valid link. Only the digest of its secret is stored. */
  link: OrderLink;
  /** The account that created the order, if any. While it is blocked, the link is disabled. */
  accountId?: string;
  papers: UploadedDocument[];
  /** Deleted documents. `key`: the file, if no other document shares it. `isLeft`: the file is not deleted yet. */
  deletedPapers?: { documentId: string; key?: string; isLeft?: true }[];
  createdAt: string;
  updatedAt: string;
}

/** The state of an order's aggregate: a carrier order, or an order that was extracted from a document. */
export type StoredOrder = CarrierOrder | { kind?: undefined; status: string; removed?: true };

/**
 * Derives the status of an order from the newest current document of each required type. A missing document takes
 * precedence over a rejected one, and a rejected document over a document without a verdict. If all documents are
 * accepted, the order is completed.
 */
export function statusOf(
  required: readonly DocumentType[],
  documents: readonly UploadedDocument[],
): Exclude<CarrierOrderStatus, "Cancelled"> {
  const newest = required.map((type) => documents.findLast((one) => one.type === type && isCurrent(one))?.status);
  if (newest.includes(undefined)) return "AwaitingDocuments";
  if (newest.includes("Rejected")) return "Rejected";
  return newest.includes("Uploaded") ? "InReview" : "Completed";
}

export const isSameNumber = (one: string, other: string): boolean => numberKey(one) === numberKey(other);

/** Converts the data to the format of extracted orders. The first loading stop gets the weight of the whole load. */
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

function locationOf(stop: Stop, place: Partial<KnownPlace>, totalWeight: number | undefined): OrderLocation {
  const { sequence = 1, type, startDate, endDate, name, countryCode, postalCode, city, street, position } = stop;
  return {
    sequence,
    type,
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...(countryCode && { countryCode }),
    ...(postalCode && { postalCode }),
    ...(city && { city }),
    ...(place.city && { normalizedCity: place.city }),
    ...(street && { street, normalizedStreet: street }),
    ...(name && { name, normalizedName: name }),
    coordinates: position ?? place.coordinates ?? {},
    cargo: totalWeight === undefined ? [] : [{ weight: totalWeight }],
    ...(totalWeight !== undefined && { totalWeight }),
  };
}

export const envelopeOf = (state: CarrierOrder): z.output<typeof CarrierOrderEnvelope> => ({
  sequenceId: 0,
  status: "Succeeded",
  message: "",
  errorCode: "",
  data: dataOf(state),
  metadata: state.metadata ?? {},
  orderSubType: "Regular",
});

/** Returns the field `carrierOrder` without the link. */
export const viewWithoutLink = ({ status, given, papers }: CarrierOrder): Omit<CarrierOrderView, "shareUrl"> => ({
  status,
  requiredDocumentTypes: given.requiredDocumentTypes.join(","),
  missingDocumentTypes: missingTypes(given.requiredDocumentTypes, papers),
  ...(given.internalComments && { internalComments: given.internalComments }),
  ...(given.details && { details: given.details }),
  documents: papers.map(viewOfDocument),
});

/** Returns the response to reading a carrier order: the envelope with the link. Absent fields are omitted. */
export function responseOf(state: CarrierOrder, context: CommandContext) {
  const { metadata } = state;
  const isShown = state.status !== "Cancelled" && canDeriveSecret(state, context);
  return {
    sequenceId: 0,
    status: "Succeeded" as const,
    orderSubType: "Regular" as const,
    data: dataOf(state),
    ...(metadata && { metadata }),
    carrierOrder: { ...(isShown && { shareUrl: shareUrl(state, context) }), ...viewWithoutLink(state) },
  };
}

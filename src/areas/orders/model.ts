import * as z from "zod";
import { choice, Metadata, ProcessingStatus, Text } from "../../domain/shapes.ts";
import { OrderLocation, OrderView } from "../../extraction/kinds/order/view.ts";
import type { Check, ExtractedItem } from "../../extraction/document/extraction-result.ts";
import { evidenceShape } from "../intake/evidence.ts";
import { fileFields, receivedShape, type FileArea, type Intake } from "../intake/model.ts";
import { routeView } from "../intake/route-search.ts";
import { NewCarrierOrder, CarrierOrderView } from "../carrier-orders/model.ts";
import { example, failedExample, orderId } from "./examples.ts";

/** Fields that may be sent with a file. */
export const OrderFileFields = z.object(fileFields).meta({ id: "OrderFileFields" });

/** An order that is sent as JSON: a file in base64, or text. */
export const OrderDocument = z
  .object({
    file: z.string().nullish().describe("The file in base64, standard alphabet."),
    fileName: z.string().max(500).nullish(),
    type: choice(["Pdf", "Image"]).nullish(),
    inputText: Text(1_000_000).nullish().describe("The order as text, instead of a file."),
    additionalInfo: Text(100_000).nullish(),
    metadata: Metadata.nullish(),
  })
  .refine(({ file, inputText }) => Boolean(file) !== Boolean(inputText), {
    message: "file or inputText is required, but not both",
    path: ["file"],
  })
  .meta({ id: "OrderDocument" });

/** One of the orders that were extracted from a document. */
export const OrderEnvelope = z
  .object({
    sequenceId: z.number().int().describe("Number of the order in the document, from 0."),
    status: ProcessingStatus,
    orderSubType: z.enum(["Regular", "Container", "CarTransport", "Groupage"]).optional(),
    message: z.string().optional(),
    errorCode: z.string().optional(),
    data: OrderView.optional(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "OrderEnvelope" });
export type OrderEnvelope = z.output<typeof OrderEnvelope>;

/** An extracted order or a carrier order. */
export const AnyOrder = OrderEnvelope.extend({
  carrierOrder: CarrierOrderView.optional().describe("Present on carrier orders."),
}).meta({ id: "Order" });

export const ReceivedOrder = receivedShape("orderId", "ReceivedOrder", {
  orders: z.array(OrderEnvelope).optional().describe("With `Prefer: wait=N`, if the extraction has ended."),
});

/** The response of `POST /api/v1/orders`: to a carrier order, or to a document. */
export const CreatedOrder = z.union([NewCarrierOrder, ReceivedOrder]);

export const Extraction = evidenceShape("orderId", "Extraction");
export type Extraction = z.output<typeof Extraction>;

export const OrderRow = z
  .object({
    orderId: z.string(),
    kind: z.literal("Document"),
    status: ProcessingStatus,
    orderNumber: z.string().optional(),
    referenceNumber: z.string().optional(),
    orderDate: z.string().optional(),
    customer: z.object({ name: z.string().optional(), vatCode: z.string().optional() }).optional(),
    ...routeView,
    price: z.number().optional(),
    currency: z.string().optional(),
    orders: z.number().int().describe("Number of orders in the document."),
    fileName: z.string(),
    errorCode: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "OrderRow" });
export type OrderRow = z.output<typeof OrderRow>;

export const events = {
  OrderProcessed: z
    .array(OrderEnvelope)
    .meta({ id: "OrderProcessed", description: "The orders of a file were extracted.", examples: [[example]] }),
  OrderFailed: z
    .array(OrderEnvelope)
    .meta({ id: "OrderFailed", description: "No order could be extracted from a file.", examples: [[failedExample]] }),
  OrderDeleted: z.object({ orderId: z.string() }).meta({
    id: "OrderDeleted",
    description: "An order extracted from a file was deleted.",
    examples: [{ orderId }],
  }),
  OrderCorrected: z.array(OrderEnvelope).meta({
    id: "OrderCorrected",
    description: "Values of an order were corrected by feedback.",
    examples: [[example]],
  }),
};

/** An order extracted from a document. */
export interface Order extends Intake<OrderEnvelope> {
  kind?: undefined;
}

export const files: FileArea<"orderId"> = {
  binding: "ORDERS",
  folder: "orders",
  idName: "orderId",
  jobs: { extract: "orders.read", remove: "orders.remove" },
};

/**
 * The failure of one of these checks makes an order `Partial`. The messages are part of the API and must not change.
 */
const validations: Record<string, string> = {
  LoadingAndUnloadingMatch: "Loading and Unloading locations match based on country code and postal code.",
  OrderDateInCurrentYear: "Order date must be in the current year.",
};

/** Creates the envelope of an extracted order. Its status is `Partial` if a check of `validations` failed. */
export function envelopeOf(
  { data, checks }: Pick<ExtractedItem<OrderView>, "data" | "checks">,
  sequenceId: number,
): OrderEnvelope {
  const reasons = failedValidations(checks);
  const status = reasons.length > 0 ? ("Partial" as const) : ("Succeeded" as const);
  const message = reasons.length > 0 && { message: `Order validation failed. Reason: ${reasons.join(" ")}` };
  return { sequenceId, status, orderSubType: "Regular" as const, ...message, data: withRequiredMembers(data) };
}

const failedValidations = (checks: Check[]) =>
  checks.flatMap(({ name, passed }) => (passed ? [] : (validations[name] ?? [])));

function withRequiredMembers(view: OrderView): OrderView {
  const { locations = [], ...rest } = view;
  return inOrder(OrderView, {
    ...rest,
    customer: view.customer ?? {},
    carrier: view.carrier ?? {},
    payer: view.payer ?? {},
    locations: locations.map((stop) =>
      inOrder(OrderLocation, {
        ...stop,
        ...(stop.name && { normalizedName: stop.normalizedName ?? stop.name }),
        ...(stop.street && { normalizedStreet: stop.normalizedStreet ?? stop.street }),
        coordinates: stop.coordinates ?? {},
      }),
    ),
    payments: view.payments ?? {},
    cargoValue: view.cargoValue ?? {},
    vehiclesLicensePlates: view.vehiclesLicensePlates ?? [],
    trailersLicensePlates: view.trailersLicensePlates ?? [],
  });
}

function inOrder<Shape extends z.ZodObject>(shape: Shape, fields: z.output<Shape>): z.output<Shape> {
  const values = fields as Record<string, unknown>;
  const names = Object.keys(shape.shape).filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as z.output<Shape>;
}

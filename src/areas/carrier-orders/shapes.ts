import * as z from "zod";
import { normalizeNumber } from "../../platform/archive/archive.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { lastSecondOf } from "../../domain/periods.ts";
import { Plate } from "../../domain/plates.ts";
import { choice, Country, LineText, Metadata, MomentText, said, Text } from "../../domain/shapes.ts";
import { instantOf, zoneOf } from "../../domain/places/zones.ts";
import { OrderView } from "../../extraction/kinds/order/view.ts";
import { QualityReason, QualityVerdict } from "../quality/model.ts";

// What it is

/** Types of documents that a carrier can upload. */
export const documentTypes = [
  "cmr",
  "invoice",
  "packingList",
  "deliveryNote",
  "weightTicket",
  "temperatureReport",
  "palletReceipt",
  "photo",
  "other",
] as const;
export type DocumentType = (typeof documentTypes)[number];
export const DocumentTypeChoice = choice(documentTypes);

export const carrierOrderStatuses = ["AwaitingDocuments", "InReview", "Rejected", "Completed", "Cancelled"] as const;
export const CarrierOrderStatus = z.enum(carrierOrderStatuses).meta({ id: "CarrierOrderStatus" });
export type CarrierOrderStatus = z.output<typeof CarrierOrderStatus>;

export const documentStatuses = ["Uploaded", "Accepted", "Rejected", "Superseded"] as const;
export const DocumentStatus = z.enum(documentStatuses).meta({ id: "CarrierDocumentStatus" });
export type DocumentStatus = z.output<typeof DocumentStatus>;

/** `cmr`, or several separated by commas; an array is taken as well. What is kept is one of each, in the order of the list. */
const RequiredDocumentTypes = z
  .preprocess(
    (given) => (typeof given === "string" ? given.split(",").filter((one) => one.trim() !== "") : given),
    z.array(DocumentTypeChoice).max(50),
  )
  .transform((types) => documentTypes.filter((type) => types.includes(type)))
  .meta({
    type: ["string", "array"],
    description: `One or several of ${documentTypes.join(", ")}, separated by commas. \`cmr\` by default; "" if no document is required.`,
    examples: ["cmr,invoice"],
  });

const VatCode = LineText(30)
  .transform((code) => code.toUpperCase().replace(/[\s.\-/]/g, ""))
  .pipe(z.string().regex(/^(?:[A-Z0-9+*]{2,20})?$/, "Not a VAT code"));

const CarrierInput = z
  .object({
    name: said(LineText(200)),
    email: said(z.email("Not an e-mail address").max(254)),
    vatCode: said(VatCode).describe("With country prefix. A company with another VAT code is another carrier."),
  })
  // Blanks and signs alone identify nobody.
  .transform(({ name, vatCode, ...rest }) =>
    omitUndefined({ ...rest, name: name?.trim() || undefined, vatCode: vatCode || undefined }),
  )
  .refine(({ name, vatCode }) => name !== undefined || vatCode !== undefined, {
    message: "name or vatCode must be given",
    path: ["name"],
  });

const Degrees = (most: number) => z.number().min(-most).max(most);

/** A stop as it is given; what comes out has its times as instants. */
const StopInput = z
  .object({
    sequence: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .describe("Position in the route; by default the position in the list."),
    type: choice(["Loading", "Unloading", "Customs", "Stop"]),
    startDate: said(MomentText).describe("ISO 8601. Without an offset: local time at the stop."),
    endDate: said(MomentText).describe("A date without a time means the end of that day, if startDate has a time."),
    name: said(LineText(200)),
    countryCode: said(Country),
    postalCode: said(LineText(20)),
    city: said(LineText(200)),
    street: said(LineText(300)),
    position: said(z.object({ latitude: Degrees(90), longitude: Degrees(180) })),
  })
  .transform((stop, context) => {
    const zone = zoneOfStop(stop) ?? "UTC";
    const [startDate, endDate] = [stop.startDate, endOf(stop)].map((text) => text && instantOf(text, zone));
    for (const [name, instant] of Object.entries({ startDate, endDate }))
      if (instant && !/^\d{4}-/.test(instant))
        context.addIssue({ code: "custom", path: [name], message: "Not within the years 0000 to 9999" });
    if (startDate && endDate && endDate < startDate)
      context.addIssue({ code: "custom", path: ["endDate"], message: "endDate is before startDate" });
    return { ...stop, startDate, endDate };
  })
  .meta({ id: "CarrierOrderStopInput" });
export type Stop = z.output<typeof StopInput>;

interface Located {
  countryCode?: string;
  postalCode?: string;
  position?: { latitude: number; longitude: number };
}

const isDay = (moment: string) => moment.length === 10;

/** Whoever names the hour a stop begins at and only the day it ends on means that day to its end. */
const endOf = ({ startDate, endDate }: { startDate?: string; endDate?: string }): string | undefined =>
  startDate && endDate && !isDay(startDate) ? lastSecondOf(endDate) : endDate;

/** The time zone of a stop, if that can be told. */
export const zoneOfStop = ({ countryCode, postalCode, position }: Located) =>
  zoneOf({ countryCode, postalCode, ...position });

/** In the order of their sequence, numbered anew from 1. */
const Stops = z
  .array(StopInput)
  .max(100)
  .transform((stops, context) => {
    const numbers = stops.map(({ sequence }, index) => sequence ?? index + 1);
    for (const [index, number] of numbers.entries())
      if (numbers.indexOf(number) < index)
        context.addIssue({ code: "custom", path: [index, "sequence"], message: `There are two stops ${number}` });
    return stops
      .map((stop, index) => ({ stop, number: numbers[index]! }))
      .sort((a, b) => a.number - b.number)
      .map(({ stop }, index) => ({ ...stop, sequence: index + 1 }));
  });

/** The order as it is given to a carrier. */
export const CarrierOrderInput = z
  .object({
    orderNumber: LineText(100)
      .trim()
      .min(1, { message: "orderNumber is empty", abort: true })
      .refine((number) => normalizeNumber(number) !== "", "orderNumber needs a letter or a digit"),
    carrier: CarrierInput,
    internalComments: said(Text(10_000)).describe("Internal; never shown to the carrier."),
    requiredDocumentTypes: z.preprocess((given) => given ?? undefined, RequiredDocumentTypes.default(["cmr"])),
    details: said(
      z.object({
        weight: said(z.number().min(0).max(10_000_000)).describe("Kilograms."),
        licensePlates: said(z.array(Plate).max(20)),
      }),
    ),
    locations: said(Stops),
    metadata: said(Metadata),
  })
  .meta({ id: "CarrierOrderInput" });
export type CarrierOrderInput = z.output<typeof CarrierOrderInput>;

export const OrderDocumentView = z
  .object({
    documentId: z.string(),
    type: z.enum(documentTypes),
    fileName: z.string(),
    contentType: z.string().describe("Media type, detected from the bytes."),
    sizeBytes: z.number().int(),
    status: DocumentStatus,
    reason: z.string().optional().describe("Reason of the rejection or acceptance."),
    comment: z.string().optional().describe("Comment sent with the upload."),
    quality: z
      .object({
        verdict: QualityVerdict,
        score: z.number().int().min(0).max(100),
        reasons: z.array(QualityReason).describe("Problems, the most severe first."),
        advice: z.string().describe("What to do, as one sentence."),
      })
      .meta({ id: "CarrierDocumentQuality" })
      .optional()
      .describe("Readability of an image or a PDF, if it could be determined during the upload."),
    uploadedBy: z.enum(["Carrier", "Company"]).describe("`Carrier`: uploaded on the page behind the link."),
    uploadedAt: z.string(),
  })
  .meta({ id: "CarrierDocument" });
export type OrderDocumentView = z.output<typeof OrderDocumentView>;

/** What stands beside the envelope of a carrier order. */
export const CarrierOrderView = z
  .object({
    status: CarrierOrderStatus,
    shareUrl: z.string().optional().describe("Page on which the carrier uploads documents. Absent after cancellation."),
    requiredDocumentTypes: z.string().describe("Separated by commas."),
    missingDocumentTypes: z.array(z.enum(documentTypes)).describe("Required types without a document that counts."),
    internalComments: z.string().optional(),
    details: z
      .object({ weight: z.number().optional().describe("Kilograms."), licensePlates: z.array(z.string()).optional() })
      .optional(),
    documents: z.array(OrderDocumentView).describe("In the order of their upload."),
  })
  .meta({ id: "CarrierOrder" });
export type CarrierOrderView = z.output<typeof CarrierOrderView>;

/** The envelope in which every order is answered, with all seven keys. */
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

/** What has become of one order of an upsert. */
export const UpsertResult = z
  .object({
    orderId: z.string(),
    result: z.enum(["Created", "Updated", "Unchanged"]),
    shareUrl: z.string().describe("Send this link to the carrier."),
  })
  .meta({ id: "CarrierOrderUpserted" });
export type UpsertResult = z.output<typeof UpsertResult>;

export const UpsertMany = z
  .object({
    items: z.array(CarrierOrderInput).min(1).max(100),
    orderNumber: z.never("Send items or one order, not both").optional(),
  })
  .meta({ id: "CarrierOrdersUpsert" });

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

export const DocumentFields = z
  .object({
    documentType: DocumentTypeChoice.optional().describe("Required: here, or in the query."),
    comment: said(Text(2000)).describe("Comment on the document."),
  })
  .meta({ id: "CarrierDocumentFields" });

export const Verdict = z
  .object({
    status: choice(["Accepted", "Rejected"]),
    reason: said(Text(2000)).describe("Shown to the carrier if the document is rejected."),
  })
  .meta({ id: "CarrierDocumentVerdict" });
export type Verdict = z.output<typeof Verdict>;

export const JudgedDocument = OrderDocumentView.extend({ orderStatus: CarrierOrderStatus }).meta({
  id: "JudgedCarrierDocument",
});

/** A carrier order as lists show it. */
export const CarrierOrderRow = z
  .object({
    orderId: z.string(),
    kind: z.literal("Carrier"),
    status: CarrierOrderStatus,
    orderNumber: z.string(),
    carrier: z.object({ name: z.string().optional(), vatCode: z.string().optional(), email: z.string().optional() }),
    loading: z.string().optional().describe("Country, postal code and town of the first loading stop."),
    unloading: z.string().optional().describe("Country, postal code and town of the last unloading stop."),
    loadingDate: z.string().optional(),
    unloadingDate: z.string().optional(),
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

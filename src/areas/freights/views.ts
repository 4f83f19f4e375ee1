import * as z from "zod";
import { loadingSides, regimes } from "../../domain/mappings.ts";
import { Metadata } from "../../domain/shapes.ts";
import { OfferView } from "./offers/model.ts";
import { archiveReasons, FreightStatus, stopTypes } from "./input.ts";

const Coordinates = z
  .object({ latitude: z.number(), lattitude: z.number().describe("The same as `latitude`."), longitude: z.number() })
  .meta({ id: "FreightCoordinates" });

export const StopView = z
  .object({
    sequence: z.number().int(),
    type: z.enum(stopTypes),
    address: z.object({
      countryCode: z.string(),
      postalCode: z.string().optional(),
      city: z.string().optional(),
      coordinates: Coordinates.optional().describe("As sent, or from the gazetteer."),
    }),
    period: z.object({ startDate: z.string().optional(), endDate: z.string().optional() }).describe("As it was sent."),
  })
  .meta({ id: "FreightStop" });
export type StopView = z.output<typeof StopView>;

export const RequirementsView = z
  .object({
    trailerTypes: z.array(z.number().int()).optional(),
    vehicleTypes: z.array(z.number().int()).optional(),
    loadingSide: z.enum(loadingSides).optional(),
    capacity: z.number().optional().describe("Tonnes."),
    pallets: z.number().optional(),
    palletsExchange: z.boolean().optional(),
    ldm: z.number().optional().describe("Loading metres."),
    ftl: z.boolean().optional(),
    temperature: z
      .object({ min: z.number().optional(), max: z.number().optional(), regime: z.enum(regimes).optional() })
      .optional()
      .describe("Degrees Celsius."),
    capabilities: z.array(z.number().int()).optional(),
  })
  .meta({ id: "FreightRequirements" });
export type RequirementsView = z.output<typeof RequirementsView>;

const PublicPayment = z.object({
  currency: z.string(),
  term: z.number().int().optional().describe("Days."),
  dueDate: z.string().optional(),
});

export const PaymentView = PublicPayment.extend({
  from: z.number().optional(),
  growTo: z.number().optional(),
  until: z.string().optional().describe("As it was sent."),
  updateRate: z.string().optional().describe("`hh:mm:ss`."),
}).meta({ id: "FreightPayment" });
export type PaymentView = z.output<typeof PaymentView>;

const PublicationView = z
  .object({
    source: z.number().int(),
    status: z.enum(["Pending", "Published", "Failed", "NotConfigured", "Removed"]),
    url: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: "FreightPublication" });
export type PublicationView = z.output<typeof PublicationView>;

const ShareView = z
  .object({
    shareId: z.string(),
    email: z.string(),
    name: z.string().optional(),
    language: z.string().optional(),
    message: z.string().optional(),
    hidePrice: z.boolean(),
    tier: z.number().int(),
    dueAt: z.string(),
    status: z.enum(["Waiting", "Sent", "Cancelled", "Revoked"]),
    sentAt: z.string().optional().describe("When the link became valid."),
    mailedAt: z
      .string()
      .optional()
      .describe("When the mail was handed to the mail service; absent if the deployment sends no mails."),
  })
  .meta({ id: "FreightShare" });
export type ShareView = z.output<typeof ShareView>;

const BookingView = z
  .object({
    offerId: z.string(),
    price: z.number(),
    currency: z.string(),
    carrierOrderId: z.string().optional().describe("The carrier order that was created."),
  })
  .meta({ id: "FreightBooking" });

const WarningView = z
  .object({ code: z.string(), field: z.string(), message: z.string() })
  .meta({ id: "FreightWarning" });

/** The view for the company that owns the freight. */
export const FreightView = z
  .object({
    freightId: z.string(),
    status: FreightStatus,
    version: z.number().int(),
    createdAt: z.string(),
    updatedAt: z.string(),
    publishedAt: z.string().optional(),
    suspendedAt: z
      .string()
      .optional()
      .describe(
        "When it was hidden because its owner was blocked. Until the owner is unblocked, the price does not grow.",
      ),
    expiresAt: z
      .string()
      .optional()
      .describe("When it leaves the live list: `until`, or the end of the first loading."),
    archivedAt: z.string().optional(),
    archiveReason: z.enum(archiveReasons).optional(),
    currentPrice: z.number().optional(),
    nextPrice: z.number().optional(),
    nextPriceAt: z.string().optional(),
    warnings: z.array(WarningView).optional().describe("Valid input that is probably a mistake."),
    externalNumber: z.string().optional(),
    owner: z.string().optional(),
    sources: z.array(z.number().int()),
    useAlternativeLocations: z.boolean().optional(),
    alternativeLocationsRange: z.object({ fromKm: z.number(), toKm: z.number() }).optional(),
    locations: z.array(StopView).describe("In the order of the route."),
    requirements: RequirementsView,
    payment: PaymentView,
    totalDistance: z.number().optional().describe("Kilometres."),
    comments: z.string().optional(),
    internalComments: z.string().optional(),
    publications: z.array(PublicationView),
    shares: z.array(ShareView),
    offers: z.object({
      open: z.number().int(),
      best: z.number().optional().describe("The lowest price among the open offers."),
    }),
    booking: BookingView.optional(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "Freight" });
export type FreightView = z.output<typeof FreightView>;

/** A freight in a list: without its shares. */
export const ListedFreight = FreightView.omit({ shares: true }).meta({ id: "ListedFreight" });
export type ListedFreight = z.output<typeof ListedFreight>;

export const ArchivedFreight = FreightView.extend({
  offers: z.array(OfferView).describe("All offers, oldest first."),
  priceHistory: z.array(z.object({ at: z.string(), price: z.number() })).describe("All published prices."),
  winner: z
    .object({
      offerId: z.string(),
      carrier: OfferView.shape.carrier,
      price: z.number(),
      currency: z.string(),
      carrierOrderId: z.string().optional(),
    })
    .optional()
    .describe("The carrier that got the freight."),
}).meta({ id: "ArchivedFreight" });
export type ArchivedFreight = z.output<typeof ArchivedFreight>;

/** The public view: the current price without its growth. */
export const PublicFreight = z
  .object({
    freightId: z.string(),
    status: FreightStatus,
    publishedAt: z.string().optional(),
    currentPrice: z.number().optional(),
    locations: z.array(StopView),
    requirements: RequirementsView,
    payment: PublicPayment,
    totalDistance: z.number().optional(),
    comments: z.string().optional(),
  })
  .meta({ id: "PublicFreight" });
export type PublicFreight = z.output<typeof PublicFreight>;

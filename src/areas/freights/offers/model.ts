import * as z from "zod";
import { trailerTypes, vehicleTypes } from "../../../domain/mappings.ts";
import {
  Plate,
  Currency,
  Id,
  LineText,
  MomentText,
  Price,
  Text,
  choice,
  entryOf,
  optional,
} from "../../../domain/shapes.ts";
import { listOf } from "../../../platform/list-parameters.ts";
import type { CommandContext, DomainEvent } from "../../../platform/decision.ts";
import { offerExample } from "../examples.ts";
import { type MovedOffer, viewOfOffer } from "./offer.ts";

export const sides = ["Owner", "Carrier"] as const;
/** The owner of the freight, or the carrier. */
export type Side = (typeof sides)[number];

export const offerStatuses = [
  "Submitted",
  "Countered",
  "Outdated",
  "Accepted",
  "Declined",
  "Withdrawn",
  "Expired",
] as const;
export const OfferStatus = z.enum(offerStatuses).meta({ id: "OfferStatus" });
export type OfferStatus = z.output<typeof OfferStatus>;

export const offerActions = ["Accept", "Decline", "Counter", "Update", "Confirm"] as const;
export type OfferAction = (typeof offerActions)[number];

const Email = z.email("Not an e-mail address").max(254);

export const VatCode = LineText(30)
  .transform((code) => code.toUpperCase().replace(/[\s.\-/]/g, ""))
  .pipe(z.string().regex(/^[A-Z0-9+*]{2,20}$/, "Not a VAT code such as CZ12345679"));

/** A string is taken as the description. */
const VehicleInput = z.preprocess(
  (value) => (typeof value === "string" ? { description: value } : value),
  z.object({
    description: optional(LineText(500)).describe("Free text."),
    licensePlates: optional(z.array(Plate).max(20)),
    vehicleType: optional(entryOf(vehicleTypes)).describe("A number of the table."),
    trailerType: optional(entryOf(trailerTypes)).describe("A number of the table."),
  }),
);
export const Vehicle = z.object({
  description: z.string().optional(),
  licensePlates: z.array(z.string()).optional(),
  vehicleType: z.number().int().optional(),
  trailerType: z.number().int().optional(),
});
export type Vehicle = z.output<typeof Vehicle>;

const ValidUntil = optional(MomentText).describe(
  "ISO 8601. Without an offset: local time at the first loading. A date without time means the end of that day.",
);

/** The fields that offers made through the API and by link have in common. */
const deal = {
  price: Price,
  validUntil: ValidUntil,
  vehicle: optional(VehicleInput),
  comments: optional(Text(5000)),
};

export const OfferInput = z
  .object({
    freightId: Id,
    ...deal,
    currency: optional(Currency).describe("Must be the currency of the freight."),
    carrier: z.object({
      name: LineText(200).trim().min(1, "It must not be empty"),
      email: Email,
      vatCode: optional(VatCode).describe("With country prefix."),
    }),
  })
  .meta({ id: "OfferInput" });
export type OfferInput = z.output<typeof OfferInput>;

/** An offer made by link. The carrier's e-mail address is the one to which the share was sent. */
export const GuestOfferInput = z.object({
  ...deal,
  name: LineText(200).trim().min(1, "It must not be empty"),
  vatCode: optional(VatCode),
});
export type GuestOfferInput = z.output<typeof GuestOfferInput>;

/** The fields, apart from the action, that answers made through the API and by link have in common. */
const answer = {
  price: optional(Price).describe(
    "Required for `Counter`, optional for `Update` and `Confirm`. An `Accept` with a price is refused if the current price differs from it.",
  ),
  validUntil: ValidUntil,
  comment: optional(Text(2000)).describe("Sent to the other side with the price."),
  reason: optional(Text(2000)).describe("Reason for accepting or declining; shown to the carrier."),
};

export const OfferAnswer = z
  .object({
    action: choice(offerActions).describe(
      "`Accept`, `Decline` and `Counter` (which requires `price`) answer the current price; `Update` changes the last price while it is unanswered; `Confirm` renews an outdated offer.",
    ),
    ...answer,
  })
  .meta({ id: "OfferAnswer" });
export type OfferAnswer = z.output<typeof OfferAnswer>;

/** An answer made by link. `seen`: `updatedAt` of the offer that the page showed. */
export const GuestAnswer = z.object({
  action: z.enum([...offerActions, "Withdraw"]),
  ...answer,
  seen: z.string().optional(),
});
export type GuestAnswer = z.output<typeof GuestAnswer>;

const RoundView = z.object({
  by: z.enum(sides),
  price: z.number(),
  at: z.string(),
  comment: z.string().optional(),
});

export const OfferView = z
  .object({
    offerId: z.string(),
    freightId: z.string(),
    status: OfferStatus,
    turn: z.enum(sides).optional().describe("The side that must answer; absent once the offer is closed."),
    price: z.number().describe("The current price."),
    currency: z.string(),
    carrier: z.object({ name: z.string(), email: z.string(), vatCode: z.string().optional() }),
    vehicle: Vehicle.optional(),
    comments: z.string().optional(),
    validUntil: z.string().optional(),
    rounds: z.array(RoundView).describe("All prices, the first by the carrier; at most 20."),
    reason: z
      .string()
      .optional()
      .describe(
        "The reason sent when it was closed, or `OtherOfferAccepted`, `FreightExpired`, `FreightWithdrawn`, `ValidUntilReached`.",
      ),
    declinedBy: z.enum(sides).optional(),
    aboveBudget: z.literal(true).optional().describe("The price is above `growTo` of the freight."),
    shareId: z.string().optional().describe("The share through which it was made."),
    source: z.enum(["Api", "Guest"]).describe("`Guest`: made on the page behind the link of a share."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Offer" });
export type OfferView = z.output<typeof OfferView>;

export const AnsweredOffer = OfferView.extend({
  carrierOrderId: z.string().optional().describe("The carrier order that was created when the offer was accepted."),
}).meta({ id: "AnsweredOffer" });

export const OfferList = listOf(OfferView);

const eventSchema = (id: string, description: string) =>
  OfferView.meta({ id, description, examples: [{ ...offerExample, status: id.replace("Offer", "") }] });

export const offerEvents = {
  OfferSubmitted: eventSchema(
    "OfferSubmitted",
    "A carrier named a price: in a new offer, in a changed offer, in answer to a counter, or by confirming an outdated offer.",
  ),
  OfferCountered: eventSchema("OfferCountered", "The owner of a freight countered with another price."),
  OfferAccepted: eventSchema("OfferAccepted", "An offer was accepted, and the freight is booked."),
  OfferDeclined: eventSchema("OfferDeclined", "An offer was declined; `reason` is present if one was sent."),
  OfferWithdrawn: eventSchema("OfferWithdrawn", "A carrier withdrew its offer."),
  OfferExpired: eventSchema("OfferExpired", "An offer, or its freight, has expired."),
  OfferOutdated: eventSchema("OfferOutdated", "The freight was changed, and the carrier must confirm the offer."),
} satisfies Record<`Offer${z.output<typeof OfferView>["status"]}`, z.ZodType>;
export type OfferEvents = typeof offerEvents;

/**
 * Creates the events of changed offers.
 * @param growTo maximum price of the freight, in cents
 */
export const toOfferEvents = (
  moved: readonly MovedOffer[],
  growTo: number | undefined,
  { id }: Pick<CommandContext, "id">,
): DomainEvent<OfferEvents>[] =>
  moved.map(({ offer, before }) => ({
    type: `Offer${offer.status}`,
    status: offer.status,
    ...(before && { previousStatus: before }),
    offerId: offer.offerId,
    data: viewOfOffer(offer, id, growTo),
  }));

import * as z from "zod";
import { Party } from "../../document/shapes.ts";

/** Fields that a freight requires and a request may not have. */
export const missingFields = [
  "loadingPlace",
  "unloadingPlace",
  "loadingDate",
  "unloadingDate",
  "trailerType",
  "weight",
  "price",
] as const;

const text = z.string();

const OpportunityLocation = z
  .object({
    sequence: z.number().int().describe("Position in the route, from 1 without gaps."),
    type: z.enum(["Loading", "Unloading", "Customs", "Stop"]),
    address: z
      .object({
        countryCode: text.optional().describe("ISO 3166-1 alpha-2."),
        postalCode: text.optional().describe("As stated; only the first digits if the request states no more."),
        city: text.optional(),
        coordinates: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
      })
      .optional(),
    period: z
      .object({
        startDate: text
          .optional()
          .describe("Local time at the stop, without offset; only a date if no hour is stated."),
        endDate: text.optional(),
      })
      .optional(),
  })
  .meta({ id: "OpportunityLocation" });

/**
 * A request for a quote: the fields of a freight (section 2.8 of the specification) that it contains, the requester,
 * and the missing fields.
 */
export const OpportunityView = z
  .object({
    externalNumber: text.optional().describe("The requesting party's own number of the request."),
    locations: z.array(OpportunityLocation).optional(),
    requirements: z
      .object({
        trailerTypes: z.array(z.number().int()).optional().describe("Numbers of the trailer type table."),
        vehicleTypes: z.array(z.number().int()).optional().describe("Numbers of the vehicle type table."),
        loadingSide: z.enum(["All", "Back", "Side", "Top"]).optional(),
        capacity: z.number().optional().describe("Tonnes."),
        pallets: z.number().optional(),
        palletsExchange: z.boolean().optional(),
        ldm: z.number().optional().describe("Loading metres."),
        ftl: z.boolean().optional().describe("Full truck load; false for a part load."),
        temperature: z
          .object({
            min: z.number().optional(),
            max: z.number().optional(),
            regime: z.enum(["Auto", "Off", "Continuous"]).optional(),
          })
          .optional()
          .describe("Degrees Celsius."),
        capabilities: z.array(z.number().int()).optional().describe("Numbers of the capability table."),
      })
      .optional(),
    payment: z
      .object({
        from: z.number().optional().describe("Price requested or offered."),
        currency: text.optional().describe("ISO 4217."),
        term: z.number().int().optional().describe("Days until payment."),
      })
      .optional(),
    totalDistance: z.number().optional().describe("Kilometres."),
    comments: text.optional().describe("The goods; remarks if no goods are named."),
    requestedBy: Party.optional(),
    missing: z
      .array(z.enum(missingFields))
      .optional()
      .describe("Fields that a freight needs and the request does not state."),
  })
  .meta({ id: "OpportunityView" });

export type OpportunityView = z.output<typeof OpportunityView>;
export type OpportunityLocation = z.output<typeof OpportunityLocation>;

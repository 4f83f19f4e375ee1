import * as z from "zod";

const text = z.string();
const day = z.string().describe("A date, ISO 8601.");

export const driverDocumentTypes = [
  "DrivingLicence",
  "DriverCard",
  "Code95",
  "Adr",
  "IdentityCard",
  "Passport",
  "ResidencePermit",
  "A1",
  "Medical",
  "Other",
] as const;

export const DriverDocumentView = z
  .object({
    type: z.enum(driverDocumentTypes).optional(),
    number: text.optional(),
    issuingCountry: text.optional().describe("ISO 3166-1 alpha-2."),
    issuedAt: day.optional(),
    expiresAt: day.optional(),
    categories: z.array(text).optional().describe("Categories of a licence (C, CE), or classes of an ADR certificate."),
    holder: z.object({ name: text.optional(), birthDate: day.optional() }).optional(),
  })
  .meta({ id: "DriverDocumentView" });

export type DriverDocumentType = (typeof driverDocumentTypes)[number];
export type DriverDocumentView = z.output<typeof DriverDocumentView>;

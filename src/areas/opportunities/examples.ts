import type * as z from "zod";
import type { MappingProfileView } from "./mapping-profile.ts";
import type {
  FilledOpportunity,
  MappedOpportunity,
  OpportunityEnvelope,
  OpportunityExtraction,
  OpportunityRow,
} from "./model.ts";

export const opportunityId = "0193c1d0-2f6b-7e15-9a44-8b3d5f1c7e20";
const metadata = { internalId: "RFQ-771" };

export const requestedBy = { name: "Spedition Beispiel GmbH", contactPerson: { email: "dispo@spedition.beispiel.de" } };

export const example: OpportunityEnvelope = {
  sequenceId: 0,
  status: "Succeeded",
  data: {
    externalNumber: "ANF-26-0771",
    locations: [
      {
        sequence: 1,
        type: "Loading",
        address: { countryCode: "DE", postalCode: "49716", city: "Meppen" },
        period: { startDate: "2026-11-26T06:00:00", endDate: "2026-11-26T10:00:00" },
      },
      { sequence: 2, type: "Unloading", address: { countryCode: "AT", postalCode: "4600", city: "Wels" } },
    ],
    requirements: { capacity: 21.5, pallets: 33, temperature: { min: -22, max: -20 } },
    payment: { from: 1350, currency: "EUR", term: 30 },
    comments: "Deep-frozen vegetables",
  },
  requestedBy,
  missing: ["unloadingDate", "trailerType"],
  metadata,
};

export const failedExample: OpportunityEnvelope = {
  sequenceId: 0,
  status: "Failed",
  errorCode: "input_not_freight",
  message: "The document asks for no carriage.",
  metadata,
};

export const filledExample: FilledOpportunity = {
  ...example,
  data: {
    ...example.data,
    locations: [
      {
        sequence: 1,
        type: "Loading",
        address: { countryCode: "DE", postalCode: "49716", city: "Meppen" },
        period: { startDate: "2026-11-26T05:00:00", endDate: "2026-11-26T11:00:00" },
      },
      {
        sequence: 2,
        type: "Unloading",
        address: { countryCode: "AT", postalCode: "4600", city: "Wels" },
        period: { startDate: "2026-11-27T08:00:00", endDate: "2026-11-27T18:00:00" },
      },
    ],
    requirements: {
      trailerTypes: [2],
      loadingSide: "All",
      capacity: 21.5,
      pallets: 33,
      ftl: true,
      temperature: { min: -22, max: -20, regime: "Continuous" },
    },
    totalDistance: 850,
  },
  missing: [],
  transitTime: "25:34:00",
  defaulted: [
    "/locations/0/period",
    "/locations/1/period",
    "/requirements/trailerTypes",
    "/requirements/loadingSide",
    "/requirements/ftl",
    "/requirements/temperature/regime",
    "/totalDistance",
  ],
};

export const profileExample: z.input<typeof MappingProfileView> = {
  configured: true,
  of: "Default",
  renames: {
    externalNumber: "reference",
    "locations[].address.postalCode": "stops[].zip",
    "locations[].period.startDate": "stops[].from",
    "requirements.trailerTypes[]": "equipment[]",
  },
  onlyRenamed: true,
  constants: { "order.type": "SPOT" },
  ids: { "requirements.trailerTypes[]": { "2": "REEFER", "3": "CURTAIN" } },
  dateFormat: "dd.MM.yyyy HH:mm",
};

export const mappedExample: z.output<typeof MappedOpportunity> = {
  ...example,
  data: {
    reference: "ANF-26-0771",
    stops: [
      { zip: "49716", from: "26.11.2026 05:00" },
      { zip: "4600", from: "27.11.2026 08:00" },
    ],
    equipment: ["REEFER"],
    order: { type: "SPOT" },
  },
  missing: [],
};

export const receivedExample = { opportunityId };

export const inputExample = {
  inputText:
    "Looking for a reefer, 21.5 t, -20 °C, from DE-49716 Meppen to AT-4600 Wels, loading 26.11. 6-10, 1350 EUR",
  subject: "Anfrage ANF-26-0771",
  from: "dispo@spedition.beispiel.de",
  metadata,
};

export const rowExample: OpportunityRow = {
  opportunityId,
  status: "Succeeded",
  externalNumber: "ANF-26-0771",
  requestedBy: { name: "Spedition Beispiel GmbH" },
  loading: "DE 49716 Meppen",
  unloading: "AT 4600 Wels",
  loadingDate: "2026-11-26T06:00:00",
  price: 1350,
  currency: "EUR",
  lanes: 1,
  missing: ["unloadingDate", "trailerType"],
  fileName: "request.eml",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.700Z",
  metadata,
};

export const extractionExample: OpportunityExtraction = {
  opportunityId,
  sequenceId: 0,
  fields: {
    "/payment/from": {
      value: 1350,
      confidence: 0.93,
      source: "Document",
      text: "1350 EUR",
      page: 1,
      box: [0.74, 0.06, 0.83, 0.075],
    },
  },
  checks: [],
  engine: "lorry-1",
  language: "en",
  pages: 1,
  milliseconds: 60,
  warnings: [],
};

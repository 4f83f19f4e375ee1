import type { DriverDocumentExtraction, DriverDocumentView } from "./model.ts";

// The person is invented.

const documentId = "0193e4a7-1b2c-7d45-9f60-3c8e5a7b9d12";

export const inputExample = {
  driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
  type: "DrivingLicence" as const,
  number: "00512/18/1465",
  issuingCountry: "PL",
  issuedAt: "2022-02-01",
  expiresAt: "2027-01-31",
  categories: ["C", "CE"],
};

export const viewExample: DriverDocumentView = {
  documentId,
  status: "Valid",
  driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
  type: "DrivingLicence",
  number: "00512/18/1465",
  issuingCountry: "PL",
  issuedAt: "2022-02-01",
  expiresAt: "2027-01-31",
  categories: ["C", "CE"],
  holder: { name: "Jan Przykładowy", birthDate: "1984-05-17" },
  daysLeft: 72,
  fileName: "licence.pdf",
  metadata: { internalId: "DRIVER-17" },
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.600Z",
};

export const expiringExample: DriverDocumentView = {
  ...viewExample,
  status: "ExpiringSoon",
  daysLeft: 30,
  updatedAt: "2026-12-31T23:00:00.000Z",
};

export const expiredExample: DriverDocumentView = {
  ...viewExample,
  status: "Expired",
  daysLeft: -1,
  updatedAt: "2027-01-31T23:00:00.000Z",
};

export const receivedExample = { documentId };

export const extractionExample: DriverDocumentExtraction = {
  documentId,
  sequenceId: 0,
  fields: {
    "/expiresAt": {
      value: "2027-01-31",
      confidence: 0.96,
      source: "Document",
      text: "31.01.2027",
      page: 1,
      box: [0.31, 0.42, 0.44, 0.45],
    },
  },
  checks: [],
  engine: "lorry-1",
  language: "pl",
  pages: 1,
  milliseconds: 40,
  warnings: [],
};

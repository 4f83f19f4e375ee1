import { form, type ApiClient } from "./api-client.ts";

/** A carrier order in a response. */
export interface CarrierAnswer {
  sequenceId: number;
  status: string;
  message?: string;
  errorCode?: string;
  orderSubType: string;
  data: { orderNumber: string; licensePlates?: string[]; locations: Stop[]; carrier: Record<string, unknown> };
  metadata?: Record<string, string>;
  orderId: string;
  shareUrl: string;
  carrierOrder: CarrierSide;
}

interface Stop {
  sequence: number;
  type: string;
  startDate?: string;
  endDate?: string;
  totalWeight?: number;
  city?: string;
  normalizedCity?: string;
  coordinates: { latitude?: number; longitude?: number };
}

export interface CarrierSide {
  status: string;
  shareUrl?: string;
  requiredDocumentTypes: string;
  missingDocumentTypes: string[];
  internalComments?: string;
  documents: DocumentAnswer[];
}

export interface DocumentAnswer {
  documentId: string;
  type: string;
  fileName: string;
  contentType: string;
  status: string;
  reason?: string;
  comment?: string;
  uploadedBy: string;
  orderStatus?: string;
}

/** A refusal in a response. */
export interface Refusal {
  errorCode: string;
  errors?: { pointer: string; code: string }[];
  currentStatus?: string;
  allowed?: string[];
}

/** Returns the status, the code and the pointers of a refusal. */
export const refusal = ({ status, body }: { status: number; body: Refusal }) => ({
  status,
  code: body.errorCode,
  ...(body.errors && { pointers: body.errors.map(({ pointer }) => pointer) }),
});

let numbers = 0;
export const freshNumber = () => `CO-2026-${String(++numbers).padStart(4, "0")}`;

/** Makes the body of a carrier order. */
export const carrierOrder = (more: Record<string, unknown> = {}) => ({
  orderNumber: freshNumber(),
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  internalComments: "Second trip this week",
  requiredDocumentTypes: "cmr",
  details: { weight: 22400, licensePlates: ["1BX 4821", "2bk-9034"] },
  locations: [
    {
      sequence: 1,
      type: "Loading",
      startDate: "2026-11-24T07:00:00.000Z",
      endDate: "2026-11-24T11:00:00.000Z",
      name: "Muster Papierwerke GmbH",
      countryCode: "DE",
      postalCode: "04158",
      city: "Leipzig",
      street: "Industriestraße 5",
      position: { latitude: 51.3878, longitude: 12.3426 },
    },
    {
      sequence: 2,
      type: "Unloading",
      startDate: "2026-11-25T06:00:00.000Z",
      endDate: "2026-11-25T14:00:00.000Z",
      name: "Drukarnia Przykład Sp. z o.o.",
      countryCode: "PL",
      postalCode: "53-609",
      city: "Wrocław",
      street: "Fabryczna 10",
    },
  ],
  ...more,
});

/** Creates a carrier order. */
export async function createCarrierOrder(ask: ApiClient, more: Record<string, unknown> = {}): Promise<CarrierAnswer> {
  const { status, body } = await ask<CarrierAnswer>("POST", "/api/v1/orders", { json: carrierOrder(more) });
  if (status !== 201) throw new Error(`Unexpected status ${status}: ${JSON.stringify(body)}`);
  return body;
}

let documents = 0;

/** Uploads a document as the company. By default, its bytes are unique. */
export const uploadDocument = (
  ask: ApiClient,
  orderId: string,
  documentType: string,
  bytes = `Document number ${++documents}`,
) =>
  ask<DocumentAnswer>("POST", `/api/v1/orders/${orderId}/documents`, {
    body: form({ name: `${documentType}.txt`, bytes }, { documentType }),
  });

export const setDocumentStatus = (
  ask: ApiClient,
  orderId: string,
  documentId: string,
  status: string,
  reason?: string,
) =>
  ask<DocumentAnswer & { currentStatus?: string; allowed?: string[]; errorCode?: string }>(
    "POST",
    `/api/v1/orders/${orderId}/documents/${documentId}/status`,
    { json: { status, ...(reason && { reason }) } },
  );

export const readOrder = async (ask: ApiClient, orderId: string) =>
  (await ask<CarrierAnswer>("GET", `/api/v1/orders/${orderId}`)).body;

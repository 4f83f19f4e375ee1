import { expect, vi } from "vitest";
import type { ApiClient } from "./api-client.ts";

export interface CollectedDocument {
  documentId: string;
  type: string;
  confidence: number;
  status: string;
  fileId: string;
  pageFrom: number;
  pageTo: number;
  items: { itemId: string; page?: number; picture?: string }[];
  orders?: { orderId: string; orderNumber: string }[];
  attachedTo?: string;
}

export interface Collection {
  collectionId: string;
  status: string;
  errorCode?: string;
  message?: string;
  files: { fileId: string; fileName: string; pages?: number }[];
  documents: CollectedDocument[];
  metadata?: Record<string, string>;
}

export interface Received {
  collectionId: string;
  status?: string;
  collection?: Collection;
}

export const root = "/api/v1/document-collections";
const waiting = { prefer: "wait=30" };
/** Makes a form with several files. */
export function collectionForm(
  files: { name: string; bytes: Uint8Array }[],
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes } of files) form.append("file", new File([Uint8Array.from(bytes)], name));
  return form;
}

/** Uploads a collection and waits until it is split. */
export async function splitCollection(
  ask: ApiClient,
  files: Parameters<typeof collectionForm>[0],
  fields = {},
): Promise<Collection> {
  const { status, body } = await ask<Received>("POST", `${root}/files`, {
    body: collectionForm(files, fields),
    headers: waiting,
  });
  expect([200, 202], JSON.stringify(body)).toContain(status);
  if (body.collection) return body.collection;
  const now = async () => (await ask<Collection>("GET", `${root}/${body.collectionId}`)).body;
  await vi.waitFor(async () => expect((await now()).status).not.toBe("Processing"), {
    timeout: 120_000,
    interval: 200,
  });
  return now();
}

/** Returns the lines of an invoice. */
export const invoice = (number: string): string[] => [
  `INVOICE No. ${number}`,
  "Issue date: 20.11.2026",
  "Due date: 20.12.2026",
  "Seller: Vzorova Doprava s.r.o.",
  "Dlouha 27, 602 00 Brno, Czech Republic",
  "VAT ID: CZ12345679",
  "Buyer: Beispiel Spedition GmbH",
  "Hafenstrasse 12, 20457 Hamburg, Germany",
  "VAT ID: DE123456788",
  "Transport Leipzig - Wroclaw        980,00 EUR",
  "Net amount: 980,00 EUR",
  "VAT 23 %: 225,40 EUR",
  "Gross amount: 1 205,40 EUR",
];

/** The lines of an insurance policy. */
export const policy: string[] = [
  "INSURANCE POLICY",
  "Policy number: OCP-2026-118-442",
  "Carrier liability insurance (CMR)",
  "Insurer: Beispiel Versicherung AG",
  "Policy holder: Vzorova Doprava s.r.o.",
  "Valid from: 01.01.2026 to: 31.12.2026",
  "Sum insured: 300 000 EUR",
  "Territory: Europe",
  "Premium: 1 200 EUR",
];

/** Returns the lines of a page of terms and conditions. */
export const terms = (from: number): string[] =>
  Array.from({ length: 20 }, (_, index) => `${from + index}. The carrier keeps to what was agreed in writing.`);

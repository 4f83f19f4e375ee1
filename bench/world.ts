import { readFile } from "node:fs/promises";
import type { Host } from "./children.ts";
import { serialSlot } from "./traffic.ts";

/** The data of the measured requests: a company with orders in the product, and the same bytes in the baselines. */
export interface World {
  urls: Record<string, string>;
  /** An API key with all scopes and without a rate limit. */
  key: string;
  orderIds: string[];
  /** Carrier orders, each with the body of a request that changes it. A serial number makes each request different. */
  carrierOrders: { id: string; body: string }[];
  /** The PDF of the sample order, with a serial number. */
  pdf: Uint8Array;
  company: string;
}

/** Number of orders that are read in rotation, and number of rows in the baselines. */
export const orders = 64;
export const company = {
  name: "Vzorová Doprava s.r.o.",
  vatCodes: ["CZ12345679"],
  emailDomains: ["vzorova-doprava.example"],
  country: "CZ",
  requestsPerSecond: 100_000,
};

/** @throws if a server responds with an error */
export async function furnish(lorry: Host, baselines: Host): Promise<World> {
  const url = lorry.urls["lorry"]!;
  const { key } = await requestJson<{ key: string }>(
    `${url}/api/v1/companies`,
    "POST",
    { authorization: `Bearer ${lorry.operatorKey}` },
    company,
  );
  const pdf = await numberedPdf();
  const world: World = {
    urls: { ...lorry.urls, ...baselines.urls },
    key,
    orderIds: [],
    carrierOrders: [],
    pdf,
    company: JSON.stringify(company),
  };
  for (let i = 0; i < orders; i++) {
    const { orderId } = await requestJson<{ orderId: string }>(
      `${url}/api/v1/orders`,
      "POST",
      { "x-api-key": key },
      { inputText: `${orderText}\n${i}` },
    );
    world.orderIds.push(orderId);
  }
  await waitUntilAllRead(world, orders);
  for (let i = 0; i < orders; i++) {
    const body = carrierOrder(`CO-${i}`);
    const { orderId } = await requestJson<{ orderId: string }>(
      `${url}/api/v1/orders`,
      "POST",
      { "x-api-key": key },
      body,
    );
    world.carrierOrders.push({ id: orderId, body: JSON.stringify(body) });
  }
  await copyToBaselines(world);
  return world;
}

/** Stores the product's responses in the baselines, so that both send the same bytes. */
async function copyToBaselines({ urls, key, orderIds }: World): Promise<void> {
  const headers = { "x-api-key": key };
  for (const id of orderIds) {
    const body = await (await fetch(`${urls["lorry"]}/api/v1/orders/${id}`, { headers })).text();
    await fetch(`${urls["object"]}/${id}`, { method: "PUT", body });
  }
  const { items } = await requestJson<{ items: { orderId: string }[] }>(
    `${urls["lorry"]}/api/v1/orders?limit=200`,
    "GET",
    headers,
  );
  for (const item of items)
    await fetch(`${urls["archive"]}/rows/${item.orderId}`, { method: "PUT", body: JSON.stringify(item) });
}

/** Waits until the list has this many orders and none is being processed. @throws after two minutes */
export async function waitUntilAllRead({ urls, key }: World, count: number): Promise<void> {
  const list = (query: string) =>
    requestJson<{ items: unknown[]; nextCursor?: string }>(`${urls["lorry"]}/api/v1/orders?${query}`, "GET", {
      "x-api-key": key,
    });
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(200)) {
    if ((await list("limit=1&status=Processing")).items.length > 0) continue;
    let listed = 0;
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page = await list(`kind=Document&limit=200${cursor && `&cursor=${cursor}`}`);
      listed += page.items.length;
      cursor = page.nextCursor;
    }
    if (listed === count) return;
  }
  throw new Error(`Not all of ${count} orders are listed and extracted.`);
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @throws if the response has an error status */
export async function requestJson<Answer>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** Adds a comment with a serial number to the end of the PDF, which changes its digest but nothing else. */
async function numberedPdf(): Promise<Uint8Array> {
  const pdf = await readFile("docs/sample-order.pdf");
  return Buffer.concat([pdf, Buffer.from(`\n% ${serialSlot}\n`)]);
}

/** Makes the request body of a carrier order. */
export const carrierOrder = (orderNumber: string) => ({
  orderNumber,
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  internalComments: `Trip ${serialSlot}`,
  requiredDocumentTypes: "cmr,invoice",
  details: { weight: 22400, licensePlates: ["1BX 4821", "2BK 9034"] },
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
      street: "ul. Fabryczna 18",
    },
  ],
  metadata: { internalId: "TMS-4712" },
});

/**
 * Makes the body of a freight that is loaded tomorrow and is on the board. Its price rises every `updateRate`
 * (`hh:mm:ss`).
 */
export const freight = (updateRate: string) => ({
  owner: "dispo@beispiel-spedition.example",
  sources: [1],
  locations: [
    {
      sequence: 1,
      type: "Loading",
      address: { countryCode: "DE", postalCode: "04158", city: "Leipzig" },
      period: { startDate: inHours(24), endDate: inHours(30) },
    },
    {
      sequence: 2,
      type: "Unloading",
      address: { countryCode: "PL", postalCode: "53-609", city: "Wrocław" },
      period: { startDate: inHours(48), endDate: inHours(54) },
    },
  ],
  requirements: { trailerTypes: [1, 3], capacity: 24, ldm: 13.6, ftl: true },
  payment: { from: 1000, growTo: 1300, currency: "EUR", term: 30, until: inHours(20), updateRate },
  totalDistance: 372,
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The text of the sample order. */
export const orderText = `Transport order No. BS-26-04711
Date: 18.11.2026

Customer: Beispiel Spedition GmbH, Hafenstraße 12, 20457 Hamburg, Germany, VAT ID: DE123456788
Carrier: Vzorová Doprava s.r.o., Dlouhá 27, 602 00 Brno, Czech Republic, VAT ID: CZ12345679
Truck: 1BX 4821, trailer: 2BK 9034

Loading: 24.11.2026 08:00 - 12:00
Muster Papierwerke GmbH, Industriestraße 5, 04158 Leipzig, Germany
Reference: LP-88213

Unloading: 25.11.2026 07:00 - 15:00
Drukarnia Przykład Sp. z o.o., ul. Fabryczna 18, 53-609 Wroclaw, Poland
Reference: DP-1190

Goods: printing paper on 33 EUR pallets, 22 400 kg, 13.6 ldm
Freight price: 780.00 EUR net, payment term: 30 days`;

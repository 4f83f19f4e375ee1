import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { uploadDocument, setDocumentStatus, createCarrierOrder, readOrder } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;
const ids: string[] = [];

interface Row {
  orderId: string;
  kind: string;
  status: string;
  documents: unknown[];
}
interface Page {
  items: Row[];
  continuationToken?: string;
}

const stops = (loading: string, unloading: string) => [
  {
    type: "Loading",
    startDate: loading,
    countryCode: "DE",
    postalCode: "04158",
    city: "Leipzig",
    name: "Muster Papierwerke",
  },
  { type: "Unloading", startDate: unloading, countryCode: "PL", city: "Wrocław" },
];

const orders = [
  {
    orderNumber: "CO-2026-0001",
    carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
    locations: stops("2026-11-02T07:00:00Z", "2026-11-03T07:00:00Z"),
    details: { licensePlates: ["1BX 4821"] },
    metadata: { internalId: "TMS-1" },
  },
  {
    orderNumber: "CO-2026-0002",
    carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
    locations: stops("2026-11-09T23:00:00.001Z", "2026-11-12T22:59:59.999Z"),
    details: { licensePlates: ["WGM-12345", "WGM 99X1"] },
  },
  {
    orderNumber: "CO-2027-0003",
    carrier: { name: "Trans Przykład Sp. z o.o.", vatCode: "PL5260250274" },
    locations: stops("2026-12-01T07:00:00Z", "2026-12-02T07:00:00Z"),
    metadata: { internalId: "TMS-3" },
  },
  { orderNumber: "X 77/B", carrier: { name: "Przykład Logistyka" }, requiredDocumentTypes: "" },
];

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  for (const order of orders)
    ids.push((await createCarrierOrder(ask, { details: undefined, locations: undefined, ...order })).orderId);
  const { documentId } = (await uploadDocument(ask, ids[1]!, "cmr")).body;
  await setDocumentStatus(ask, ids[1]!, documentId, "Rejected", "Too dark");
  await ask("POST", "/api/v1/orders", { json: { inputText: "Nothing to carry" }, headers: { prefer: "wait=15" } });
  await vi.waitUntil(
    async () => {
      const { items } = (await ask<Page>("GET", "/api/v1/orders")).body;
      return (
        items.map(({ status }) => status).join() === "Failed,Completed,AwaitingDocuments,Rejected,AwaitingDocuments"
      );
    },
    { timeout: 50_000, interval: 50 },
  );
});

afterAll(() => service.stop());

const query = async (json: Record<string, unknown>) => (await ask<Page>("POST", "/api/v1/orders/query", { json })).body;
const found = async (json: Record<string, unknown>) =>
  (await query(json)).items.map(({ orderId }) => ids.indexOf(orderId));

describe("the query", () => {
  test.each<[string, Record<string, unknown>, number[]]>([
    ["no filter", {}, [3, 2, 1, 0]],
    ["nulls", { statuses: null, carrier: null, continuationToken: null }, [3, 2, 1, 0]],
    ["a status", { statuses: ["rejected"] }, [1]],
    ["two statuses", { statuses: ["Rejected", "Completed"] }, [3, 1]],
    ["a VAT code", { carrier: "cz 123-456-79" }, [1, 0]],
    ["a name", { carrier: "vzorova doprava" }, [1, 0]],
    ["a word of two names", { carrier: "PRZYKLAD" }, [3, 2]],
    ["words of two names", { carrier: "Trans Logistyka" }, []],
    ["a number", { orderNumber: "co 2026 0001" }, [0]],
    ["the beginning of a number", { orderNumber: "CO-2026-*" }, [1, 0]],
    ["the end of a number", { orderNumber: "*3" }, [2]],
    ["the middle of a number", { orderNumber: "*2026*" }, [1, 0]],
    ["a number with a slash", { orderNumber: "x77b" }, [3]],
    ["loading from a day", { loadingFrom: "2026-11-10" }, [2, 1]],
    ["loading until a day", { loadingTo: "2026-11-10" }, [1, 0]],
    ["loading on a local day", { loadingFrom: "2026-11-10", loadingTo: "2026-11-10" }, [1]],
    ["loading on the day before that local day", { loadingFrom: "2026-11-09", loadingTo: "2026-11-09" }, []],
    ["unloading between two local days", { unloadingFrom: "2026-11-04", unloadingTo: "2026-11-12" }, [1]],
    ["unloading until a local time", { unloadingTo: "2026-11-12T23:59" }, [0]],
    ["unloading at a local minute", { unloadingFrom: "2026-11-03T08:00", unloadingTo: "2026-11-03T08:00Z" }, [0]],
    ["a number of a hundred letters", { orderNumber: "C".repeat(100) }, []],
    ["a plate", { licensePlates: ["wgm 99x1"] }, [1]],
    ["one of two plates", { licensePlates: ["WGM12345", "1bx4821"] }, [1, 0]],
    ["internal ids", { internalIds: ["TMS-3", "TMS-1", "TMS-2"] }, [2, 0]],
    ["words", { text: "papierw leip" }, [2, 1, 0]],
    ["the date of the last change", { updatedSince: "2126-01-01" }, []],
    ["the time of the last change", { updatedSince: "2026-01-01T08:00:00+0100" }, [3, 2, 1, 0]],
    [
      "four filters together",
      { statuses: ["AwaitingDocuments"], carrier: "Doprava", orderNumber: "CO*", loadingTo: "2026-11-30" },
      [0],
    ],
  ])("finds orders by %s", async (_, json, expected) => {
    expect(await found(json)).toEqual(expected);
  });

  test("uses continuationToken for pages; the last page has none", async () => {
    const first = await query({ limit: 3 });
    expect(first.items.map(({ orderId }) => ids.indexOf(orderId))).toEqual([3, 2, 1]);
    const last = await query({ limit: 3, continuationToken: first.continuationToken });
    expect(last.items.map(({ orderId }) => ids.indexOf(orderId))).toEqual([0]);
    expect(last.continuationToken).toBeUndefined();
  });

  test("shows the documents of each order as reading it does, and no share link", async () => {
    const [row] = (await query({ orderNumber: "CO-2026-0002" })).items;
    const { carrierOrder } = await readOrder(ask, ids[1]!);
    expect(row?.documents).toEqual(carrierOrder.documents);
    expect(JSON.stringify(row)).not.toContain("share");
  });

  test("finds no orders of another company", async () => {
    const other = apiClient(service, service.company().key);
    for (const json of [{}, { carrier: "CZ12345679" }, { internalIds: ["TMS-1"] }])
      expect((await other<Page>("POST", "/api/v1/orders/query", { json })).body.items).toEqual([]);
  });
});

test.each<[string, number[]]>([
  ["kind=Carrier", [3, 2, 1, 0]],
  ["kind=Document", [-1]],
  ["status=Rejected", [1]],
  ["status=Failed", [-1]],
  ["orderNumber=*0002", [1]],
  ["licensePlate=1BX4821", [0]],
  ["text=papier&loadingFrom=2026-11-30", [2]],
  ["loadingFrom=2026-11-10&loadingTo=2026-11-10", [1]],
  ["unloadingFrom=2026-11-12&unloadingTo=2026-11-12", [1]],
  ["orderNumber=---", []],
])("the list with %s has both kinds of orders", async (asked, expected) => {
  const { items } = (await ask<Page>("GET", `/api/v1/orders?${asked}`)).body;
  expect(items.map(({ orderId }) => ids.indexOf(orderId))).toEqual(expected);
});

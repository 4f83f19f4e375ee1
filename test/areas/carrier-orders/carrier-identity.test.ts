import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import {
  carrierOrder,
  uploadDocument,
  createCarrierOrder,
  readOrder,
  refusal,
  type CarrierAnswer,
  type Refusal,
} from "../../support/carriers.ts";
import { createOffer } from "../../support/offers.ts";
import { createFreight as postedFreight } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

type Carrier = { name?: string; vatCode?: string };

const [vzorova, jina] = ["Vzorová Doprava s.r.o.", "Jiná Doprava s.r.o."];

const put = (orderId: string, sent: object, carrier: Carrier) =>
  ask<Refusal & CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, carrier } });
const upsert = (sent: object, carrier: Carrier) =>
  ask<{ orderId: string; result: string; shareUrl: string }>("POST", "/api/v1/orders/upsert", {
    json: { ...sent, carrier },
  });

describe.each<[string, Carrier, Carrier]>([
  ["with another name and a VAT code, after a name only", { name: vzorova }, { name: jina, vatCode: "CZ12345679" }],
  ["with another name", { name: vzorova }, { name: jina }],
  ["with another name and no VAT code", { name: vzorova, vatCode: "CZ12345679" }, { name: jina }],
  ["with a VAT code only, after a name only", { name: vzorova }, { vatCode: "CZ12345679" }],
  ["with a name only, after a VAT code only", { vatCode: "CZ12345679" }, { name: vzorova }],
  [
    "with the same digits of another country",
    { name: vzorova, vatCode: "PL5260250274" },
    { name: vzorova, vatCode: "SK5260250274" },
  ],
  ["with another legal form", { name: vzorova }, { name: "Vzorová Doprava a.s." }],
])("a carrier %s is a different carrier", (_, first, next) => {
  test("a PUT is refused; the link and the documents stay with the first carrier", async () => {
    const sent = carrierOrder({ carrier: first });
    const { orderId, shareUrl } = await createCarrierOrder(ask, sent);
    expect(refusal(await put(orderId, sent, next))).toEqual({ status: 409, code: "carrier_change_refused" });
    expect((await readOrder(ask, orderId)).carrierOrder.shareUrl).toBe(shareUrl);
    expect((await fetch(shareUrl)).status).toBe(200);
  });

  test("an upsert creates a new link, disables the first one, and the earlier documents no longer count", async () => {
    const sent = carrierOrder({ carrier: first });
    const { orderId, shareUrl } = await createCarrierOrder(ask, sent);
    await uploadDocument(ask, orderId, "cmr");
    const { body } = await upsert(sent, next);
    expect(body).toMatchObject({ orderId, result: "Updated" });
    expect(body.shareUrl).not.toBe(shareUrl);
    expect((await fetch(shareUrl)).status).toBe(404);

    expect((await fetch(body.shareUrl)).status).toBe(200);
    expect((await readOrder(ask, orderId)).carrierOrder.documents).toMatchObject([{ status: "Superseded" }]);
  });
});

describe.each<[string, Carrier, Carrier, string | undefined]>([
  [
    "whose VAT code loses its country",
    { name: vzorova, vatCode: "PL5260250274" },
    { name: vzorova, vatCode: "5260250274" },
    "PL5260250274",
  ],
  ["whose VAT code gains its country", { vatCode: "526-025-02-74" }, { vatCode: "PL 526 025 02 74" }, "PL5260250274"],
  [
    "whose name gains a VAT code",
    { name: vzorova },
    { name: "VZOROVA doprava, s. r. o.", vatCode: "CZ12345679" },
    "CZ12345679",
  ],
  ["that loses its VAT code", { name: vzorova, vatCode: "CZ12345679" }, { name: "Vzorová Doprava, SRO" }, "CZ12345679"],
  [
    "with another name and the same VAT code",
    { name: vzorova, vatCode: "CZ12345679" },
    { name: jina, vatCode: "cz 12345679" },
    "CZ12345679",
  ],
  [
    "with the suffix of Swiss VAT",
    { name: "Muster AG", vatCode: "CHE-123.456.788 MWST" },
    { name: "Muster", vatCode: "123456788" },
    "CHE123456788MWST",
  ],
  ["with the other prefix of Greece", { vatCode: "EL123456789" }, { vatCode: "GR123456789" }, "GR123456789"],
  [
    "whose VAT code is a hyphen",
    { name: vzorova, vatCode: "CZ12345679" },
    { name: vzorova, vatCode: "-" },
    "CZ12345679",
  ],
])("a carrier %s is the same carrier", (_, first, next, vatCode) => {
  test("for PUT and upsert: its link stays valid, and its VAT code stays stored", async () => {
    const sent = carrierOrder({ carrier: first });
    const { orderId, shareUrl } = await createCarrierOrder(ask, sent);
    expect(await put(orderId, sent, next)).toMatchObject({ status: 200, body: { data: { carrier: { vatCode } } } });
    expect((await upsert(sent, next)).body).toMatchObject({ orderId, result: "Unchanged", shareUrl });
    const { data } = await readOrder(ask, orderId);
    expect(data.carrier["vatCode"]).toBe(vatCode);
    expect((await fetch(shareUrl)).status).toBe(200);
  });
});

test("a third carrier does not gain access through a VAT code without country", async () => {
  const sent = carrierOrder({ carrier: { name: vzorova, vatCode: "PL5260250274" } });
  const { orderId } = await createCarrierOrder(ask, sent);
  expect((await put(orderId, sent, { name: vzorova, vatCode: "5260250274" })).status).toBe(200);
  expect((await put(orderId, sent, { name: vzorova, vatCode: "SK5260250274" })).status).toBe(409);
  expect((await put(orderId, sent, { name: vzorova })).status).toBe(200);
  expect((await put(orderId, sent, { name: vzorova, vatCode: "CZ12345679" })).status).toBe(409);
});

test.each([
  ["a blank name", { name: "  " }],
  ["a VAT code without letters and digits", { vatCode: "- -" }],
])("an order with %s and nothing else has no carrier", async (_, carrier) => {
  const answer = await ask<Refusal>("POST", "/api/v1/orders", { json: carrierOrder({ carrier }) });
  expect(refusal(answer)).toEqual({ status: 400, code: "validation_failed", pointers: ["/carrier/name"] });
});

test.each(["5260250274", "pl 526-025-02-74", "PL5260250274"])(
  "orders are found by their carrier's VAT code, written as %s",
  async (carrier) => {
    const own = apiClient(service, service.company().key);
    const ids: string[] = [];
    for (const vatCode of ["PL5260250274", "526 025 02 74", "SK5260250274"])
      ids.push((await createCarrierOrder(own, { carrier: { vatCode } })).orderId);
    const expected = /^\d/.test(carrier) ? ids : ids.slice(0, 2);
    const query = async () => {
      const { body } = await own<{ items: { orderId: string }[] }>("POST", "/api/v1/orders/query", {
        json: { carrier },
      });
      return body.items.map(({ orderId }) => orderId).sort();
    };
    await vi.waitFor(async () => expect(await query()).toEqual(expected.toSorted()), { timeout: 50_000, interval: 50 });
  },
);

test("a carrier's second offer is recognised by its VAT code, with and without the country prefix", async () => {
  const { freightId } = await postedFreight(ask);
  await createOffer(ask, freightId, {
    carrier: { name: vzorova, email: "one@carrier.example", vatCode: "PL5260250274" },
  });
  const again = (vatCode: string) =>
    ask<Refusal>("POST", "/api/v1/freights/offers", {
      json: { freightId, price: 900, carrier: { name: vzorova, email: "two@carrier.example", vatCode } },
    });
  expect(refusal(await again("526-025-02-74"))).toEqual({ status: 409, code: "duplicate_offer" });
  expect((await again("SK5260250274")).status).toBe(201);
});

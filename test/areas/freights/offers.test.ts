import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createCarrierOrder as orderPosted, readOrder } from "../../support/carriers.ts";
import {
  changeOffer,
  carrier,
  eventReceiver,
  offer,
  createOffer,
  readOffer,
  withdrawOffer,
  type OfferReply,
} from "../../support/offers.ts";
import {
  inFuture,
  freight,
  growing,
  hour,
  createFreight,
  put,
  read,
  readArchived,
  refusal,
  stops,
  withdraw,
} from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;
const receiver = eventReceiver();

beforeAll(async () => {
  service = await openService({ internet: receiver.internet });
});

beforeEach(() => {
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const stands = ({ status, body }: OfferReply) => ({
  code: status,
  status: body.status,
  turn: body.turn,
  price: body.price,
});

/** Creates a freight with one offer. */
async function dealt(more: Record<string, unknown> = {}) {
  const { freightId } = await createFreight(ask);
  return createOffer(ask, freightId, more);
}

describe("an offer", () => {
  test("is returned as it was sent, by POST and by GET", async () => {
    const { freightId } = await createFreight(ask);
    const said = {
      price: 1150.5,
      currency: "eur",
      carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "cz 12345679" },
      vehicle: { licensePlates: ["1BX 4821", "2bk-9034"], trailerType: "3" },
      comments: "Free from 10:00 in Leipzig.",
      validUntil: inFuture(2 * hour),
    };
    const { status, headers, body } = await offer(ask, freightId, said);
    expect(status).toBe(201);
    const at = expect.stringMatching(/^2.*Z$/) as string;
    expect(body).toEqual({
      offerId: expect.any(String),
      freightId,
      status: "Submitted",
      turn: "Owner",
      price: 1150.5,
      currency: "EUR",
      carrier: { ...said.carrier, vatCode: "CZ12345679" },
      vehicle: { licensePlates: ["1BX4821", "2BK9034"], trailerType: 3 },
      comments: said.comments,
      validUntil: said.validUntil,
      rounds: [{ by: "Carrier", price: 1150.5, at }],
      source: "Api",
      createdAt: at,
      updatedAt: at,
    });
    expect(headers.get("location")).toBe(`/api/v1/freights/${freightId}/offers/${body.offerId}`);
    expect((await readOffer(ask, body)).body).toEqual(body);
    expect((await read(ask, freightId)).body.offers).toEqual({ open: 1, best: 1150.5 });
  });

  test("is countered and countered again, and accepted at the current price", async () => {
    const one = await dealt();
    const countered = await changeOffer(ask, one, "counter", { price: 1000, comment: "No tolls on this road" });
    expect(stands(countered)).toEqual({ code: 200, status: "Countered", turn: "Carrier", price: 1000 });
    const again = await changeOffer(ask, one, "Counter", { price: 1075.25 });
    expect(stands(again)).toEqual({ code: 200, status: "Submitted", turn: "Owner", price: 1075.25 });
    expect(again.body.rounds.map(({ by, price, comment }) => [by, price, comment])).toEqual([
      ["Carrier", 1150, undefined],
      ["Owner", 1000, "No tolls on this road"],
      ["Carrier", 1075.25, undefined],
    ]);
    const { body } = await changeOffer(ask, one, "Accept", { reason: "Good price" });
    expect(body).toMatchObject({ status: "Accepted", price: 1075.25, reason: "Good price" });
    expect(body.turn).toBeUndefined();
    expect((await readArchived(ask, one.freightId)).booking).toMatchObject({ price: 1075.25, currency: "EUR" });
  });

  test("can have up to twenty prices", async () => {
    const one = await dealt();
    for (let price = 1; price < 20; price++)
      expect((await changeOffer(ask, one, "Counter", { price })).status).toBe(200);
    const { status, body } = await changeOffer(ask, one, "Counter", { price: 50 });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      errorCode: "invalid_state",
      currentStatus: "Countered",
      allowed: ["Update", "Decline", "Accept", "Withdraw"],
    });
  });

  test("is updated by its carrier until it is answered", async () => {
    const one = await dealt();
    const { body } = await changeOffer(ask, one, "Update", { price: 1100, comment: "Last price" });
    expect(body).toMatchObject({ status: "Submitted", price: 1100 });
    expect(body.rounds).toMatchObject([{ by: "Carrier", price: 1100, comment: "Last price" }]);
  });

  test("is declined with a reason, and the carrier may offer again", async () => {
    const { freightId } = await createFreight(ask);
    const own = { carrier: carrier() };
    const one = await createOffer(ask, freightId, own);
    expect(refusal(await offer(ask, freightId, own))).toEqual({ status: 409, code: "duplicate_offer" });
    const { body } = await changeOffer(ask, one, "Decline", { reason: "Too dear" });
    expect(body).toMatchObject({ status: "Declined", reason: "Too dear", declinedBy: "Owner" });
    expect((await offer(ask, freightId, own)).status).toBe(201);
  });

  test("can be withdrawn, and withdrawn again", async () => {
    const one = await dealt();
    expect((await withdrawOffer(ask, one)).status).toBe(204);
    expect((await withdrawOffer(ask, one)).status).toBe(204);
    expect((await readOffer(ask, one)).body.status).toBe("Withdrawn");
    expect(refusal(await changeOffer(ask, one, "Accept"))).toEqual({ status: 409, code: "invalid_state" });
  });

  test("that is accepted cannot be withdrawn, declined or countered", async () => {
    const one = await dealt();
    await changeOffer(ask, one, "Accept");
    const refused = { status: 409, code: "invalid_state" };
    expect(refusal(await withdrawOffer(ask, one))).toEqual(refused);
    expect(refusal(await changeOffer(ask, one, "Decline"))).toEqual(refused);
    expect(refusal(await changeOffer(ask, one, "Counter", { price: 1 }))).toEqual(refused);
    expect((await readOffer(ask, one)).body.status).toBe("Accepted");
  });

  test("expires at its expiry time, with an event", async () => {
    await receiver.listen(ask);
    const validUntil = new Date(Date.now() + 5000).toISOString();
    const one = await dealt({ validUntil });
    await vi.waitFor(async () => expect((await readOffer(ask, one)).body.status).toBe("Expired"), { timeout: 50_000 });
    const { updatedAt, reason } = (await readOffer(ask, one)).body;
    expect(updatedAt >= validUntil).toBe(true);
    expect(reason).toBe("ValidUntilReached");
    await vi.waitFor(
      () =>
        expect(receiver.of(one.freightId).map(({ eventType }) => eventType)).toEqual([
          "FreightPublished",
          "OfferSubmitted",
          "OfferExpired",
        ]),
      { timeout: 50_000 },
    );
  });

  test("must be confirmed when the freight changes, except for its price", async () => {
    const body = freight();
    const { freightId } = await createFreight(ask, body);
    const one = await createOffer(ask, freightId);
    expect((await put(ask, freightId, { ...body, payment: { from: 1050 } })).status).toBe(200);
    expect((await readOffer(ask, one)).body.status).toBe("Submitted");
    const later = stops().map((stop, index) =>
      index === 0 ? { ...stop, period: { startDate: inFuture(50 * hour), endDate: inFuture(56 * hour) } } : stop,
    );
    expect((await put(ask, freightId, { ...body, locations: later })).status).toBe(200);
    expect((await readOffer(ask, one)).body).toMatchObject({ status: "Outdated", turn: "Carrier" });
    expect(refusal(await changeOffer(ask, one, "Accept"))).toEqual({ status: 409, code: "invalid_state" });
    expect(stands(await changeOffer(ask, one, "Confirm", { price: 1200 }))).toEqual({
      code: 200,
      status: "Submitted",
      turn: "Owner",
      price: 1200,
    });
  });

  test("fixes the currency of its freight until it is withdrawn", async () => {
    const body = freight();
    const { freightId } = await createFreight(ask, body);
    const one = await createOffer(ask, freightId);
    const inZloty = { ...body, payment: { from: 4300, currency: "PLN" } };
    expect(await put(ask, freightId, inZloty)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/payment/currency", code: "currency_mismatch" }] },
    });
    await withdrawOffer(ask, one);
    expect((await put(ask, freightId, inZloty)).status).toBe(200);
  });

  test("above the highest price is marked with aboveBudget, and one at that price is not", async () => {
    const { freightId } = await createFreight(ask, { payment: growing() });
    expect((await createOffer(ask, freightId, { price: 1300 })).aboveBudget).toBeUndefined();
    const dear = await createOffer(ask, freightId, { price: 1300.01 });
    expect(dear.aboveBudget).toBe(true);
    const body = freight({ payment: { ...growing(), growTo: 1400 } });
    await put(ask, freightId, body);
    expect((await readOffer(ask, dear)).body.aboveBudget).toBeUndefined();
  });

  test("is not changed with another version in If-Match", async () => {
    const one = await dealt();
    const { headers } = await readOffer(ask, one);
    const path = `/api/v1/freights/${one.freightId}/offers/${one.offerId}`;
    const ifMatch = (etag: string) => ask("PUT", path, { json: { action: "Decline" }, headers: { "if-match": etag } });
    expect((await ifMatch('"77"')).status).toBe(412);
    expect((await ifMatch(headers.get("etag")!)).status).toBe(200);
  });

  test("emits an event with its type, status and previous status for each change", async () => {
    await receiver.listen(ask);
    const { freightId } = await createFreight(ask);
    const [one, other] = [await createOffer(ask, freightId), await createOffer(ask, freightId)];
    await changeOffer(ask, one, "Counter", { price: 1000 });
    await changeOffer(ask, one, "Accept");
    await vi.waitFor(() => expect(receiver.of(freightId).at(-1)?.eventType).toBe("FreightBooked"), { timeout: 50_000 });
    const heard = receiver
      .of(freightId)
      .map((event) => [event.eventType, event.offerId, event.previousStatus, event.status]);
    expect(heard).toEqual([
      ["FreightPublished", undefined, undefined, "Published"],
      ["OfferSubmitted", one.offerId, undefined, "Submitted"],
      ["OfferSubmitted", other.offerId, undefined, "Submitted"],
      ["OfferCountered", one.offerId, "Submitted", "Countered"],
      ["OfferAccepted", one.offerId, "Countered", "Accepted"],
      ["OfferDeclined", other.offerId, "Submitted", "Declined"],
      ["FreightBooked", undefined, "Published", "Booked"],
    ]);
  });
});

describe("refused requests", () => {
  test.each([
    ["another currency", { currency: "PLN" }, "/currency currency_mismatch"],
    ["no price", { price: undefined }, "/price required"],
    ["a price of zero", { price: 0 }, "/price too_small"],
    ["a price with half a cent", { price: 10.005 }, "/price too_many_decimals"],
    ["a carrier without an email address", { carrier: { name: "Carrier" } }, "/carrier/email required"],
    ["an expiry in the past", { validUntil: "2026-01-01T10:00:00Z" }, "/validUntil in_the_past"],
  ])("an offer with %s is refused", async (_, more, fault) => {
    const { freightId } = await createFreight(ask);
    expect(refusal(await offer(ask, freightId, more))).toEqual({
      status: 400,
      code: "validation_failed",
      errors: [fault],
    });
  });

  test("a counter-offer with the current price, or without a price, is refused", async () => {
    const one = await dealt();
    const wrong = { status: 400, code: "validation_failed" };
    expect(refusal(await changeOffer(ask, one, "Counter", { price: 1150 }))).toEqual({
      ...wrong,
      errors: ["/price same_price"],
    });
    expect(refusal(await changeOffer(ask, one, "Counter"))).toEqual({ ...wrong, errors: ["/price required"] });
  });

  test("an offer for a draft, a withdrawn or a booked freight is refused", async () => {
    const { freightId: draft } = await createFreight(ask, { sources: [] });
    expect((await offer(ask, draft)).body).toMatchObject({ errorCode: "invalid_state", currentStatus: "Draft" });
    const { freightId: gone } = await createFreight(ask);
    await withdraw(ask, gone);
    expect((await offer(ask, gone)).body).toMatchObject({ errorCode: "invalid_state", currentStatus: "Withdrawn" });
    const one = await dealt();
    const { carrierOrderId } = (await changeOffer(ask, one, "Accept")).body;
    expect((await offer(ask, one.freightId)).body).toMatchObject({
      errorCode: "freight_already_booked",
      offerId: one.offerId,
      carrierOrderId,
    });
  });

  test("any other input is refused without an internal error", async () => {
    const one = await dealt();
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom("", "Accept", 1e300, -0, "\u0000", "2026-13-45", [], {}));
    const some = (names: string[]) => fc.record(Object.fromEntries(names.map((name) => [name, anything])));
    const bodies = {
      offer: some(["price", "currency", "carrier", "vehicle", "comments", "validUntil"]),
      answer: some(["action", "price", "reason", "comment", "validUntil"]),
      share: some(["recipients", "tiers", "message", "hidePrice"]),
    };
    const path = `/api/v1/freights/${one.freightId}/offers/${one.offerId}`;
    for (const kind of ["offer", "answer", "share"] as const)
      for (const said of fc.sample(bodies[kind], { seed: 7, numRuns: 60 })) {
        const { freightId } = one;
        const send = {
          offer: () => ask("POST", "/api/v1/freights/offers", { json: { ...said, freightId } }),
          answer: () => ask("PUT", path, { json: { ...said, action: "Counter" } }),
          share: () => ask("POST", "/api/v1/freights/share", { json: { ...said, freightIds: [freightId] } }),
        }[kind];
        const { status } = await send();
        expect(status, JSON.stringify(said)).toBe(400);
      }
    expect((await readOffer(ask, one)).body).toEqual(one);
  });

  test("offers of another company and unknown offers are not found", async () => {
    const one = await dealt();
    const stranger = apiClient(service, service.company().key);
    expect((await offer(stranger, one.freightId)).status).toBe(404);
    expect((await readOffer(stranger, one)).status).toBe(404);
    expect((await changeOffer(stranger, one, "Accept")).status).toBe(404);
    expect((await withdrawOffer(stranger, one)).status).toBe(404);
    expect((await stranger("GET", `/api/v1/freights/offers?freightId=${one.freightId}`)).status).toBe(404);
    expect((await readOffer(ask, { ...one, offerId: one.freightId })).status).toBe(404);
  });
});

describe("offers of an archived freight", () => {
  test("are declined when it is withdrawn", async () => {
    const one = await dealt();
    await withdraw(ask, one.freightId);
    expect((await readOffer(ask, one)).body).toMatchObject({ status: "Declined", reason: "FreightWithdrawn" });
  });

  test("include the accepted one, from which the order of its carrier is created", async () => {
    const { freightId, externalNumber } = await createFreight(ask, { metadata: { internalId: "TMS-4711" } });
    const own = { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" };
    const vehicle = { licensePlates: ["1BX 4821"] };
    const one = await createOffer(ask, freightId, { carrier: own, vehicle, comments: "Free from ten." });
    const { carrierOrderId } = (await changeOffer(ask, one, "Accept")).body;
    const order = await readOrder(ask, carrierOrderId!);
    expect(order.data).toMatchObject({
      orderNumber: externalNumber,
      licensePlates: ["1BX4821"],
      carrier: { name: own.name, vatCode: own.vatCode, contactPerson: { email: own.email } },
    });
    expect(order.data.locations).toMatchObject(
      stops().map(({ sequence, type, address: { city } }) => ({ sequence, type, city })),
    );
    expect(order.metadata).toEqual({ internalId: "TMS-4711", freightId, offerId: one.offerId });
    expect(order.carrierOrder).toMatchObject({ status: "AwaitingDocuments", requiredDocumentTypes: "cmr" });
    expect(order.carrierOrder.internalComments).toBe(
      `Agreed: 1150.00 EUR, paid within 30 days. Freight ${freightId}, offer ${one.offerId}.\nThe carrier said: Free from ten.`,
    );
  });

  test("give a valid order, however long the texts of the freight are", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 49 }, (_, number) => [`key-${number}`, "x"]));
    const more = { internalComments: "😀".repeat(5000), metadata: { ...metadata, freightId: "ours" } };
    const { freightId } = await createFreight(ask, more);
    const one = await createOffer(ask, freightId);
    const { carrierOrderId } = (await changeOffer(ask, one, "Accept")).body;
    const order = await readOrder(ask, carrierOrderId!);
    expect(order.metadata).toMatchObject({ freightId, offerId: one.offerId, "key-0": "x" });
    expect(order.carrierOrder.internalComments).toMatch(/^Agreed: .*\n(?:😀)+$/u);
  });

  test("give an order number with the freight's id if the external number belongs to another order", async () => {
    const { orderId, data } = await orderPosted(ask);
    const { freightId } = await createFreight(ask, { externalNumber: data.orderNumber });
    const { carrierOrderId } = (await changeOffer(ask, await createOffer(ask, freightId), "Accept")).body;
    expect(carrierOrderId).not.toBe(orderId);
    const { orderNumber } = (await readOrder(ask, carrierOrderId!)).data;
    expect(orderNumber).toBe(`${data.orderNumber} (freight ${freightId.slice(-12).toUpperCase()})`);
    expect((await readOrder(ask, orderId)).data.orderNumber).toBe(data.orderNumber);
  });

  test("give an order number derived from the freight's id if it has no external number", async () => {
    const { freightId } = await createFreight(ask, { externalNumber: undefined });
    const { carrierOrderId } = (await changeOffer(ask, await createOffer(ask, freightId), "Accept")).body;
    const { orderNumber } = (await readOrder(ask, carrierOrderId!)).data;
    expect(orderNumber).toBe(`F-${freightId.slice(-12).toUpperCase()}`);
  });
});

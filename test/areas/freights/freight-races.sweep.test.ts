import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { readOrder } from "../../support/carriers.ts";
import {
  changeOffer,
  eventReceiver,
  offer,
  createOffer,
  readOffer,
  withdrawOffer,
  type ReceivedEvent,
  type OfferReply,
} from "../../support/offers.ts";
import { createFreight, readArchived, withdraw } from "../../support/freights.ts";
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

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const counted = (answers: OfferReply[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => `${status} ${body.errorCode ?? ""}`.trim())].map(([code, all]) => [
      code,
      all.length,
    ]),
  );

const namesOf = (heard: ReceivedEvent[]) =>
  Object.fromEntries([...Map.groupBy(heard, ({ eventType }) => eventType)].map(([name, all]) => [name, all.length]));

const ordersNamed = async (number: string) => {
  const { body } = await ask<{ items: { orderId: string }[] }>("POST", "/api/v1/orders/query", {
    json: { orderNumber: number },
  });
  return body.items;
};

test("two hundred offers accepted concurrently: one booking, one order, one event for each other carrier", async () => {
  await receiver.listen(ask);
  const { freightId, externalNumber } = await createFreight(ask);
  const offers = await Promise.all(times(200, (index) => createOffer(ask, freightId, { price: 1000 + index })));
  const answers = await Promise.all(offers.map((one) => changeOffer(ask, one, "Accept")));
  expect(counted(answers)).toEqual({ 200: 1, "409 freight_already_booked": 199 });

  const won = answers.find(({ status }) => status === 200)!.body;
  expect(won).toMatchObject({ status: "Accepted", carrierOrderId: expect.any(String) });
  const { offers: all, ...freight } = await readArchived(ask, freightId);
  expect(freight).toMatchObject({
    status: "Booked",
    archiveReason: "Booked",
    booking: { offerId: won.offerId, price: won.price, currency: "EUR", carrierOrderId: won.carrierOrderId },
    winner: { offerId: won.offerId, carrier: won.carrier },
  });
  const others = all.filter(({ offerId }) => offerId !== won.offerId);
  expect(new Set(others.map(({ status, reason }) => `${status} ${reason}`))).toEqual(
    new Set(["Declined OtherOfferAccepted"]),
  );
  expect(others).toHaveLength(199);

  const order = await readOrder(ask, won.carrierOrderId!);
  expect(order.data).toMatchObject({ orderNumber: externalNumber, carrier: { name: won.carrier.name } });
  await vi.waitFor(async () => expect(await ordersNamed(externalNumber!)).toHaveLength(1), { timeout: 50_000 });

  await vi.waitFor(() => expect(receiver.of(freightId).at(-1)?.eventType).toBe("FreightBooked"), { timeout: 50_000 });
  const heard = receiver.of(freightId);
  expect(namesOf(heard)).toEqual({
    FreightPublished: 1,
    OfferSubmitted: 200,
    OfferAccepted: 1,
    OfferDeclined: 199,
    FreightBooked: 1,
  });
  const declined = heard.filter(({ eventType }) => eventType === "OfferDeclined").map(({ offerId }) => offerId);
  expect(new Set(declined)).toEqual(new Set(others.map(({ offerId }) => offerId)));
  await vi.waitFor(() => expect(namesOf(receiver.of(won.carrierOrderId!))).toEqual({ CarrierOrderCreated: 1 }), {
    timeout: 50_000,
  });
});

test("an offer accepted twice concurrently is accepted once", async () => {
  await Promise.all(
    times(20, async () => {
      const { freightId } = await createFreight(ask);
      const one = await createOffer(ask, freightId);
      const answers = await Promise.all([changeOffer(ask, one, "Accept"), changeOffer(ask, one, "Accept")]);
      expect(counted(answers)).toEqual({ 200: 1, "409 freight_already_booked": 1 });
      const [good, late] = answers.toSorted((a, b) => a.status - b.status) as [OfferReply, OfferReply];
      expect(late.body).toMatchObject({ offerId: one.offerId, carrierOrderId: good.body.carrierOrderId });
    }),
  );
});

test("an offer that is accepted while its carrier withdraws it is either accepted or withdrawn", async () => {
  await Promise.all(
    times(20, async () => {
      const { freightId } = await createFreight(ask);
      const one = await createOffer(ask, freightId);
      const [accepted, withdrawn] = await Promise.all([changeOffer(ask, one, "Accept"), withdrawOffer(ask, one)]);
      const { status } = (await readOffer(ask, one)).body;
      expect([accepted.status, withdrawn.status, status]).toEqual(
        accepted.status === 200 ? [200, 409, "Accepted"] : [409, 204, "Withdrawn"],
      );
    }),
  );
});

test("a freight that is withdrawn while one offer is accepted and another is made is either withdrawn or booked", async () => {
  await Promise.all(
    times(20, async () => {
      const { freightId } = await createFreight(ask);
      const one = await createOffer(ask, freightId);
      const [accepted, gone, late] = await Promise.all([
        changeOffer(ask, one, "Accept"),
        withdraw(ask, freightId),
        offer(ask, freightId),
      ]);
      expect(gone.status).toBe(204);
      const { status, offers, booking } = await readArchived(ask, freightId);
      expect(status).toBe(accepted.status === 200 ? "Booked" : "Withdrawn");
      expect(booking?.offerId).toBe(accepted.status === 200 ? one.offerId : undefined);
      expect(offers).toHaveLength(late.status === 201 ? 2 : 1);
      expect(offers.filter((any) => any.turn !== undefined)).toEqual([]);
    }),
  );
});

test("a carrier that offers twenty times concurrently has one offer", async () => {
  const { freightId } = await createFreight(ask);
  const carrier = { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" };
  const answers = await Promise.all(times(20, () => offer(ask, freightId, { carrier })));
  expect(counted(answers)).toEqual({ 201: 1, "409 duplicate_offer": 19 });
});

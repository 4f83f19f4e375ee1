import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createOffer } from "../../support/offers.ts";
import {
  inFuture,
  freight,
  hour,
  minute,
  createFreight,
  put,
  read,
  readArchived,
  stops,
  withdraw,
} from "../../support/freights.ts";
import { answerOffer, carrier, offerOf, seenOn, shareFreight, shareWith, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

// Offers of guests that become outdated, are closed, repeated or contain unusual values.

let service: TestService;
let ask: ApiClient;
let guest: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  service = await openService();
  guest = visitorOf(service);
});

beforeEach(() => {
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const offer = { action: "Offer", price: "1200", name: carrier.name };

const page = async (path: string) => (await guest.visit(path)).body;

describe("an outdated offer", () => {
  /** Sends a guest's offer with this expiry, and changes the freight, so that the offer is outdated. */
  async function outdated(validUntil: string) {
    const { path, freightId } = await shareFreight(ask);
    expect((await guest.send(path, { ...offer, validUntil })).status).toBe(303);
    await put(ask, freightId, freight({ requirements: { trailerTypes: [2] } }));
    return { path, freightId };
  }
  const day = stops()[0]!.period.startDate.slice(0, 10);

  test("can be confirmed with another expiry", async () => {
    const { path, freightId } = await outdated(`${day}T07:00`);
    const body = await page(path);
    expect(body).toMatch(new RegExp(`id="confirm".*name="validUntil"[^>]*`, "s"));
    expect(body).toContain(`value="${day}T07:00"`);
    await guest.send(path, { action: "Confirm", validUntil: `${day}T07:30`, seen: seenOn(body) });
    const { status, validUntil } = (await offerOf(ask, freightId)) as { status: string; validUntil?: string };
    expect({ status, validUntil }).toEqual({
      status: "Submitted",
      validUntil: new Date(`${day}T07:30+01:00`).toISOString(),
    });
  });

  test("that is confirmed with an expiry in the past shows the error at its field", async () => {
    const { path } = await outdated(`${day}T07:00`);
    const late = { action: "Confirm", validUntil: "2020-01-01T08:00", seen: seenOn(await page(path)) };
    const { status, body } = await guest.send(path, late);
    expect(status).toBe(400);
    expect(/id="confirm-validUntil-error">.*?<\/svg\s*>([^<]+)/s.exec(body)?.[1]).toContain("a time in the future");
  });
});

describe("the vehicle of an offer", () => {
  test.each([
    ["1BX 4821", { licensePlates: ["1BX4821"] }],
    ["wa-12345 / W 5678Z; 4 ABC-12", { licensePlates: ["WA12345", "W5678Z", "4ABC12"] }],
    ["Mega trailer", { description: "Mega trailer" }],
    ["1BX 4821, 13.6 m curtainsider", { description: "1BX 4821, 13.6 m curtainsider" }],
  ])("is parsed from %s", async (vehicle, expected) => {
    const { path, freightId } = await shareFreight(ask);
    await guest.send(path, { ...offer, vehicle });
    expect(await offerOf(ask, freightId)).toMatchObject({ vehicle: expected });
  });

  test("passes its plates to the resulting order", async () => {
    const { path, freightId } = await shareFreight(ask);
    await guest.send(path, { ...offer, vehicle: "1BX 4821, 2BK 9034" });
    await answerOffer(ask, freightId, { action: "Accept" });
    const { booking } = await readArchived(ask, freightId);
    const order = await ask<{ data: unknown }>("GET", `/api/v1/orders/${booking!.carrierOrderId}`);
    expect(order.body.data).toMatchObject({ licensePlates: ["1BX4821", "2BK9034"] });
  });
});

describe("a closed offer shows its carrier the reason", () => {
  test.each<[string, string, (freightId: string) => Promise<unknown>]>([
    ["the freight was withdrawn", "The freight was withdrawn.", (freightId) => withdraw(ask, freightId)],
    [
      "another offer was accepted",
      "Another offer was accepted.",
      async (freightId) => {
        const { offerId } = await createOffer(ask, freightId);
        await ask("PUT", `/api/v1/freights/${freightId}/offers/${offerId}`, { json: { action: "Accept" } });
      },
    ],
    [
      "the offer was declined before the freight was withdrawn",
      "Reason: Too dear",
      async (freightId) => {
        await answerOffer(ask, freightId, { action: "Decline", reason: "Too dear" });
        await withdraw(ask, freightId);
      },
    ],
  ])("%s", async (_, sentence, happen) => {
    const { path, freightId } = await shareFreight(ask);
    await guest.send(path, offer);
    await happen(freightId);
    const { status, body } = await guest.visit(path);
    expect(status).toBe(410);
    expect(body).toContain(sentence);
  });

  test("the offer was accepted", async () => {
    const { path, freightId } = await shareFreight(ask);
    await guest.send(path, offer);
    await answerOffer(ask, freightId, { action: "Accept", reason: "Best service" });
    expect(await page(path)).toContain("Reason: Best service");
  });
});

describe("a guest's update", () => {
  test("with identical values changes nothing", async () => {
    const { path, freightId } = await shareFreight(ask);
    await guest.send(path, offer);
    const before = await offerOf(ask, freightId);
    const seen = seenOn(await page(path));
    for (let time = 1; time <= 3; time++)
      expect((await guest.send(path, { action: "Update", price: "1200", seen })).status).toBe(303);
    expect(await offerOf(ask, freightId)).toEqual(before);
    expect((await guest.send(path, { action: "Update", price: "1190", seen })).status).toBe(303);
    expect(await offerOf(ask, freightId)).toMatchObject({ price: 1190, rounds: [{ price: 1190 }] });
  });
});

describe("the VAT code of another carrier", () => {
  test("reveals nothing to a guest, and blocks no other carrier", async () => {
    const { freightId } = await createFreight(ask);
    const vatCode = "CZ12345679";
    const [one, other] = [
      await shareWith(ask, freightId, { email: "one@carrier.example" }),
      await shareWith(ask, freightId, { email: "other@carrier.example" }),
    ];
    const keyed = { name: "Entered", email: "entered@carrier.example", vatCode };
    for (const { path } of [one, other]) {
      expect((await guest.send(path, { ...offer, vatCode })).status).toBe(303);
      expect((await guest.send(path, { ...offer, vatCode })).status).toBe(409);
    }
    await createOffer(ask, freightId, { carrier: keyed });
    const twice = await ask("POST", "/api/v1/freights/offers", {
      json: { freightId, price: 900, carrier: { ...keyed, email: "again@carrier.example" } },
    });
    expect(twice).toMatchObject({ status: 409, body: { errorCode: "duplicate_offer" } });
    expect((await read(ask, freightId)).body.offers.open).toBe(3);
  });
});

describe("the page", () => {
  test("shows an end without a time as the end of that day", async () => {
    const [first, last] = stops();
    const day = first!.period.startDate.slice(0, 10);
    const next = new Date(Date.parse(day) + 24 * hour).toISOString().slice(0, 10);
    const until = async (endDate: string) => {
      const locations = [{ ...first, period: { startDate: `${day}T08:00`, endDate } }, last];
      const body = await page((await shareFreight(ask, { locations })).path);
      return /class="times">([^<]+)/.exec(body)![1]!.replace(/\s/gu, " ").trim();
    };
    expect(await until(day)).toMatch(/08:00.*23:59$/);
    expect(await until(next)).toMatch(/08:00.*23:59$/);
  });

  test("shows the cents of a price in a currency without cents", async () => {
    const { path, freightId } = await shareFreight(ask, { payment: { from: 1000, currency: "ISK" } });
    await guest.send(path, offer);
    await answerOffer(ask, freightId, { action: "Counter", price: 1000.5 });
    const body = (await page(path)).replace(/\s/gu, " ");
    expect(body).toContain("Accept ISK 1,000.50");
    expect(body).toContain("ISK 1,200<");
  });
});

test("the form leaves an expiry in the past empty", async () => {
  const validUntil = inFuture(6000);
  const { path, freightId } = await shareFreight(ask);
  const { email } = carrier;
  await ask("POST", "/api/v1/freights/offers", {
    json: { freightId, price: 1000, validUntil, carrier: { name: "Own", email } },
  });
  await put(ask, freightId, freight({ requirements: { trailerTypes: [2] } }));
  await expect
    .poll(async () => /id="confirm-validUntil"/.test(await page(path)) && !(await page(path)).includes('value="20'), {
      timeout: minute,
    })
    .toBe(true);
});

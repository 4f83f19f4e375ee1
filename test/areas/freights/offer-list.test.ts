import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { changeOffer, carrier, createOffer, readOffer, type OfferAnswer } from "../../support/offers.ts";
import { createFreight } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
});

beforeEach(() => {
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

interface Page {
  items: OfferAnswer[];
  nextCursor?: string;
}

const list = async (query: string) => (await ask<Page>("GET", `/api/v1/freights/offers?${query}`)).body;

describe("the offer list", () => {
  test("of one freight is current, filtered, sorted and paged", async () => {
    const { freightId } = await createFreight(ask);
    const [first, second, third] = [
      await createOffer(ask, freightId),
      await createOffer(ask, freightId),
      await createOffer(ask, freightId, { carrier: { ...carrier(), name: "Przewozy Przykład" } }),
    ];
    await changeOffer(ask, second, "Counter", { price: 900 });
    const ids = async (query: string) =>
      (await list(`freightId=${freightId}&${query}`)).items.map(({ offerId }) => offerId);
    expect(await ids("")).toEqual([third.offerId, second.offerId, first.offerId]);
    expect(await ids("sort=createdAt")).toEqual([first.offerId, second.offerId, third.offerId]);
    expect(await ids("sort=-updatedAt")).toEqual([second.offerId, third.offerId, first.offerId]);
    expect(await ids("status=countered")).toEqual([second.offerId]);
    expect(await ids("turn=Owner")).toEqual([third.offerId, first.offerId]);
    for (const text of ["przewozy", "przyklad", "PRZEW"]) expect(await ids(`text=${text}`)).toEqual([third.offerId]);
    expect(await ids("text=wozy")).toEqual([]);
    const page = await list(`freightId=${freightId}&limit=2`);
    expect(page.items.map(({ offerId }) => offerId)).toEqual([third.offerId, second.offerId]);
    await createOffer(ask, freightId);
    const rest = await list(`freightId=${freightId}&limit=2&cursor=${page.nextCursor}`);
    expect(rest.items.map(({ offerId }) => offerId)).toEqual([first.offerId]);
    expect(rest.nextCursor).toBeUndefined();
    const wrong = await ask(
      "GET",
      `/api/v1/freights/offers?freightId=${freightId}&cursor=${page.nextCursor}&sort=createdAt`,
    );
    expect(wrong).toMatchObject({ status: 400, body: { errorCode: "invalid_cursor" } });
  });

  test("of all freights follows changes of the offers", async () => {
    const [one, other] = [
      await createOffer(ask, (await createFreight(ask)).freightId),
      await createOffer(ask, (await createFreight(ask)).freightId),
    ];
    const found = async (query: string) =>
      (await list(query)).items.map(({ offerId, status }) => ({ offerId, status }));
    const waiting = { timeout: 50_000 };
    await vi.waitFor(
      async () =>
        expect(await found("status=Submitted&turn=Owner")).toEqual([
          { offerId: other.offerId, status: "Submitted" },
          { offerId: one.offerId, status: "Submitted" },
        ]),
      waiting,
    );
    await changeOffer(ask, one, "Counter", { price: 900 });
    await vi.waitFor(
      async () => expect(await found("turn=Carrier")).toEqual([{ offerId: one.offerId, status: "Countered" }]),
      waiting,
    );
    await changeOffer(ask, one, "Accept");
    await vi.waitFor(
      async () => expect(await found("status=Accepted")).toEqual([{ offerId: one.offerId, status: "Accepted" }]),
      waiting,
    );
    expect(await found("turn=Owner")).toEqual([{ offerId: other.offerId, status: "Submitted" }]);
    expect((await list("status=Accepted")).items).toEqual([(await readOffer(ask, one)).body]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { orderText } from "../../support/papers/order.ts";
import { waitUntilListed, postText, type Row } from "../../support/orders.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("the order list", () => {
  let ask: ApiClient;
  const ids: string[] = [];

  beforeAll(async () => {
    ask = anyone();
    for (const number of ["OR-2026-0060", "OR-2026-0061", "OR-2026-0062"]) {
      ids.push((await postText(ask, orderText(number))).body.orderId);
    }
    ids.push((await postText(ask, "Nothing to carry.")).body.orderId);
    await waitUntilListed(ask, 4);
  });

  const found = async (query: string) =>
    (await ask<{ items: Row[] }>("GET", `/api/v1/orders?${query}`)).body.items.map(({ orderId }) =>
      ids.indexOf(orderId),
    );

  test.each<[string, number[]]>([
    ["", [3, 2, 1, 0]],
    ["sort=createdAt", [0, 1, 2, 3]],
    ["sort=-orderNumber", [2, 1, 0, 3]],
    ["status=Failed", [3]],
    ["status=succeeded", [2, 1, 0]],
    ["orderNumber=OR-2026-0061", [1]],
    ["orderNumber=or 2026 0061", [1]],
    ["orderNumber=OR-2026-006", []],
    ["customerVatCode=DE123456788", [2, 1, 0]],
    ["customerVatCode=CZ12345679", []],
    ["licensePlate=1bx-4821", [2, 1, 0]],
    ["loadingCountry=DE&unloadingCountry=PL", [2, 1, 0]],
    ["loadingCountry=d&unloadingCountry=POL", [2, 1, 0]],
    ["loadingCountry=PL", []],
    ["text=drukarnia wroc", [2, 1, 0]],
    ['text=" OR 1 NEAR(*) -', []],
    ['text="(*) - ^', [3, 2, 1, 0]],
    ["createdFrom=2020-01-01&createdTo=2020-12-31", []],
    ["createdFrom=2020-01-01", [3, 2, 1, 0]],
    [`loadingFrom=${new Date().getFullYear()}-11-24&loadingTo=${new Date().getFullYear()}-11-24`, [2, 1, 0]],
    [`loadingTo=${new Date().getFullYear()}-11-23`, []],
    ["updatedSince=2999-01-01", []],
  ])('has the expected orders for the query "%s"', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test("has stable pages while orders are added", async () => {
    const own = anyone();
    const first = [];
    for (let i = 0; i < 5; i++) first.push((await postText(own, `Nothing to carry, ${i}.`)).body.orderId);
    await waitUntilListed(own, 5);
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const path: string = `/api/v1/orders?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await own<{ items: Row[]; nextCursor?: string }>("GET", path);
      seen.push(...body.items.map(({ orderId }) => orderId));
      cursor = body.nextCursor;
      await postText(own, `Nothing to carry in between, ${seen.length}.`);
    }
    expect(seen).toEqual(first.toReversed());
  });

  test("contains no orders of another company", async () => {
    expect((await anyone()("GET", "/api/v1/orders")).body).toEqual({ items: [] });
    expect((await anyone()("GET", "/api/v1/orders?text=drukarnia")).body).toEqual({ items: [] });
  });
});

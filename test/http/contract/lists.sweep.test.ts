import { Response as Answer } from "miniflare";
import * as z from "zod";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { apiClient } from "../../support/api-client.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, type ErrorBody } from "./conform.ts";
import { createCompany, operatorKey, type TestCompany } from "./company.ts";
import { listItems, type ListItems } from "./list-items.ts";
import { fillPath, send, createPathParameters } from "./requests.ts";

// Every operation that returns a list has the same paging: it accepts `limit` and `cursor`, and returns `items` and
// `nextCursor`. Lists of records that change also accept `sort` and `updatedSince`.

let service: TestService;
let stranger: TestCompany;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  stranger = await createCompany(service);
});

afterAll(() => service.stop());

const soon = { timeout: 30_000, interval: 200 };

interface Page extends Record<string, unknown> {
  items: Record<string, unknown>[];
  nextCursor?: string;
}
type Parameters = Record<string, string | number>;

/** Lists that are the same for everyone and change only with a release. They have pages, but no `sort`. */
const catalogues = ["mappings.list", "webhooks.eventTypes"];

const lists = operations.filter(
  ({ operation: { method, isReadOnly, ok, summary } }) =>
    (method === "GET" || isReadOnly) && (summary.startsWith("List ") || ok.shape?.items instanceof z.ZodArray),
);
const shapeOf = ({ operation: { query, body } }: NamedOperation): Record<string, z.ZodType> =>
  (query ?? body)?.shape ?? {};

/** Returns the aliases of a field. */
const aliasesOf = (shape: Record<string, z.ZodType>, name: string): string[] =>
  Object.keys(shape).filter((alias) => shape[alias]!.meta()?.["x-alias-of"] === name);

/** Returns all values that `sort` may have. */
function ordersOf(named: NamedOperation): string[] {
  const { sort } = shapeOf(named);
  const schema = sort && (z.toJSONSchema(sort, { io: "output" }) as { enum?: string[]; anyOf?: { enum?: string[] }[] });
  return schema?.enum ?? schema?.anyOf?.flatMap(({ enum: values = [] }) => values) ?? [];
}

describe.each(lists)("$id", (named) => {
  const { operation, id } = named;
  const isCatalogue = catalogues.includes(id);
  const orders = ordersOf(named);
  let seed: ListItems;
  let owner: TestCompany;
  let path: string;

  const asked = async (parameters: Parameters, by = owner) => {
    const all = { ...parameters, ...seed.where };
    const headers = { authorization: `Bearer ${operation.access === "operator" ? operatorKey : by.key}` };
    const query = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, `${value}`])).toString();
    const request =
      operation.method === "GET"
        ? { method: "GET", path: `${path}?${query}`, headers }
        : {
            method: "POST",
            path,
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(all),
          };
    return expectConforming(named, await send(service, request));
  };
  const page = async (parameters: Parameters) => {
    const { status, body } = await asked(parameters);
    expect(status, JSON.stringify(body)).toBe(200);
    return body as Page;
  };
  const idsOf = ({ items }: Page) => items.map((item) => item[seed.idField]);
  const idsIn = async (parameters: Parameters) => idsOf(await page({ limit: 200, ...parameters }));

  /** Reads all ids page by page. @param between is called after each page except the last */
  async function walked(parameters: Parameters, name = "cursor", between?: () => Promise<unknown>): Promise<unknown[]> {
    const ids: unknown[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      expect(pages, "pages without end").toBeLessThan(200);
      const found: Page = await page({ ...parameters, limit: 2, ...(cursor !== undefined && { [name]: cursor }) });
      expect(found.items.length).toBeGreaterThan(0);
      for (const alias of aliasesOf(operation.ok.shape, "nextCursor")) expect(found[alias]).toBe(found.nextCursor);
      ids.push(...idsOf(found));
      cursor = found.nextCursor;
      if (cursor !== undefined) await between?.();
    }
    return ids;
  }

  beforeAll(async () => {
    if (!listItems[id])
      throw new Error(`Say in test/http/contract/list-items.ts how one more comes into the list ${id}.`);
    seed = listItems[id];
    owner = await createCompany(service);
    path = fillPath(operation.path, await (seed.things ?? createPathParameters.bind(undefined, named))(service, owner));
    if (!seed.add) return;
    const before = await page({ limit: 200 }).then(({ items }) => items.length);
    await Promise.all(Array.from({ length: 5 }, () => seed.add!(service, owner)));
    await vi.waitUntil(async () => (await idsIn({})).length === before + 5, { timeout: 50_000, interval: 100 });
  });

  test("has the parameters and the response of every list", () => {
    const shape = Object.keys(shapeOf(named));
    expect(shape).toEqual(
      expect.arrayContaining(["limit", "cursor", ...(isCatalogue ? [] : ["sort", "updatedSince"])]),
    );
    expect(Object.keys(operation.ok.shape)).toEqual(expect.arrayContaining(["items", "nextCursor"]));
  });

  test.each(orders.length > 0 ? orders : [undefined])(
    "sorted by %s returns every item once, in order",
    async (sort) => {
      const parameters: Parameters = sort === undefined ? {} : { sort };
      // Items that are still being extracted may change their position.
      await vi.waitFor(async () => {
        const all = await idsIn(parameters);
        expect(all.length).toBeGreaterThan(2);
        expect(new Set(all).size).toBe(all.length);
        expect(await walked(parameters)).toEqual(all);
        if (sort === undefined) return;
        const reverse = sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
        expect((await idsIn({ sort: reverse })).toReversed()).toEqual(all);
      }, soon);
    },
  );

  test.each(aliasesOf(shapeOf(named), "cursor"))("accepts the alias %s for the cursor", async (alias) => {
    expect(await walked({}, alias)).toEqual(await idsIn({}));
    const { nextCursor = "" } = await page({ limit: 2 });
    expect((await asked({ limit: 2, cursor: nextCursor, [alias]: nextCursor })).status).toBe(200);
    const both = await asked({ limit: 2, cursor: nextCursor, [alias]: "another" });
    expect((both.body as ErrorBody).errors).toMatchObject([{ field: "cursor" }]);
  });

  test.each(["cursor", ...aliasesOf(shapeOf(named), "cursor")])("refuses a foreign %s and names it", async (name) => {
    for (const cursor of ["", "nonsense", "WyItY3JlYXRlZEF0Il0", "[]", "é", "MQ"]) {
      const { status, body } = await asked({ [name]: cursor });
      expect([status, (body as ErrorBody).errorCode], cursor).toEqual([400, "invalid_cursor"]);
      expect((body as ErrorBody).errors).toMatchObject([{ field: name }]);
    }
  });

  test("returns cursors that other lists refuse", async () => {
    const { nextCursor: cursor = "" } = await page({ limit: 2 });
    const ask = apiClient(service, owner.key);
    for (const [other, otherPath] of [
      ["audit.list", "/api/v1/audit"],
      ["keys.list", "/api/v1/keys"],
    ] as const) {
      if (other === id) continue;
      for (const sort of orders.length > 0 ? ["createdAt", "-createdAt"] : [""]) {
        const sorted = new URLSearchParams({ cursor, ...(sort && { sort }) });
        const { status, body } = await ask<ErrorBody>("GET", `${otherPath}?${sorted.toString()}`);
        expect([status, body.errorCode]).toEqual([400, "invalid_cursor"]);
      }
    }
  });

  if (isCatalogue) return;

  test("returns the records that changed since a time", async () => {
    const all = await idsIn({});
    expect(await idsIn({ updatedSince: "2999-01-01" })).toEqual([]);
    expect(all).toEqual(expect.arrayContaining(await idsIn({ updatedSince: "2020-01-01" })));
    expect((await idsIn({ updatedSince: "2020-01-01" })).length).toBeGreaterThanOrEqual(5);
  });

  test("returns no records of another company with its cursor", async () => {
    const mine = await idsIn({});
    const { nextCursor = "" } = await page({ limit: 2 });
    if (operation.access === "operator") return;
    const { body } = await asked({ cursor: nextCursor }, stranger);
    const shown = (body as Page).items?.map((item) => item[seed.idField]) ?? [];
    expect(shown.filter((one) => mine.includes(one) && !seed.everyones?.includes(one))).toEqual([]);
  });

  test("returns each record once, although records are added between pages", async () => {
    const there = await idsIn({});
    let most = 2;
    const seen = await walked({}, "cursor", async () => most-- > 0 && seed.add!(service, owner));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((one) => there.includes(one))).toEqual(there);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillArchive } from "../../bench/archive-fill.ts";
import { archiveStatements } from "../../src/platform/archive/archive.ts";
import {
  archived,
  carrierOrderQueries,
  generated,
  matching,
  orderQueries,
  sorts,
  type ModelRow,
} from "../support/archive-model.ts";
import { apiClient, type ApiClient, type Reply } from "../support/api-client.ts";
import { openService, type TestService } from "../support/service.ts";

const companies = {
  generated: crypto.randomUUID(),
  many: crypto.randomUUID(),
  numbered: crypto.randomUUID(),
  growing: crypto.randomUUID(),
  tied: crypto.randomUUID(),
  renumbered: crypto.randomUUID(),
};
const seed = 20_261_121;
const rows = fc.sample(generated, { numRuns: 300, seed });
/** Many rows. The older half has one customer, the newer half has one country; the two rows in the middle have both. */
const many = Array.from({ length: 8000 }, (_, at): ModelRow => {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  return {
    kind: "Document",
    status: at === 3999 || at === 4000 ? "Failed" : "Succeeded",
    createdAt,
    updatedAt: createdAt,
    orderNumber: `BS-${at}`,
    loadingCountry: at >= 3999 ? "PL" : "DE",
    ...(at <= 4000 && { customerVatCode: "DE123456788", loadingDate: createdAt.slice(0, 19) }),
    words: [at <= 4000 ? "old" : "new", "every"],
  };
});
/**
 * Rows with only two customers and few numbers and days, some of which are missing, so that many rows compare equal.
 */
const tied = Array.from({ length: 1200 }, (_, at): ModelRow => {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 4) * 60_000).toISOString();
  return {
    kind: "Document",
    status: at % 9 === 0 ? "Partial" : "Succeeded",
    createdAt,
    updatedAt: createdAt,
    customerVatCode: at % 2 === 0 ? "DE123456788" : "CZ12345679",
    ...(at % 5 > 0 && { orderNumber: `BS-${(at * 7) % 11}` }),
    ...(at % 3 > 0 && { loadingDate: `2026-03-0${1 + ((at * 5) % 7)}T08:00:00` }),
    words: [],
  };
});

let state: string;
let service: TestService;
let ask: Record<keyof typeof companies, ApiClient>;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "lorry-"));
  await fillArchive(state, [
    ...rows.map((row, at) => archived(row, companies.generated, at)),
    ...many.map((row, at) => archived(row, companies.many, at)),
    ...tied.map((row, at) => archived(row, companies.tied, at)),
  ]);
  const keys = Object.fromEntries(Object.entries(companies).map(([name, id]) => [`key-${name}`, id]));
  service = await openService({ state, vars: { LOCAL_KEYS: JSON.stringify(keys) } });
  const as = (name: string) => apiClient(service, `key-${name}`);
  ask = {
    generated: as("generated"),
    many: as("many"),
    numbered: as("numbered"),
    growing: as("growing"),
    tied: as("tied"),
    renumbered: as("renumbered"),
  };
});

afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true });
});

interface Page {
  items: { at: number }[];
  nextCursor?: string;
  continuationToken?: string;
}

/** Reads the numbers of the rows on all pages of a list. */
async function listed(of: ApiClient, query: Record<string, string>): Promise<number[]> {
  const found: number[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const parameters = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const { status, body }: Reply<Page> = await of<Page>("GET", `/api/v1/orders?${parameters.toString()}`);
    expect(status).toBe(200);
    found.push(...body.items.map(({ at }) => at));
    cursor = body.nextCursor;
  }
  return found;
}

async function queried(of: ApiClient, json: object): Promise<number[]> {
  const found: number[] = [];
  for (let token: string | undefined = ""; token !== undefined;) {
    const sent: object = { ...json, ...(token && { continuationToken: token }) };
    const { status, body }: Reply<Page> = await of<Page>("POST", "/api/v1/orders/query", {
      json: sent,
    });
    expect(status).toBe(200);
    found.push(...body.items.map(({ at }) => at));
    token = body.continuationToken;
  }
  return found;
}

describe("any filters together, in any order and with any page size", () => {
  test("match a full scan", async () => {
    const property = fc.asyncProperty(
      orderQueries,
      fc.constantFrom(...sorts),
      fc.integer({ min: 1, max: 200 }),
      async (wanted, sort, limit) => {
        const found = await listed(ask.generated, { ...wanted, sort, limit: String(Math.max(limit, 20)) });
        expect(found).toEqual(matching(rows, wanted, sort));
      },
    );
    await fc.assert(property, { numRuns: 150, seed });
  });

  test("any of several values, in carrier orders", async () => {
    const property = fc.asyncProperty(carrierOrderQueries, async ({ sent, passes }) => {
      const carrierOrders = matching(rows, { kind: "Carrier" }, "-createdAt");
      expect(await queried(ask.generated, { ...sent, limit: 30 })).toEqual(
        carrierOrders.filter((at) => passes(rows[at]!)),
      );
    });
    await fc.assert(property, { numRuns: 60, seed });
  });

  test("page by page, with one row on each", async () => {
    const expected = matching(rows, { status: "Succeeded", loadingCountry: "PL" }, "-loadingDate");
    expect(expected.length).toBeGreaterThan(5);
    const query = { status: "Succeeded", loadingCountry: "PL", sort: "-loadingDate", limit: "1" };
    expect(await listed(ask.generated, query)).toEqual(expected);
  });
});

describe("a pattern of order numbers", () => {
  const numbers = ["A-1", "AB 26/0417", "x26.4", "26", "B2604171"];

  beforeAll(async () => {
    for (const [at, orderNumber] of numbers.entries()) await added(companies.numbered, at, orderNumber, at);
  });

  test.each<[string, string[]]>([
    ["A*", ["A-1", "AB 26/0417"]],
    ["a-b*", ["AB 26/0417"]],
    ["*26*4*", ["AB 26/0417", "x26.4", "B2604171"]],
    ["*26*4", ["x26.4"]],
    ["*417", ["AB 26/0417"]],
    ["*0417*", ["AB 26/0417", "B2604171"]],
    ["*1", ["A-1", "B2604171"]],
    ["26*", ["26"]],
    ["**26**", ["AB 26/0417", "x26.4", "26", "B2604171"]],
    ["26", ["26"]],
    ["*", numbers],
    ["*[0-9]?", []],
    ["%*", numbers],
    ["C*", []],
  ])("%s", async (orderNumber, expected) => {
    const found = await listed(ask.numbered, { orderNumber, sort: "createdAt" });
    expect(found.map((at) => numbers[at])).toEqual(expected);
  });

  test("that is too long for the database is refused", async () => {
    const { status, body } = await ask.numbered("GET", `/api/v1/orders?orderNumber=*${"A".repeat(60)}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errorCode: "validation_failed", errors: [{ field: "orderNumber" }] });
  });
});

describe("rows that are added between pages", () => {
  test.each(["createdAt", "-createdAt", "orderNumber", "-orderNumber"])(
    "neither hide nor repeat other rows when sorted by %s",
    async (sort) => {
      const company = companies.growing;
      const began = (await listed(ask.growing, {})).length;
      for (let at = began; at < began + 6; at++) await added(company, at, "B", at % 3);
      const before = await listed(ask.growing, { sort });
      const seen: number[] = [];
      let at = began + 6;
      for (let cursor: string | undefined = ""; cursor !== undefined;) {
        const path: string = `/api/v1/orders?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`;
        const { body }: Reply<Page> = await ask.growing<Page>("GET", path);
        seen.push(...body.items.map((item) => item.at));
        cursor = body.nextCursor;
        // Adds rows before, after and at the position of the cursor.
        if (at < began + 15) for (const number of ["A", "B", "C"]) await added(company, at++, number, at % 3);
      }
      expect(seen.filter((row) => before.includes(row))).toEqual(before);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});

/** Writes a row to the archive, with a creation time in the given second. */
async function added(company: string, at: number, orderNumber: string, second: number): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  const row: ModelRow = {
    kind: "Document",
    status: "Succeeded",
    createdAt,
    updatedAt: createdAt,
    orderNumber,
    words: [],
  };
  await service.archive.batch(archiveStatements(service.archive, [archived(row, company, at)]));
}

describe("thousands of orders", () => {
  test.each<[string, Record<string, string>, number[]]>([
    ["two filters with few common rows", { customerVatCode: "DE123456788", loadingCountry: "PL" }, [4000, 3999]],
    ["ascending", { customerVatCode: "DE123456788", loadingCountry: "PL", sort: "createdAt" }, [3999, 4000]],
    ["by another column", { text: "old", loadingCountry: "PL", sort: "orderNumber" }, [3999, 4000]],
    ["two filters without common rows", { text: "old new" }, []],
    ["a range long ago", { loadingTo: "2026-01-03", loadingCountry: "PL" }, [4000, 3999]],
    ["a rare and a common filter", { text: "every", status: "Failed" }, [4000, 3999]],
    ["common filters and a pattern", { text: "every", orderNumber: "*39*9*9*" }, [3999]],
  ])("%s", async (_, query, expected) => {
    expect(await listed(ask.many, query)).toEqual(expected);
  });

  test.each<[string, Record<string, string>, (row: ModelRow) => boolean]>([
    ["a word in half of the rows", { text: "old" }, ({ words }) => words[0] === "old"],
    ["two common filters", { text: "every", loadingCountry: "DE" }, ({ loadingCountry }) => loadingCountry === "DE"],
    ["a range of half of the rows", { loadingFrom: "2026-01-01" }, ({ loadingDate }) => loadingDate !== undefined],
    ["short parts of a number", { orderNumber: "*7*7" }, ({ orderNumber }) => /7.*7$/.test(orderNumber!)],
  ])("%s, to the last page", async (_, query, passes) => {
    const expected = many.flatMap((row, at) => (passes(row) ? [at] : [])).toReversed();
    expect(await listed(ask.many, { ...query, limit: "200" })).toEqual(expected);
  });
});

describe("many orders of one customer, sorted otherwise than by creation", () => {
  const customer = { customerVatCode: "DE123456788" };

  test.each<[string, Record<string, string>]>([
    ["by number", { sort: "orderNumber", limit: "97" }],
    ["by number, descending", { sort: "-orderNumber", limit: "50" }],
    ["by loading", { sort: "loadingDate", limit: "83" }],
    ["by unloading date, which no row has", { sort: "-unloadingDate", limit: "200" }],
    ["by number, of one status", { sort: "orderNumber", status: "Partial", limit: "20" }],
    ["by number, of some days", { sort: "-orderNumber", loadingFrom: "2026-03-02", loadingTo: "2026-03-03" }],
    ["by number, with a pattern", { sort: "-orderNumber", orderNumber: "*1*", limit: "31" }],
  ])("%s: each is returned once, at its position", async (_, { sort, limit, ...wanted }) => {
    const expected = matching(tied, { ...customer, ...wanted }, sort!);
    expect(expected.length).toBeGreaterThan(50);
    expect(await listed(ask.tied, { ...customer, ...wanted, sort: sort!, ...(limit && { limit }) })).toEqual(expected);
  });

  test("that get other numbers move to their new positions, even if old jobs are repeated", async () => {
    const numbered = (at: number, orderNumber: string, version: number) => {
      const createdAt = "2026-01-01T00:00:00.000Z";
      const row: ModelRow = {
        kind: "Document",
        status: "Succeeded",
        createdAt,
        updatedAt: createdAt,
        orderNumber,
        ...customer,
        words: [],
      };
      return { ...archived(row, companies.renumbered, at), version };
    };
    const write = (...rows: ReturnType<typeof numbered>[]) =>
      service.archive.batch(archiveStatements(service.archive, rows));
    const byNumber = () => listed(ask.renumbered, { ...customer, sort: "orderNumber" });
    const old = ["A", "B", "C"].map((number, at) => numbered(at, number, 1));
    await write(...old);
    expect(await byNumber()).toEqual([0, 1, 2]);
    await write(numbered(0, "D", 2));
    expect(await byNumber()).toEqual([1, 2, 0]);
    await write(...old, numbered(0, "D", 2));
    expect(await byNumber()).toEqual([1, 2, 0]);
  });
});

import { expect, vi } from "vitest";
import type { Company, TestService } from "./service.ts";

/** Makes a valid purchase of diesel. */
export const purchase = (more: Record<string, unknown> = {}) => ({
  externalId: `T-${crypto.randomUUID()}`,
  occurredAt: "2026-10-05T08:00",
  licensePlate: "WGM 12345",
  station: "Rasthof Beispiel",
  countryCode: "DE",
  productName: "Diesel",
  quantity: 400,
  unit: "l",
  unitPrice: 1.25,
  netAmount: 500,
  vatAmount: 95,
  grossAmount: 595,
  currency: "EUR",
  ...more,
});

export interface Feed {
  feedId: string;
  status: string;
  accepted: number;
  duplicates: number;
  rejected: { row: number; errors: { code: string; field: string; message: string }[] }[];
  rejectedCount: number;
  [count: string]: unknown;
}

export interface TransactionAnswer {
  transactionId: string;
  status: string;
  anomalies: { type: string; expected: unknown; actual: unknown; transactionId?: string }[];
  [field: string]: unknown;
}

/** Returns functions that send a company's requests about its transactions. */
export function transactionClient(service: TestService, { key }: Pick<Company, "key">) {
  const asked = async (path: string, init: RequestInit = {}) =>
    service.fetch(`/api/v1${path}`, { ...init, headers: { "x-api-key": key, ...init.headers } });
  const json = async <Body>(path: string, method: string, body: unknown, status: number, headers: object = {}) => {
    const answer = await asked(path, {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    const text = await answer.text();
    expect(answer.status, text).toBe(status);
    return JSON.parse(text) as Body;
  };
  const list = async <Item = TransactionAnswer>(query = "") => {
    const items: Item[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const answer = await asked(`/transactions-feed?limit=200&${query}${cursor && `&cursor=${cursor}`}`);
      const page = await answer.json<{ items: Item[]; nextCursor?: string }>();
      expect(answer.status, JSON.stringify(page)).toBe(200);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  };
  const feedOf = async (feedId: string) => (await asked(`/transactions-feed/feeds/${feedId}`)).json<Feed>();
  return {
    asked,
    json,
    list,
    feed: feedOf,
    vehicle: (body: object) => json<{ vehicleId: string }>("/vehicles", "POST", body, 201),
    post: (items: unknown[], more: object = {}) =>
      json<Feed>("/transactions-feed", "POST", { provider: "Beispielkarte", items, ...more }, 202),
    change: (id: string, body: object, status = 200) =>
      json<TransactionAnswer>(`/transactions-feed/${id}`, "PUT", body, status),
    /** Posts one transaction, and returns it as the list contains it. */
    async one(item: object): Promise<TransactionAnswer> {
      const feed = await json<Feed>("/transactions-feed", "POST", { provider: "Beispielkarte", items: [item] }, 202);
      expect(feed.rejected).toEqual([]);
      return (await list(`feedId=${feed.feedId}`))[0]!;
    },
    async file(
      bytes: string | Uint8Array<ArrayBuffer>,
      name: string,
      fields: Record<string, string> = {},
    ): Promise<Feed> {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set("file", new File([bytes], name));
      const answer = await asked("/transactions-feed", { method: "POST", body: form });
      const text = await answer.text();
      expect(answer.status, text).toBe(202);
      return JSON.parse(text) as Feed;
    },
    ended: (feedId: string) =>
      vi.waitUntil(
        async () => {
          const feed = await feedOf(feedId);
          return feed.status === "Importing" ? undefined : feed;
        },
        { timeout: 300_000, interval: 200 },
      ),
  };
}

export type TransactionClient = ReturnType<typeof transactionClient>;
export const anomalyTypes = ({ anomalies }: Pick<TransactionAnswer, "anomalies">) => anomalies.map(({ type }) => type);

export const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

/** The first line of a statement in CSV. */
export const heading = "Transaction ID;Date;Plate;Product;Gross;Currency;Country\n";

/** Makes a line of a statement in CSV, with this number. */
export const row = (at: number, more: { product?: string; gross?: string } = {}) =>
  `N-${at};2026-10-05 08:14;WGM 12345;${more.product ?? "Diesel"};${more.gross ?? `${at + 1},50`};EUR;DE\n`;

/** Makes lines of a statement in CSV with consecutive numbers. */
export const rows = (count: number, from = 0) => Array.from({ length: count }, (_, at) => row(from + at)).join("");

export const statementBucket = async ({ mf }: TestService): Promise<R2Bucket> =>
  (await mf.getBindings<{ FILES: R2Bucket }>("lorry")).FILES;

/** Lists the keys of a company's stored statements. */
export const listStatements = async (files: R2Bucket, { id }: Company): Promise<string[]> =>
  (await files.list({ prefix: `${id}/transactions-feed/` })).objects.map(({ key }) => key);

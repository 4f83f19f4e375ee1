import { randomUUID } from "node:crypto";
import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { operations, type Named } from "../../src/api.ts";
import { takesIdempotencyKey } from "../../src/openapi/row.ts";
import { freight } from "../freights.ts";
import { openService, type TestService } from "../service.ts";
import { conforming, type ErrorBody } from "./conform.ts";
import { found, operatorKey, sent, type Firm } from "./firm.ts";
import { filled, goodRequest, makers, send, standingRequest, thingsFor, upload, type Request } from "./requests.ts";

let service: TestService;
let firm: Firm;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  firm = await found(service);
});

afterAll(() => service.stop());

const asked = async (named: Named, request: Request) => conforming(named, await send(service, request));
const code = ({ status, body }: { status: number; body: unknown }) => ({ status, code: (body as ErrorBody).errorCode });
const keyed = ({ headers, ...request }: Request, key: string): Request => ({
  ...request,
  headers: { ...headers, "idempotency-key": key },
});

/** What a first answer shows, and a repeated one shows the same or not at all. */
const secrets = new Set(["key", "secret"]);
const open = (body: unknown) =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !secrets.has(name)));

/** A request that differs from the good one in what it asks. */
function otherOf(named: Named, request: Request): Request {
  if (named.operation.takesFile) return { ...request, body: upload(named.operation.example?.body) };
  const body = JSON.parse(request.body as string) as Record<string, unknown>;
  return { ...request, body: JSON.stringify(changed(body)) };
}

/** With other texts; where it has none of its own, in the things it lists. */
function changed(body: Record<string, unknown>): Record<string, unknown> {
  const isText = ([name, value]: [string, unknown]) => name in texts && typeof value === "string";
  const entries = Object.entries(body);
  const hasOwn = entries.some(isText);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (isText([name, value])) return [name, texts[name]];
      return [name, !hasOwn && Array.isArray(value) ? value.map(changedItem) : value];
    }),
  );
}

const changedItem = (item: unknown) =>
  typeof item === "object" && item !== null ? changed(item as Record<string, unknown>) : item;

/** Other values for fields whose text is free. */
const texts: Record<string, string> = {
  inputText: "Another order",
  subject: "Another",
  description: "Another",
  callbackUrl: "https://another.beispiel.de/hooks",
  name: "Another GmbH",
  comments: "Another",
  rating: "Good",
  provider: "Another",
  internalComments: "Another",
  reason: "Another",
  message: "Another",
  reference: "Another",
  comment: "Another",
};

describe.each(operations.filter(({ operation }) => takesIdempotencyKey(operation)))("$id", (named) => {
  test("repeated with its key is done once and answered the same", async () => {
    const request = keyed(await goodRequest(named, service, firm), `once-${named.id}`);
    const first = await asked(named, request);
    const second = await asked(named, request);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.status).toBe(first.status);
    expect(open(second.body)).toEqual(open(first.body));
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
  });

  test("asked eight times at the same moment makes one thing", async () => {
    const request = keyed(await goodRequest(named, service, firm), `together-${named.id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => asked(named, request)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(open(body)))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
    const shown = answers.flatMap(({ body }) => Object.entries(body as object).filter(([name]) => secrets.has(name)));
    expect(new Set(shown.map(([, secret]) => secret as string)).size, "secrets shown").toBeLessThan(2);
  });

  test("makes two things with two keys, and the key means nothing to another company", async () => {
    const other = await found(service);
    const request = await goodRequest(named, service, firm);
    const answers = [await asked(named, keyed(request, "a")), await asked(named, keyed(request, "b"))];
    for (const { headers } of answers) expect(headers.get("idempotency-replayed")).toBeNull();
    if (named.operation.access === "operator") return;
    const theirs = { ...request, headers: { ...request.headers, authorization: `Bearer ${other.key}` } };
    expect((await asked(named, keyed(theirs, "a"))).headers.get("idempotency-replayed")).toBeNull();
  });

  test.each(["x".repeat(256), "with blanks"])("does not take %.20j for a key", async (key) => {
    const refused = await asked(named, keyed(await standingRequest(named, service, firm), key));
    expect((refused.body as ErrorBody).errors).toMatchObject([{ field: "Idempotency-Key" }]);
  });
});

describe.each(operations.filter(({ operation }) => takesIdempotencyKey(operation) && operation.body))(
  "$id",
  (named) => {
    test("with another body is refused the key", async () => {
      const request = keyed(await goodRequest(named, service, firm), `other-${named.id}`);
      await asked(named, request);
      expect(code(await asked(named, otherOf(named, request)))).toEqual({
        status: 422,
        code: "idempotency_key_reused",
      });
    });
  },
);

interface Page {
  items: Record<string, unknown>[];
  nextCursor?: string;
}

const publish = (owner: Firm) =>
  sent<{ freightId: string }>(service, "/api/v1/freights", owner.key, freight(), { accept: "application/json" });

/** What a list is made of: how one more comes to be, and the field that names it. */
const grown: Record<string, { idField: string; add: (firm: Firm) => Promise<unknown>; where?: string }> = {
  "accounts.list": { idField: "accountId", add: (owner) => makers["accountId"]!(service, owner, {}) },
  "audit.list": {
    idField: "auditId",
    where: "operation=accounts.create",
    add: (owner) => makers["accountId"]!(service, owner, {}),
  },
  "automations.list": { idField: "automationId", add: (owner) => makers["automationId"]!(service, owner, {}) },
  "mails.list": { idField: "mailId", add: (owner) => makers["mailId"]!(service, owner, {}) },
  "orders.list": {
    idField: "orderId",
    add: (owner) => sent(service, "/api/v1/orders", owner.key, { inputText: `Order ${Math.random()}` }),
  },
  "opportunities.list": {
    idField: "opportunityId",
    add: (owner) => sent(service, "/api/v1/opportunities", owner.key, { inputText: `Request ${Math.random()}` }),
  },
  "driversDocuments.list": {
    idField: "documentId",
    add: (owner) => sent(service, "/api/v1/drivers-documents", owner.key, { file: btoa(`Licence ${Math.random()}`) }),
  },
  "documents.list": {
    idField: "documentId",
    add: (owner) => sent(service, "/api/v1/documents", owner.key, { file: btoa(`Invoice ${Math.random()}`) }),
  },
  "feedback.list": { idField: "feedbackId", add: (owner) => makers["feedbackId"]!(service, owner, {}) },
  "freights.list": { idField: "freightId", add: (owner) => publish(owner) },
  "freights.listArchived": {
    idField: "freightId",
    async add(owner) {
      const { freightId } = await publish(owner);
      const headers = { authorization: `Bearer ${owner.key}` };
      await service.fetch(`/api/v1/freights/${freightId}`, { method: "DELETE", headers });
    },
  },
  "offers.list": {
    idField: "offerId",
    async add(owner) {
      const { freightId } = await publish(owner);
      const carrier = { name: "Vzorová Doprava", email: "dispo@vzorova-doprava.example" };
      return sent(service, "/api/v1/freights/offers", owner.key, { freightId, price: 1150, carrier });
    },
  },
  "vehicles.list": {
    idField: "vehicleId",
    add: (owner) => sent(service, "/api/v1/vehicles", owner.key, { licensePlate: "WGM 12345" }),
  },
  "transactions.list": {
    idField: "transactionId",
    add: (owner) => makers["transactionId"]!(service, owner, {}),
  },
  "transactions.feeds": { idField: "feedId", add: (owner) => makers["feedId"]!(service, owner, {}) },
  "tenants.list": {
    idField: "companyId",
    where: "text=turned",
    add: () => sent(service, "/api/v1/companies", operatorKey, { name: "Turned by pages" }),
  },
  "webhooks.deliveries": {
    idField: "deliveryId",
    add: (owner) =>
      sent(service, "/api/v1/orders", owner.key, { orderNumber: randomUUID(), carrier: { name: "Vzorová Doprava" } }),
  },
  "webhooks.list": {
    idField: "subscriptionId",
    add: (owner) =>
      sent(service, "/api/v1/webhooks", owner.key, {
        eventType: "All",
        callbackUrl: "https://receiver.beispiel.de/hooks",
      }),
  },
};

describe.each(operations.filter(({ operation }) => operation.query?.shape.cursor))("$id", (named) => {
  test("shows everything once, whatever comes in while it is turned page by page", async () => {
    const { idField, add, where } = grown[named.id]!;
    const owner = await found(service);
    const path = filled(named.operation.path, await thingsFor(named, service, owner));
    const page = async (query: string) =>
      (
        await asked(named, {
          method: "GET",
          path: `${path}?${[query, where].filter(Boolean).join("&")}`,
          headers: { authorization: `Bearer ${named.operation.access === "operator" ? operatorKey : owner.key}` },
        })
      ).body as Page;
    await Promise.all(Array.from({ length: 5 }, () => add(owner)));
    await vi.waitUntil(async () => (await page("limit=200")).items.length === 5, { timeout: 50_000, interval: 100 });
    const there = (await page("limit=200")).items.map((item) => item[idField]);

    const seen: unknown[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const { items, nextCursor }: Page = await page(`limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(items.length).toBeGreaterThan(0);
      seen.push(...items.map((item) => item[idField]));
      if (seen.length <= 4) await add(owner);
      cursor = nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => there.includes(id))).toEqual(there);
  });
});

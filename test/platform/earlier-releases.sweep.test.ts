import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../support/api-client.ts";
import { completePrivacyRequest, type PrivacyAnswer } from "../support/privacy.ts";
import { fine, type Received as TakenFines } from "../support/fines.ts";
import { orderLines } from "../support/papers/order.ts";
import { pdfPages } from "../support/papers/pdf.ts";
import { invoice, root as piles, splitCollection, type Collection } from "../support/document-collections.ts";
import { withChangedState, rewritten } from "../support/state-without-deletion.ts";
import { openService, type TestService } from "../support/service.ts";
import { transactionClient } from "../support/transactions.ts";

// State that objects stored before a restart, or under an earlier release, must be readable afterwards.

const company = { id: randomUUID(), key: `test-${randomUUID()}` };
const vars = {
  LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }),
  SEAL_KEY: randomBytes(32).toString("base64"),
};
const statement =
  "Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Wash;595,00;EUR\n2026-10-06;WGM 12345;Wash;70,00;EUR\n";
const petra = { name: "Petra Sondermann" };
/** Fields in the state of an erasure or export that record its rounds. */
const ofRounds = ["rounds", "place", "inRound", "tries", "parts", "resumesAt"];

let state: string;
let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "lorry-earlier-"));
  await open();
});

afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true });
});

async function open(): Promise<void> {
  service = await openService({ state, vars });
  ask = apiClient(service, company.key);
}

/** Creates a driver's document and a fine that never expire. */
async function endless(): Promise<string[]> {
  const lasting = { type: "Adr", number: "ADR-1", expiresAt: "9999-12-31", driver: "Jan Przykładowy" };
  const licence = await ask<{ documentId: string }>("POST", "/api/v1/drivers-documents", {
    body: form({ name: "card.txt", bytes: "ADR DRIVER TRAINING CERTIFICATE\n1. ADR-1\n" }),
    headers: { prefer: "wait=20" },
  });
  const document = `/api/v1/drivers-documents/${licence.body.documentId}`;
  await vi.waitFor(
    async () => expect((await ask<{ status: string }>("GET", document)).body.status).not.toBe("Processing"),
    { timeout: 60_000, interval: 100 },
  );
  expect((await ask("PUT", document, { json: lasting })).status).toBe(200);
  const fines = await ask<TakenFines>("POST", "/api/v1/automations/fines", {
    json: { fines: [fine("WGM 12345", { dueDate: "9999-12-31" })] },
    headers: { prefer: "wait=20" },
  });
  return [document, `/api/v1/automations/${fines.body.automationId}`];
}

test(
  "stored state is read after a restart, and so is the state of an earlier release",
  { timeout: 400_000 },
  async () => {
    const mine = () => transactionClient(service, company);
    const lasting = await endless();
    expect(await mine().file(statement, "first.csv")).toMatchObject({ status: "Imported", accepted: 2 });
    const pile = await splitCollection(ask, [{ name: "scan.pdf", bytes: pdfPages([invoice("FV/140/2026")]) }]);
    expect(pile.documents).toHaveLength(1);
    const text = {
      json: { inputText: orderLines({ number: "EARLIER-1" }).join("\n") },
      headers: { prefer: "wait=20" },
    };
    const { body: read } = await ask<{ orderId: string; status: string }>("POST", "/api/v1/orders", text);
    expect(read.status).toBe("Succeeded");
    const exported = await completePrivacyRequest(ask, "export", petra);
    const erasing = (await ask<PrivacyAnswer>("POST", "/api/v1/privacy/erase", { json: { name: "Jan Nowakowski" } }))
      .body;

    const client = { grant_type: "client_credentials", client_id: company.key, client_secret: company.key };
    const traded = () => apiClient(service)("POST", "/oauth2/token", { body: new URLSearchParams(client) });
    const authorization = `Bearer ${String((await traded()).body["access_token"])}`;

    const bucket = await service.mf.getR2Bucket("FILES", "lorry");
    const folder = `${company.id}/privacy/${exported.privacyRequestId}/`;
    const [part] = (await bucket.list({ prefix: folder })).objects;
    await bucket.put(`${folder}export.json`, await (await bucket.get(part!.key))!.text());
    await bucket.delete(part!.key);
    await service.stop();

    // Earlier feeds did not record whether their rows are stored separately, and keys of lines were computed
    // differently.
    await rewritten(state, "LedgerObject", (database) =>
      database.exec(`drop index feed_left; alter table feed drop column rows;
      create index feed_importing on feed (id) where status = 'Importing';
      update line set key = 'earlier ' || n, content = n`),
    );
    // Earlier collections had their findings in the envelope.
    await rewritten(
      state,
      "DocumentCollectionObject",
      withChangedState(({ findings, envelopes, ...rest }) => {
        const [envelope] = envelopes as object[];
        return { ...rest, envelopes: [{ ...envelope, data: findings }] };
      }),
    );
    // An earlier lease named the object instance that held it, and that instance no longer exists.
    await rewritten(state, "OrderObject", (database) => {
      const lease = { life: randomUUID(), until: "9999-12-31T00:00:00.000Z" };
      withChangedState((kept) => ({ ...kept, status: "Processing", envelopes: [], attempts: 3, lease }))(database);
      database.exec("insert or replace into work values ('orders.read', 0, 0)");
    });
    // An earlier erasure processed everything in one round.
    await rewritten(state, "PrivacyObject", (database) => {
      withChangedState((kept) => Object.fromEntries(Object.entries(kept).filter(([name]) => !ofRounds.includes(name))))(
        database,
      );
      database.exec(
        "insert or replace into work select 'privacy.run', 0, 0 from state where json ->> '$.status' = 'Running'",
      );
    });
    // Earlier tokens had no scopes of their own.
    await rewritten(state, "CompanyObject", (database) =>
      database.exec("drop index tokens_until; alter table tokens drop column scopes"),
    );
    await open();

    expect((await apiClient(service)("GET", "/api/v1/orders", { headers: { authorization } })).status).toBe(200);
    expect((await traded()).status).toBe(200);
    await vi.waitFor(
      async () => {
        const [order] = (await ask<{ status: string }[]>("GET", `/api/v2/orders/${read.orderId}`)).body;
        expect(order?.status).toBe("Succeeded");
      },
      { timeout: 60_000, interval: 100 },
    );
    for (const path of lasting) expect((await ask("GET", path)).status, path).toBe(200);
    expect(await mine().file(statement, "again.csv")).toMatchObject({ status: "Imported", accepted: 0, duplicates: 2 });
    const path = `${piles}/${pile.collectionId}`;
    expect((await ask<Collection>("GET", path)).body).toEqual(pile);
    const { documentId } = pile.documents[0]!;
    expect((await ask("GET", `${path}/documents/${documentId}/file`)).status).toBe(200);
    const gathered = await ask<{ person: object }>(
      "GET",
      `/api/v1/privacy/requests/${exported.privacyRequestId}/result`,
    );
    expect([gathered.status, gathered.body.person]).toEqual([200, petra]);
    await vi.waitFor(
      async () => {
        const { body } = await ask<PrivacyAnswer>("GET", `/api/v1/privacy/requests/${erasing.privacyRequestId}`);
        expect(body.status).toBe("Done");
      },
      { timeout: 200_000, interval: 250 },
    );
  },
);

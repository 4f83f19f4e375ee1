import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Job } from "../../src/platform/env.ts";
import type { CompanyApi, AggregateObject } from "../../src/platform/aggregates.ts";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import type { PrivacyAnswer } from "../support/privacy.ts";
import { openService, type Company, type TestService } from "../support/service.ts";

// Records that the archive does not have yet.

const petra = { name: "Petra Sondermann" };
const soon = { timeout: 120_000, interval: 100 };
let service: TestService;

beforeAll(async () => {
  // A record reports after 10 to 15 seconds that the archive lacks it. Privacy requests must wait longer than that.
  service = await openService({ vars: { PRIVACY_SETTLE_MS: "20000" } });
});

afterAll(() => service.stop());

/** Makes the archive refuse the vehicles of a company. @returns a function that ends this */
async function heldBack({ id }: Company): Promise<() => Promise<void>> {
  const name = `held_${id.replaceAll("-", "")}`;
  await service.archive.exec(
    `create trigger ${name} before insert on vehicles when new.company = '${id}' begin select raise(abort, 'held back'); end`,
  );
  return async () => void (await service.archive.exec(`drop trigger ${name}`));
}

async function withPetra(ask: ApiClient): Promise<string> {
  const { status, body } = await ask<{ vehicleId: string }>("POST", "/api/v1/vehicles", {
    json: { licensePlate: "WGM 12345", comments: "Ask Petra Sondermann" },
  });
  expect(status).toBe(201);
  return body.vehicleId;
}

async function objectOf<Kind extends AggregateObject>(binding: string, name: string): Promise<Kind> {
  const objects = await service.mf.getDurableObjectNamespace(binding, "lorry");
  return objects.get(objects.idFromName(name)) as unknown as Kind;
}

/** Reads the stored state of an erasure. */
async function standing(company: string, id: string): Promise<{ status: string; rounds: number }> {
  const request = await objectOf("PRIVACY", `${company}/${id}`);
  const said = await request.execute(JSON.stringify({ company, id, name: "privacy.look", ask: {} }));
  return JSON.parse(said.split("\n")[1]!) as { status: string; rounds: number };
}

async function laggingOf({ id }: Company): Promise<string[]> {
  const company = await objectOf<CompanyApi>("COMPANIES", `${id}/${id}`);
  return (await company.lagging(0, 100)).map((one) => one.id);
}

/** Sends the archive job again, without waiting for the retry of the queue. */
async function archiveNow({ id: company }: Company, id: string): Promise<void> {
  const queue = await service.mf.getQueueProducer<Job>("CHANGES", "lorry");
  await queue.send({ binding: "VEHICLES", company, id, work: "archive" });
}

test.concurrent(
  "an erasure finds records that the archive lacks, and completes only when the archive has them without the person",
  { timeout: 200_000 },
  async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const letThrough = await heldBack(company);
    const vehicleId = await withPetra(ask);
    const comments = async () =>
      (await ask<{ comments?: string }>("GET", `/api/v1/vehicles/${vehicleId}`)).body.comments;
    const { body: asked } = await ask<PrivacyAnswer>("POST", "/api/v1/privacy/erase", { json: petra });
    const id = asked.privacyRequestId;

    await vi.waitFor(async () => expect(await comments()).toBe("Ask Erased Person"), soon);
    const { rounds } = await standing(company.id, id);
    await vi.waitFor(async () => expect((await standing(company.id, id)).rounds).toBeGreaterThan(rounds + 1), soon);
    expect(await standing(company.id, id)).toMatchObject({ status: "Running" });

    await letThrough();
    await archiveNow(company, vehicleId);
    await vi.waitFor(async () => expect((await standing(company.id, id)).status).toBe("Done"), soon);
    const { results } = await service.archive
      .prepare("select v.view from vehicles o join vehicles_views v on v.row = o.row where o.company = ?")
      .bind(company.id)
      .all<{ view: string }>();
    expect(results.map(({ view }) => (JSON.parse(view) as { comments: string }).comments)).toEqual([
      "Ask Erased Person",
    ]);
    expect(await laggingOf(company)).toEqual([]);
  },
);

test.concurrent("an export contains records that the archive lacks, once", { timeout: 200_000 }, async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  const letThrough = await heldBack(company);
  const vehicleId = await withPetra(ask);
  await vi.waitFor(async () => expect(await laggingOf(company)).toEqual([vehicleId]), soon);
  const { body: asked } = await ask<PrivacyAnswer>("POST", "/api/v1/privacy/export", { json: petra });
  const path = `/api/v1/privacy/requests/${asked.privacyRequestId}`;
  await vi.waitFor(async () => expect((await ask<PrivacyAnswer>("GET", path)).body.status).toBe("Done"), soon);
  const { body } = await ask<{ records: { id: string }[] }>("GET", `${path}/result`);
  expect(body.records.map(({ id }) => id)).toEqual([vehicleId]);
  await letThrough();
});

test.concurrent("the deletion of a company includes records that the archive lacks", { timeout: 200_000 }, async () => {
  const headers = { authorization: "Bearer operator-of-the-tests" };
  const founded = await apiClient(service)<{ companyId: string; key: string }>("POST", "/api/v1/companies", {
    json: { name: "Gone GmbH" },
    headers,
  });
  const { companyId: id, key } = founded.body;
  const letThrough = await heldBack({ id, key });
  const vehicleId = await withPetra(apiClient(service, key));
  const path = `/api/v1/companies/${id}`;
  expect((await apiClient(service)("DELETE", path, { headers })).status).toBe(202);
  const company = async () => (await apiClient(service)<{ status: string }>("GET", path, { headers })).body;
  await vi.waitFor(async () => expect((await company()).status).toBe("Deleted"), soon);
  const vehicle = await objectOf("VEHICLES", `${id}/${vehicleId}`);
  expect(await vehicle.projection()).toBeUndefined();
  await letThrough();
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createFreight, read } from "../../support/freights.ts";
import { postOffice, type PostOffice } from "../../support/outgoing-mails.ts";
import type { Company } from "../../support/service.ts";

// Invitations through a simulated mail service. It does not deduplicate, so a mail that is sent twice arrives twice.

let office: PostOffice;
let ask: ApiClient;
let company: Company;

beforeAll(async () => {
  office = await postOffice();
});

beforeEach(() => {
  company = office.service.company();
  ask = apiClient(office.service, company.key);
  office.clear();
});

afterAll(() => office.service.stop());

const share = async (freightId: string, recipients: string[]) => {
  const { status } = await ask("POST", "/api/v1/freights/share", { json: { freightIds: [freightId], recipients } });
  expect(status).toBe(200);
};

/** Waits until every guest is mailed. Returns the recipients of all mails, sorted. */
async function mailedTo(freightId: string): Promise<string[]> {
  await vi.waitFor(
    async () => {
      const { shares } = (await read(ask, freightId)).body;
      expect(shares.filter(({ mailedAt }) => mailedAt === undefined)).toHaveLength(0);
    },
    { timeout: 50_000, interval: 100 },
  );
  return office.mails.map(({ to }) => to).toSorted();
}

/**
 * Delivers the job to a second worker while the first worker runs, as a queue may do. The local runtime never does
 * this.
 */
async function workAgain(id: string): Promise<void> {
  const worker = await office.service.mf.getWorker("lorry");
  const body = { binding: "FREIGHTS", company: company.id, id, work: "freights.share" };
  await worker.queue("lorry-work", [{ id: "again", timestamp: new Date(), attempts: 1, body }]);
}

const addresses = (count: number) =>
  Array.from({ length: count }, (_, number) => `carrier-${String(number).padStart(3, "0")}@carrier.example`);

test("a guest invited while others are mailed gets one mail, and so do the others", async () => {
  const { freightId } = await createFreight(ask);
  const [first, second] = addresses(2) as [string, string];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  office.meet = ({ to }) => (to === first && office.mails.length === 1 ? gate : Promise.resolve());
  await share(freightId, [first]);
  await vi.waitUntil(() => office.mails.length === 1, { timeout: 50_000 });
  await share(freightId, [second]);
  await workAgain(freightId);
  open();
  expect(await mailedTo(freightId)).toEqual([first, second]);
});

test("each of many guests gets one mail, and only failed mails are sent again", async () => {
  const { freightId } = await createFreight(ask);
  const all = addresses(120);
  const tried = new Set<string>();
  office.meet = ({ to }) => {
    const isFirst = !tried.has(to);
    tried.add(to);
    return Promise.resolve(to === all[7] && isFirst ? "Refused" : undefined);
  };
  await share(freightId, all);
  expect(await mailedTo(freightId)).toEqual([...all, all[7]!].toSorted());
  expect(office.mails[0]).toMatchObject({
    from: "freights@spedition.example",
    subject: expect.stringContaining("Leipzig"),
  });
});

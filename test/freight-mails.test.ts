import { Response } from "miniflare";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { asking, type Asking } from "./asking.ts";
import { posted, read } from "./freights.ts";
import { mailer, type SentMail } from "./mailer.ts";
import { openService, type Company, type TestService } from "./service.ts";

// Invitations, where mails go out into the world: what is sent twice arrives twice.

let service: TestService;
let ask: Asking;
let company: Company;
const mails: SentMail[] = [];
/** What happens to a mail before it is taken; it is not taken when this says so. */
let meet: (mail: SentMail) => Promise<"Refused" | void>;

beforeAll(async () => {
  service = await openService({
    beside: { EMAIL: mailer },
    vars: { MAIL_FROM: "freights@spedition.example" },
    internet: async (request) => {
      const mail = (await request.json()) as SentMail;
      mails.push(mail);
      return new Response(null, { status: (await meet(mail)) === "Refused" ? 503 : 200 });
    },
  });
});

beforeEach(() => {
  company = service.company();
  ask = asking(service, company.key);
  mails.length = 0;
  meet = () => Promise.resolve();
});

afterAll(() => service.stop());

const share = async (freightId: string, recipients: string[]) => {
  const { status } = await ask("POST", "/api/v1/freights/share", { json: { freightIds: [freightId], recipients } });
  expect(status).toBe(200);
};

/** Waits until all have been mailed to, and says whom each mail went to. */
async function mailedTo(freightId: string): Promise<string[]> {
  await vi.waitFor(
    async () => {
      const { shares } = (await read(ask, freightId)).body;
      expect(shares.filter(({ mailedAt }) => mailedAt === undefined)).toHaveLength(0);
    },
    { timeout: 30_000, interval: 100 },
  );
  return mails.map(({ to }) => to).toSorted();
}

/** The work as another machine gets it: beside the one that is at it, which a single machine never does. */
async function workAgain(id: string): Promise<void> {
  const worker = await service.mf.getWorker("lorry");
  const body = { binding: "FREIGHTS", company: company.id, id, work: "freights.share" };
  await worker.queue("lorry-work", [{ id: "again", timestamp: new Date(), attempts: 1, body }]);
}

const addresses = (count: number) =>
  Array.from({ length: count }, (_, number) => `carrier-${String(number).padStart(3, "0")}@carrier.example`);

test("who is invited while others are being mailed to gets one mail, and so do they", async () => {
  const { freightId } = await posted(ask);
  const [first, second] = addresses(2) as [string, string];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  meet = ({ to }) => (to === first && mails.length === 1 ? gate : Promise.resolve());
  await share(freightId, [first]);
  await vi.waitUntil(() => mails.length === 1, { timeout: 10_000 });
  await share(freightId, [second]);
  await workAgain(freightId);
  open();
  expect(await mailedTo(freightId)).toEqual([first, second]);
});

test("many get one mail each, and only those that were not taken are sent again", async () => {
  const { freightId } = await posted(ask);
  const all = addresses(120);
  const tried = new Set<string>();
  meet = ({ to }) => {
    const isFirst = !tried.has(to);
    tried.add(to);
    return Promise.resolve(to === all[7] && isFirst ? "Refused" : undefined);
  };
  await share(freightId, all);
  expect(await mailedTo(freightId)).toEqual([...all, all[7]!].toSorted());
  expect(mails[0]).toMatchObject({ from: "freights@spedition.example", subject: expect.stringContaining("Leipzig") });
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createOffer } from "../../support/offers.ts";
import { createFreight, withdraw } from "../../support/freights.ts";
import { answerOffer, seenOn, shareWith, visitorOf, type GuestLink } from "../../support/guests.ts";
import { postOffice, type PostOffice } from "../../support/outgoing-mails.ts";
import type { Company } from "../../support/service.ts";

// Mails to guests about their offers.

/** Receives all mails except invitations. */
let office: PostOffice;
let guest: ReturnType<typeof visitorOf>;
let ask: ApiClient;
let company: Company;

beforeAll(async () => {
  office = await postOffice(({ text }) => !text.includes("make your offer"));
  guest = visitorOf(office.service);
});

beforeEach(() => {
  company = office.service.company();
  ask = apiClient(office.service, company.key);
  office.clear();
});

afterAll(() => office.service.stop());

const [first, second] = ["first@carrier.example", "second@carrier.example"];
const german = { "accept-language": "de-AT, en;q=0.5" };

/** Shares the freight with a carrier, which offers 1200 on its page. */
async function offering(freightId: string, email: string, headers: Record<string, string> = {}): Promise<GuestLink> {
  const link = await shareWith(ask, freightId, { email });
  const { status } = await guest.send(link.path, { action: "Offer", price: "1200", name: `Firm of ${email}` }, headers);
  expect(status).toBe(303);
  return link;
}

/** Answers as the guest does on its page: with the `seen` value of that page. */
async function answering({ path }: GuestLink, fields: Record<string, string>): Promise<void> {
  const seen = seenOn((await guest.visit(path)).body);
  expect((await guest.send(path, { ...fields, seen })).status).toBe(303);
}

const soon = (many: number) =>
  vi.waitFor(
    () => {
      expect(office.mails).toHaveLength(many);
      return office.mails;
    },
    { timeout: 50_000, interval: 50 },
  );

const told = () => office.mails.map(({ to, text }) => [to, text.split("\n")[0]]);

test("a counter-offer and its outcome are mailed in the language of the page, with the link", async () => {
  const { freightId } = await createFreight(ask);
  const link = await offering(freightId, first, german);
  await answerOffer(ask, freightId, { action: "Counter", price: 1100, comment: "Our last word" });
  const [mail] = await soon(1);
  expect(mail).toMatchObject({
    to: first,
    from: "freights@spedition.example",
    subject: expect.stringContaining("Fracht Leipzig → Wrocław, "),
  });
  expect(mail!.text).toMatch(/schlägt 1.?100.* vor\.\n\nOur last word\n\nhttp/s);
  expect(mail!.text).toContain(`${link.path}?lang=de`);
  await answering(link, { action: "Counter", price: "1150" });
  await answerOffer(ask, freightId, { action: "Accept" });
  await soon(2);
  expect(office.mails[1]!.text).toContain("wurde angenommen");
  expect((await guest.visit(link.path)).status).toBe(200);
});

test("mails contain the reason of a decline, and other carriers learn that another offer was accepted", async () => {
  const { freightId } = await createFreight(ask);
  await offering(freightId, first);
  await answerOffer(ask, freightId, { action: "Decline", reason: "Too dear" });
  await soon(1);
  expect(office.mails[0]!.text).toMatch(/declined\.\n\nReason: Too dear\n/);
  await offering(freightId, second, german);
  const { offerId } = await createOffer(ask, freightId);
  await ask("PUT", `/api/v1/freights/${freightId}/offers/${offerId}`, { json: { action: "Accept" } });
  await soon(2);
  // Two carriers get no mail. One was declined before. The other one has no page, because its offer was sent through
  // the API.
  expect(office.mails[1]).toMatchObject({
    to: second,
    text: expect.stringContaining("Ein anderes Angebot wurde angenommen."),
  });
});

test("a guest is not notified of its own actions", async () => {
  const { freightId } = await createFreight(ask);
  const link = await offering(freightId, first);
  await offering(freightId, second);
  const { body } = await ask<{ items: { offerId: string; carrier: { email: string } }[] }>(
    "GET",
    `/api/v1/freights/offers?freightId=${freightId}`,
  );
  const { offerId } = body.items.find(({ carrier }) => carrier.email === first)!;
  await ask("PUT", `/api/v1/freights/${freightId}/offers/${offerId}`, { json: { action: "Counter", price: 1000 } });
  await soon(1);
  await answering(link, { action: "Accept" });
  await soon(2);
  expect(told()).toEqual([
    [first, expect.stringContaining("proposes")],
    [second, expect.stringContaining("declined")],
  ]);
});

test("each notification is sent once, however often the job runs, and a failed mail is sent again", async () => {
  const { freightId } = await createFreight(ask);
  await offering(freightId, first);
  await offering(freightId, second);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  office.meet = async ({ to }) => {
    await gate;
    return to === second && office.mails.filter((mail) => mail.to === second).length === 1 ? "Refused" : undefined;
  };
  await withdraw(ask, freightId);
  await soon(2);
  const worker = await office.service.mf.getWorker("lorry");
  const body = { binding: "FREIGHTS", company: company.id, id: freightId, work: "freights.answer" };
  await worker.queue("lorry-work", [{ id: "again", timestamp: new Date(), attempts: 1, body }]);
  open();
  await soon(3);
  await worker.queue("lorry-work", [{ id: "once more", timestamp: new Date(), attempts: 1, body }]);
  expect(office.mails.map(({ to }) => to).toSorted()).toEqual([first, second, second]);
});

test("blocked guests get no mail", async () => {
  const { freightId } = await createFreight(ask);
  await offering(freightId, first);
  await offering(freightId, second);
  expect((await ask("POST", "/api/v1/accounts", { json: { email: first, role: "carrier" } })).status).toBe(201);
  expect((await ask("PUT", "/api/v1/accounts/block", { json: { email: first } })).status).toBe(200);
  await withdraw(ask, freightId);
  await soon(1);
  expect(office.mails[0]).toMatchObject({ to: second, text: expect.stringContaining("The freight was withdrawn.") });
});

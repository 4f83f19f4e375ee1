import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Events, Freight } from "../../../src/areas/freights/model.ts";
import { nextDue } from "../../../src/areas/freights/lifecycle.ts";
import { toFreightDetails } from "../../../src/areas/freights/details.ts";
import { FreightInput } from "../../../src/areas/freights/input.ts";
import { shareCommands } from "../../../src/areas/freights/shares/commands.ts";
import { mailJob, type Recipient } from "../../../src/areas/freights/shares/model.ts";
import { freightCommands } from "../../../src/areas/freights/commands.ts";
import { locate } from "../../../src/areas/freights/stops.ts";
import type { Decision, CommandContext } from "../../../src/platform/decision.ts";
import type { Env } from "../../../src/platform/env.ts";
import type { StoredMail } from "../../../src/platform/mail.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { changeOffer, eventReceiver, createOffer } from "../../support/offers.ts";
import {
  freight,
  minute,
  createFreight,
  read,
  readArchived,
  refusal,
  withdraw,
  type Refused,
} from "../../support/freights.ts";
import { answerOffer, offerOf, seenOn, shareWith, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;
const receiver = eventReceiver();

beforeAll(async () => {
  service = await openService({ internet: receiver.internet, vars: { LOCAL_MAIL: "true" } });
});

beforeEach(() => {
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

interface Item {
  freightId: string;
  shareId: string;
  email: string;
  tier: number;
  dueAt: string;
  status: string;
  link: string;
}

const share = (freightIds: string[], more: Record<string, unknown>) =>
  ask<{ items: Item[] } & Refused>("POST", "/api/v1/freights/share", { json: { freightIds, ...more } });

let addresses = 0;
const address = () => `guest-${++addresses}@carrier.example`;

const mailsTo = async (email: string): Promise<StoredMail[]> => {
  const { body } = await ask<{ items: StoredMail[] }>("GET", "/dev/mail", { headers: { accept: "application/json" } });
  return body.items.filter(({ to }) => to === email);
};

const mailed = (email: string, count = 1) =>
  vi.waitFor(
    async () => {
      const mails = await mailsTo(email);
      expect(mails).toHaveLength(count);
      return mails;
    },
    { timeout: 50_000 },
  );

describe("a shared freight", () => {
  test("is mailed to each recipient once, each with a separate link", async () => {
    await receiver.listen(ask);
    const [first, second] = [await createFreight(ask), await createFreight(ask)];
    const [one, other] = [address(), address()];
    const { status, body } = await share([first.freightId, second.freightId], {
      recipients: [{ email: one, name: "Jana" }, { email: other.toUpperCase() }, { email: one }],
      message: "Please answer by noon.",
    });
    expect(status).toBe(200);
    expect(body.items.map(({ freightId, email, tier, status: is }) => [freightId, email, tier, is])).toEqual(
      [first, second].flatMap(({ freightId }) => [
        [freightId, one, 0, "Sent"],
        [freightId, other, 0, "Sent"],
      ]),
    );
    expect(new Set(body.items.map(({ link }) => link)).size).toBe(4);
    expect(new Set(body.items.map(({ shareId }) => shareId)).size).toBe(4);
    const mails = await mailed(one, 2);
    const texts = mails.map(({ subject, text }) => `${subject}\n${text}`).join();
    for (const part of [
      "Freight Leipzig → Wrocław",
      "Price: €1,000",
      "30 days",
      "Hello Jana,",
      "Please answer by noon.",
    ])
      expect(texts).toContain(part);
    for (const { email, link } of body.items) expect(texts.includes(link)).toBe(email === one);
    await mailed(other, 2);
    const at = expect.stringMatching(/^2.*Z$/) as string;
    const shown = { hidePrice: false, tier: 0, dueAt: at, status: "Sent", sentAt: at, mailedAt: at };
    const said = { ...shown, message: "Please answer by noon." };
    const [jana, unnamed] = body.items;
    await vi.waitFor(
      async () =>
        expect((await read(ask, first.freightId)).body.shares).toEqual([
          { ...said, shareId: jana!.shareId, email: one, name: "Jana" },
          { ...said, shareId: unnamed!.shareId, email: other },
        ]),
      { timeout: 50_000 },
    );
    await vi.waitFor(
      () =>
        expect(receiver.of(first.freightId).map(({ eventType }) => eventType)).toEqual([
          "FreightPublished",
          "FreightShared",
        ]),
      { timeout: 50_000 },
    );
  });

  test("that is shared again keeps its link and changes the message, without a second mail", async () => {
    const { freightId } = await createFreight(ask);
    const [email, later] = [address(), address()];
    const [before] = (await share([freightId], { recipients: [{ email }], message: "First" })).body.items;
    await mailed(email);
    const { items } = (await share([freightId], { recipients: [email, later], message: "Second" })).body;
    expect(items[0]).toEqual(before);
    await mailed(later);
    expect(await mailsTo(email)).toHaveLength(1);
    const { shares } = (await read(ask, freightId)).body;
    expect(shares.map((one) => [one.email, one.message])).toEqual([
      [email, "Second"],
      [later, "Second"],
    ]);
  });

  test("is shared once if the request is repeated with its idempotency key", async () => {
    const { freightId } = await createFreight(ask);
    const email = address();
    const again = () =>
      ask<{ items: Item[] }>("POST", "/api/v1/freights/share", {
        json: { freightIds: [freightId], recipients: [{ email }] },
        headers: { "idempotency-key": `share-${email}` },
      });
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
    await mailed(email);
    expect((await read(ask, freightId)).body.shares).toHaveLength(1);
  });

  test("that is shared again without a change keeps its version", async () => {
    const { freightId } = await createFreight(ask);
    const recipients = [address()];
    await share([freightId], { recipients });
    await mailed(recipients[0]!);
    await vi.waitFor(async () => expect((await read(ask, freightId)).body.shares[0]!.mailedAt).toBeDefined(), {
      timeout: 50_000,
    });
    const { version } = (await read(ask, freightId)).body;
    expect((await share([freightId], { recipients })).body.items).toHaveLength(1);
    expect((await read(ask, freightId)).body.version).toBe(version);
  });

  test("sends later tiers later, and cancels them when it is archived", async () => {
    const { freightId } = await createFreight(ask);
    const [now, soon, later] = [address(), address(), address()];
    const { items } = (
      await share([freightId], {
        recipients: [{ email: now }],
        tiers: [
          { afterMinutes: 60, recipients: [{ email: later }, { email: now }] },
          { afterMinutes: 0, recipients: [{ email: soon }] },
        ],
      })
    ).body;
    expect(items.map(({ email, tier, status }) => [email, tier, status])).toEqual([
      [now, 0, "Sent"],
      [soon, 1, "Sent"],
      [later, 2, "Waiting"],
    ]);
    const guest = visitorOf(service);
    const pathOf = (item: Item | undefined) => new URL(item!.link).pathname;
    expect((await guest.visit(pathOf(items[0]))).status).toBe(200);
    expect((await guest.visit(pathOf(items[2]))).status).toBe(404);
    await withdraw(ask, freightId);
    expect((await guest.visit(pathOf(items[0]))).status).toBe(410);
    const { shares } = await readArchived(ask, freightId);
    expect(shares.map(({ status }) => status)).toEqual(["Revoked", "Revoked", "Cancelled"]);
  });

  test("cannot be shared as a draft, when archived, or by another company; a refusal applies to all freights of the request", async () => {
    const { freightId } = await createFreight(ask);
    const { freightId: draft } = await createFreight(ask, { sources: [] });
    const recipients = [{ email: address() }];
    expect((await share([freightId, draft], { recipients })).body).toMatchObject({
      errorCode: "invalid_state",
      currentStatus: "Draft",
    });
    expect((await read(ask, freightId)).body.shares).toEqual([]);
    await withdraw(ask, freightId);
    expect((await share([freightId], { recipients })).body.currentStatus).toBe("Withdrawn");
    const { freightId: foreign } = await createFreight(apiClient(service, service.company().key));
    expect((await share([foreign], { recipients })).status).toBe(404);
  });

  test.each([
    ["no recipient", {}, "/recipients required"],
    ["an invalid address", { recipients: [{ email: "nobody" }] }, "/recipients/0/email invalid_format"],
    [
      "a tier in the past",
      { tiers: [{ afterMinutes: -1, recipients: ["a@b.example"] }] },
      "/tiers/0/afterMinutes too_small",
    ],
    [
      "more than a thousand recipients",
      {
        tiers: Array.from({ length: 6 }, (_, tier) => ({
          afterMinutes: tier,
          recipients: Array.from({ length: 170 }, (__, number) => `a${tier}-${number}@b.example`),
        })),
      },
      "/recipients too_big",
    ],
    ["an empty tier", { tiers: [{ afterMinutes: 5, recipients: [] }] }, "/tiers/0/recipients too_small"],
  ])("is not shared with %s", async (_, more, fault) => {
    const { freightId } = await createFreight(ask);
    const { status, errors } = refusal(await share([freightId], more));
    expect({ status, errors }).toEqual({ status: 400, errors: [fault] });
  });
});

describe("a guest", () => {
  test("who accepts the owner's counter-offer gets the freight and its order", async () => {
    const { freightId } = await createFreight(ask);
    const [{ path }, late] = [await shareWith(ask, freightId), await createOffer(ask, freightId)];
    const guest = visitorOf(service);
    await guest.send(path, { action: "Offer", price: "1200", name: "Vzorová Doprava s.r.o." });
    const { items } = (
      await ask<{ items: { offerId: string; source: string }[] }>(
        "GET",
        `/api/v1/freights/offers?freightId=${freightId}`,
      )
    ).body;
    const own = { freightId, offerId: items.find(({ source }) => source === "Guest")!.offerId };
    await changeOffer(ask, own, "Counter", { price: 1100 });
    // After a counter-offer it is the guest's turn, so the owner cannot accept.
    expect((await changeOffer(ask, own, "Accept")).body).toMatchObject({
      errorCode: "invalid_state",
      currentStatus: "Countered",
      allowed: ["Update", "Decline"],
    });
    const { body } = await guest.visit(path);
    await guest.send(path, { action: "Accept", seen: seenOn(body) });
    const { booking, offers, winner } = await readArchived(ask, freightId);
    expect(booking).toMatchObject({ offerId: own.offerId, price: 1100 });
    expect(winner?.carrier.email).toBe("dispo@vzorova-doprava.example");
    expect(offers.find(({ offerId }) => offerId === late.offerId)).toMatchObject({ reason: "OtherOfferAccepted" });
    const order = await ask<{ data: { carrier: unknown } }>("GET", `/api/v1/orders/${booking!.carrierOrderId}`);
    expect(order.body.data.carrier).toMatchObject({ name: "Vzorová Doprava s.r.o." });
  });

  test("can withdraw its offer, which the owner cannot, and the owner gets the event", async () => {
    await receiver.listen(ask);
    const { freightId } = await createFreight(ask);
    const { path } = await shareWith(ask, freightId);
    const guest = visitorOf(service);
    await guest.send(path, { action: "Offer", price: "1200", name: "Vzorová Doprava s.r.o." });
    const { offerId } = await offerOf(ask, freightId);
    const refused = await ask("DELETE", `/api/v1/freights/${freightId}/offers/${offerId}`);
    expect(refused).toMatchObject({ status: 409, body: { allowed: ["Accept", "Decline", "Counter"] } });
    await guest.send(path, { action: "Withdraw", seen: seenOn((await guest.visit(path)).body) });
    expect((await offerOf(ask, freightId)).status).toBe("Withdrawn");
    await vi.waitFor(() => expect(receiver.of(freightId).at(-1)?.eventType).toBe("OfferWithdrawn"), {
      timeout: 50_000,
    });
  });

  test("cannot accept a price that it has not seen", async () => {
    const { freightId } = await createFreight(ask);
    const { path } = await shareWith(ask, freightId);
    const guest = visitorOf(service);
    await guest.send(path, { action: "Offer", price: "1200", name: "Vzorová Doprava s.r.o." });
    await answerOffer(ask, freightId, { action: "Counter", price: 1100 });
    const seen = seenOn((await guest.visit(path)).body);
    await answerOffer(ask, freightId, { action: "Update", price: 900 });
    expect((await guest.send(path, { action: "Accept", seen })).status).toBe(409);
    expect((await offerOf(ask, freightId)).status).toBe("Countered");
  });
});

describe("a tier", () => {
  const beginning = Date.now();
  const momentAt = (minutes: number, version: number): CommandContext => ({
    at: new Date(beginning + minutes * minute).toISOString(),
    company: "01a1f8ce-96ba-7fa1-b074-5747ca82ef51",
    id: "01a1f8ce-96ba-7fa1-b074-5747ca82ef52",
    version,
    address: "https://lorry.example",
    secret: (about) => createHash("sha256").update(about).digest().subarray(0, 16).toString("base64url"),
  });

  type Done = Decision<Freight, Events, unknown>;
  const done = (decision: unknown): Done => {
    expect(decision).not.toHaveProperty("refused");
    return decision as Done;
  };

  const recipients: Recipient[] = [0, 30, 60].map((afterMinutes, tier) => ({
    shareId: `share-${tier}`,
    email: `tier-${tier}@carrier.example`,
    tier,
    afterMinutes,
  }));

  const statuses = ({ shares }: Freight) => shares.map(({ status }) => status);

  /** Makes a freight that is shared in three tiers, 30 minutes apart. */
  async function tiered(): Promise<Freight> {
    const body = FreightInput.parse(freight());
    const said = toFreightDetails(body, await locate({} as Env, body));
    const { state } = done(freightCommands.create.decide(undefined, { said }, momentAt(0, 1)));
    return done(shareCommands.share.decide(state, { recipients, hidePrice: false }, momentAt(0, 2))).state!;
  }

  test("is sent and mailed at its minute, and the next one follows", async () => {
    const shared = await tiered();
    expect(statuses(shared)).toEqual(["Sent", "Waiting", "Waiting"]);
    expect(nextDue(shared)).toBe(beginning + 30 * minute);
    const { state, events, jobs: work } = done(freightCommands.tick.decide(shared, {}, momentAt(30, 3)));
    expect(statuses(state!)).toEqual(["Sent", "Sent", "Waiting"]);
    expect(events?.map(({ type }) => type)).toEqual(["FreightShared"]);
    expect(work).toEqual([mailJob]);
    expect(nextDue(state!)).toBe(beginning + 60 * minute);
  });

  test("whose alarm is late is sent together with the other missed ones", async () => {
    const { state, events } = done(freightCommands.tick.decide(await tiered(), {}, momentAt(75, 3)));
    expect(statuses(state!)).toEqual(["Sent", "Sent", "Sent"]);
    expect(events).toHaveLength(1);
  });

  test("is sent at once for a guest with whom the freight is shared again", async () => {
    const ask = { recipients: [{ ...recipients[2]!, shareId: "another", tier: 0, afterMinutes: 0 }], hidePrice: false };
    const { state } = done(shareCommands.share.decide(await tiered(), ask, momentAt(10, 3)));
    expect(state!.shares[2]).toMatchObject({ shareId: "share-2", status: "Sent", tier: 0 });
  });

  test("of an archived freight is never mailed", async () => {
    const { state } = done(freightCommands.withdraw.decide(await tiered(), {}, momentAt(20, 3)));
    expect(statuses(state!)).toEqual(["Revoked", "Cancelled", "Cancelled"]);
    expect(nextDue(state!)).toBeUndefined();
    const { reply } = done(shareCommands.toMail.decide(state, { but: [], most: 9 }, momentAt(61, 4)));
    expect(reply).toEqual([]);
    expect(
      done(shareCommands.mailed.decide(state, { mailed: [], unsendable: [] }, momentAt(61, 4))).completedJobs,
    ).toEqual([mailJob]);
  });

  test("that is due while others are mailed is mailed by the same job", async () => {
    const shared = await tiered();
    const { reply } = done(shareCommands.toMail.decide(shared, { but: [], most: 9 }, momentAt(1, 3)));
    const link = expect.stringMatching(/^https:\/\/lorry\.example\/freight\/[\w-]{64}$/) as string;
    expect(reply).toMatchObject([{ shareId: "share-0", link }]);
    const later = done(freightCommands.tick.decide(shared, {}, momentAt(30, 3))).state!;
    const mailed = done(shareCommands.mailed.decide(later, { mailed: ["share-0"], unsendable: [] }, momentAt(30, 4)));
    expect(mailed.completedJobs).toBeUndefined();
    const all = done(
      shareCommands.mailed.decide(mailed.state, { mailed: [], unsendable: ["share-1"] }, momentAt(30, 5)),
    );
    expect(all.completedJobs).toEqual([mailJob]);
    expect(all.state!.shares.map(({ mailedAt }) => mailedAt !== undefined)).toEqual([true, false, false]);
  });
});

import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import {
  waitForMail,
  eml,
  waitUntilRouted,
  deliverMail as sentTo,
  soon,
  type Mail,
  type AcceptedMail,
} from "../../support/incoming-mails.ts";
import type { AggregateObject } from "../../../src/platform/aggregates.ts";
import { openService, type Company, type TestService } from "../../support/service.ts";

// Incoming mails: classification, routing and replies.

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
});

afterAll(() => service.stop());

const sent = (company: Company, raw: string) => sentTo(service, company, raw);

const order = (number = randomUUID()) => `TRANSPORT ORDER No. ${number}
Customer: Muster Spedition GmbH, Hafenstr. 4, 20457 Hamburg, DE, VAT DE123456788
Carrier: Musterlinie s.r.o., VAT CZ12345679
Loading: 24.11.2026 08:00-12:00, Muster Papier GmbH, Industriestr. 5, 04158 Leipzig, DE
Unloading: 25.11.2026 07:00-15:00, Magazyn Przykład, ul. Polna 3, 53-609 Wrocław, PL
Goods: 33 pallets of paper, 22000 kg. Freight: 780 EUR, payment 30 days.`;

const fine = () => `BUSSGELDBESCHEID
Behörde: Stadt Musterhausen, Bußgeldstelle
Aktenzeichen: ${randomUUID()}
Geschwindigkeitsüberschreitung am 12.10.2026 um 14:32 Uhr, A2 bei Musterhausen
Kennzeichen: WGM 12345
Erlaubt: 80 km/h, gemessen: 97 km/h
Bußgeld: 70,00 EUR, zahlbar bis 26.11.2026, IBAN DE89370400440532013000`;

const statement = (number: string = randomUUID()) =>
  `Receipt no;Date;Time;Plate;Station;Product;Quantity;Gross;Currency\n${number};05.10.2026;08:14;WGM 12345;"Rest area ""West""";Diesel;400,00;595,00;EUR\n`;

const orderMail = (more: { from?: string; id?: string; headers?: string[] } = {}) =>
  eml(
    {
      subject: "Transport order",
      text: "Hello,\n\nplease find our transport order attached.\n\nKind regards",
      ...more,
    },
    [{ name: "order.txt", bytes: order() }],
  );

/** Changes a mail as if it had been delivered by another route: it gets trace headers and another boundary. */
const onAnotherWay = (raw: string) =>
  [
    "Received: from relay.example (relay.example [192.0.2.7]) by mx.example; Mon, 23 Nov 2026 08:00:05 +0100",
    "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=relay.example; s=arc; b=AAAA",
    "DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=mail; bh=AAAA; b=BBBB",
    raw.replaceAll("mark", "another-mark"),
  ].join("\r\n");

const load = (bytes: string) => ({ name: "load.txt", bytes });
const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** Stores a mail under this id, as an earlier release did. */
async function keep(company: Company, id: string, raw: string): Promise<void> {
  const key = `${company.id}/mails/${id}/original`;
  await (await service.mf.getR2Bucket("FILES", "lorry")).put(key, raw);
  const objects = await service.mf.getDurableObjectNamespace("MAILS", "lorry");
  const mail = objects.get(objects.idFromName(`${company.id}/${id}`)) as unknown as AggregateObject;
  const file = { key, name: "mail.eml", mediaType: "message/rfc822", sizeBytes: raw.length, sha256: digest(raw) };
  const ask = { file, from: "dispo@sender.example", isAutomatic: false };
  await mail.execute(JSON.stringify({ company: company.id, id, name: "mails.receive", ask }));
}

describe("a mail", () => {
  test("with an order creates that order, with the sender in its metadata", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const { mailId } = await sent(company, orderMail());
    const mail = await waitUntilRouted(ask, mailId);
    expect(mail).toMatchObject({
      status: "Routed",
      label: "Order",
      kind: "order",
      routed: [{ path: "/api/v1/orders/file", attachment: "order.txt" }],
      answer: { status: "NotConfigured" },
    });
    const read = await ask<{ data: object; metadata: object }[]>("GET", `/api/v2/orders/${mail.routed[0]!.id}`, {
      headers: { prefer: "wait=20" },
    });
    expect(read.body).toMatchObject([{ metadata: { OriginalSender: "dispo@sender.example", MailId: mailId } }]);
    const list = async () =>
      (await ask<{ items: Mail[] }>("GET", "/api/v1/mails?kind=order&text=transport")).body.items;
    await vi.waitFor(async () => expect(await list()).toEqual([mail]), soon);
    const file = await ask<string>("GET", `/api/v1/mails/${mailId}/file`);
    expect(file.headers.get("content-type")).toBe("message/rfc822");
  });

  test.each([
    [
      "a request for a quote",
      () =>
        eml({
          subject: "Price please",
          text: "Do you have a tautliner 24 t from 04158 Leipzig to 53-609 Wroclaw on Thursday? 33 pallets. What would be your best price?",
        }),
      { kind: "quoteRequest", routed: [{ path: "/api/v1/opportunities/file" }] },
    ],
    [
      "a fine",
      () =>
        eml({ subject: "Bußgeldbescheid", text: "Anbei der Bußgeldbescheid." }, [
          { name: "Bussgeldbescheid.txt", bytes: fine() },
        ]),
      { kind: "fine", routed: [{ path: "/api/v1/documents", attachment: "Bussgeldbescheid.txt" }] },
    ],
    [
      "a statement of fuel cards",
      () =>
        eml({ subject: "Fuel card statement", text: "Please find our statement attached." }, [
          { name: "statement.csv", bytes: statement() },
        ]),
      { kind: "statement", routed: [{ path: "/api/v1/transactions-feed", attachment: "statement.csv" }] },
    ],
  ])("with %s is routed to the operation that extracts it", async (_, raw, wanted) => {
    const company = service.company();
    const { mailId } = await sent(company, raw());
    expect(await waitUntilRouted(apiClient(service, company.key), mailId)).toMatchObject({
      status: "Routed",
      ...wanted,
    });
  });

  test("with a statement imports its transactions, with the sender in the metadata of the feed", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const raw = eml({ subject: "Fuel card statement", text: "Please find our statement attached." }, [
      { name: "statement.csv", bytes: statement("4711") },
    ]);
    const { mailId } = await sent(company, raw);
    const { routed: made } = await waitUntilRouted(ask, mailId);
    const feed = () => ask("GET", `/api/v1/transactions-feed/feeds/${made[0]!.id}`);
    await vi.waitFor(async () => expect((await feed()).body).toMatchObject({ status: "Imported", accepted: 1 }), soon);
    expect((await feed()).body).toMatchObject({ metadata: { OriginalSender: "dispo@sender.example", MailId: mailId } });
    const { body } = await ask<{ items: object[] }>("GET", "/api/v1/transactions-feed");
    expect(body.items).toMatchObject([{ externalId: "4711", licensePlate: "WGM12345", grossAmount: 595 }]);
  });

  test("with a statement whose rows are all invalid ends as a failed import", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const bytes = statement().replace("595,00", "99999999999,00");
    const raw = eml({ subject: "Fuel card statement", text: "Please find our statement attached." }, [
      { name: "statement.csv", bytes },
    ]);
    const { mailId } = await sent(company, raw);
    const { routed: made } = await waitUntilRouted(ask, mailId);
    const feed = () => ask("GET", `/api/v1/transactions-feed/feeds/${made[0]!.id}`);
    const wanted = { status: "Failed", errorCode: "all_rows_rejected", rejectedCount: 1 };
    await vi.waitFor(async () => expect((await feed()).body).toMatchObject(wanted), soon);
  });

  test("that is delivered again changes nothing, however often and by which route", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const raw = orderMail({ id: "once@sender.example" });
    const first = await Promise.all(Array.from({ length: 5 }, () => sent(company, raw)));
    expect(new Set(first.map(({ mailId }) => mailId)).size).toBe(1);
    expect(first.filter(({ isNew }) => isNew)).toHaveLength(1);
    const mail = await waitUntilRouted(ask, first[0]!.mailId);
    expect(await sent(company, onAnotherWay(raw))).toEqual({ mailId: first[0]!.mailId, isNew: false });
    expect((await ask("GET", `/api/v1/mails/${first[0]!.mailId}`)).body).toEqual(mail);
    const orders = async () => (await ask<{ items: unknown[] }>("GET", "/api/v1/orders")).body.items;
    await vi.waitFor(async () => expect(await orders()).toHaveLength(1), soon);
    expect((await sent(service.company(), raw)).isNew).toBe(true);
  });

  test.each([
    ["text", { text: "The second truck." }, undefined],
    ["subject", { subject: "Truck 2" }, undefined],
    ["attachment", {}, "33 pallets, and one more"],
  ])("with a Message-ID that was used before and another %s is a separate mail", async (_, said, file) => {
    const company = service.company();
    const first = { subject: "Truck", text: "The first truck.", id: "reused@sender.example" };
    const mails = [eml(first, [load("33 pallets")]), eml({ ...first, ...said }, [load(file ?? "33 pallets")])];
    const taken = [await sent(company, mails[0]!), await sent(company, mails[1]!)];
    expect(taken.map(({ isNew }) => isNew)).toEqual([true, true]);
    expect(taken[1]!.mailId).not.toBe(taken[0]!.mailId);
    expect(await sent(company, onAnotherWay(mails[1]!))).toEqual({ mailId: taken[1]!.mailId, isNew: false });
  });

  test("without a Message-ID is recognised by its date and content", async () => {
    const company = service.company();
    const dated = (time: string) =>
      eml({ subject: "Truck", text: "It is late.", id: "", headers: [`Date: Mon, 23 Nov 2026 ${time} +0100`] });
    const first = await sent(company, dated("08:00:00"));
    expect(first.isNew).toBe(true);
    expect(await sent(company, onAnotherWay(dated("08:00:00")))).toEqual({ ...first, isNew: false });
    const second = await sent(company, dated("09:00:00"));
    expect(second.isNew).toBe(true);
    expect(second.mailId).not.toBe(first.mailId);
  });

  test.each([
    ["by its Message-ID", "kept@sender.example"],
    ["by its bytes", ""],
  ])("that an earlier release identified %s is recognised by its content", async (_, id) => {
    const company = service.company();
    const kept = eml({ subject: "Truck", text: "The first truck.", id });
    const name = id ? `<${id}>` : digest(kept);
    const mailId = digest(`${company.id}/${name}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
    await keep(company, mailId, kept);
    expect(await sent(company, kept)).toEqual({ mailId, isNew: false });
    if (!id) return;
    expect(await sent(company, onAnotherWay(kept))).toEqual({ mailId, isNew: false });
    expect((await sent(company, kept.replace("Subject: Truck", "Subject: Truck 2"))).isNew).toBe(true);
  });

  test("of a sender that is not allowed is stored and not routed", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const said = await ask("PUT", "/api/v1/mails/settings", { json: { senders: ["@partner.example", "a@b.example"] } });
    expect(said.body).toMatchObject({ senders: ["partner.example", "a@b.example"] });
    const stranger = await sent(company, orderMail());
    expect(await waitForMail(ask, stranger.mailId, () => undefined)).toMatchObject({
      status: "Ignored",
      ignoredBecause: "SenderNotAllowed",
      routed: [],
    });
    const partner = await sent(company, orderMail({ from: "x@mail.partner.example" }));
    expect(await waitUntilRouted(ask, partner.mailId)).toMatchObject({ status: "Routed" });
  });

  test("belongs to the company in its address; a forged address is refused", async () => {
    const company = service.company();
    const { body } = await apiClient(service, company.key)<{ address: string }>("GET", "/api/v1/mails/address");
    const to = (address: string) =>
      apiClient(service)<AcceptedMail>("POST", `/dev/mail/in?to=${encodeURIComponent(address)}`, { body: orderMail() });
    const taken = await to(body.address.toUpperCase());
    expect(taken.status).toBe(202);
    expect((await apiClient(service, company.key)("GET", `/api/v1/mails/${taken.body.mailId}`)).status).toBe(200);
    const forged = body.address.replace(/-[0-9a-f]{16}@/, "-0000000000000000@");
    expect((await to(forged)).status).toBe(404);
  });
});

describe("the sender of a mail", () => {
  const template = { subject: "Got it: {{subject}}", text: "Thank you. {{files}} is {{ids}}. {{unknown}}" };
  const answers = { order: template };
  const answersTo = async (address: string) => {
    const { items } = await (
      await service.fetch("/dev/mail", { headers: { accept: "application/json" } })
    ).json<{ items: { to: string; subject: string; text: string; headers?: Record<string, string> }[] }>();
    return items.filter(({ to }) => to === address);
  };
  const configured = async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    expect((await ask("PUT", "/api/v1/mails/settings", { json: { answers } })).status).toBe(200);
    return { company, ask, from: `${randomUUID()}@sender.example` };
  };

  test("gets one automatic reply by the template of the company", async () => {
    const { company, ask, from } = await configured();
    const raw = orderMail({ from, id: `${from}.1` });
    const { mailId } = await sent(company, raw);
    const mail = await waitUntilRouted(ask, mailId);
    expect(mail.answer).toMatchObject({ status: "Sent" });
    await sent(company, raw);
    expect(await answersTo(from)).toMatchObject([
      {
        subject: "Got it: Transport order",
        text: `Thank you. order.txt is ${mail.routed[0]!.id}. {{unknown}}`,
        headers: { "Auto-Submitted": "auto-replied", "In-Reply-To": `<${from}.1>` },
      },
    ]);
  });

  test.each([
    ["an automatic reply", ["Auto-Submitted: auto-replied"]],
    ["a bounce", ["Return-Path: <>"]],
    ["a mail of a mailing list", ["List-Id: <all.sender.example>"]],
    ["a bulk mail", ["Precedence: bulk"]],
  ])("gets no reply to %s", async (_, headers) => {
    const { company, ask, from } = await configured();
    const { mailId } = await sent(company, orderMail({ from, headers }));
    const mail = await waitForMail(ask, mailId, ({ status, answer }) =>
      expect(status === "Ignored" || answer !== undefined).toBe(true),
    );
    expect(mail.answer?.status ?? "Loop").toBe("Loop");
    expect(await answersTo(from)).toEqual([]);
  });

  test("gets no reply if it is an address of this deployment", async () => {
    const { company, ask } = await configured();
    const { body } = await ask<{ address: string }>("GET", "/api/v1/mails/address");
    const { mailId } = await sent(company, orderMail({ from: body.address }));
    expect((await waitUntilRouted(ask, mailId)).answer).toMatchObject({ status: "Loop" });
    expect(await answersTo(body.address)).toEqual([]);
  });

  test("gets at most twenty replies a day, which also limits a loop with an undetected program", async () => {
    const { company, ask, from } = await configured();
    const ids = [];
    for (let i = 0; i < 22; i++) ids.push((await sent(company, orderMail({ from }))).mailId);
    const mails = await Promise.all(ids.map((id) => waitUntilRouted(ask, id)));
    expect(mails.filter(({ answer }) => answer?.status === "Sent")).toHaveLength(20);
    expect(mails.filter(({ answer }) => answer?.status === "TooMany")).toHaveLength(2);
    expect(await answersTo(from)).toHaveLength(20);
  });
});

test("mails of another company are not found", async () => {
  const { mailId } = await sent(service.company(), orderMail());
  const stranger = apiClient(service, service.company().key);
  expect((await stranger("GET", `/api/v1/mails/${mailId}`)).status).toBe(404);
  expect((await stranger("GET", `/api/v1/mails/${mailId}/file`)).status).toBe(404);
});

test("the endpoint that simulates incoming mail exists in local deployments only", async () => {
  const elsewhere = await openService();
  const reply = await apiClient(elsewhere, elsewhere.company().key)("POST", "/dev/mail/in", { body: orderMail() });
  expect(reply.status).toBe(404);
  await elsewhere.stop();
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asking } from "./asking.ts";
import { become, eml, routed, sent as sentTo, soon, type Mail, type Taken } from "./mailing.ts";
import { openService, type Company, type TestService } from "./service.ts";

// Mails that come in: told what they are, posted, answered.

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

describe("a mail", () => {
  test("with an order becomes that order, and says who sent it", async () => {
    const company = service.company();
    const ask = asking(service, company.key);
    const { mailId } = await sent(company, orderMail());
    const mail = await routed(ask, mailId);
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
  ])("with %s goes to the operation that reads it", async (_, raw, wanted) => {
    const company = service.company();
    const { mailId } = await sent(company, raw());
    expect(await routed(asking(service, company.key), mailId)).toMatchObject({ status: "Routed", ...wanted });
  });

  test("with a statement brings its transactions, and says where they came from", async () => {
    const company = service.company();
    const ask = asking(service, company.key);
    const raw = eml({ subject: "Fuel card statement", text: "Please find our statement attached." }, [
      { name: "statement.csv", bytes: statement("4711") },
    ]);
    const { mailId } = await sent(company, raw);
    const { routed: made } = await routed(ask, mailId);
    const feed = () => ask("GET", `/api/v1/transactions-feed/feeds/${made[0]!.id}`);
    await vi.waitFor(async () => expect((await feed()).body).toMatchObject({ status: "Imported", accepted: 1 }), soon);
    expect((await feed()).body).toMatchObject({ metadata: { OriginalSender: "dispo@sender.example", MailId: mailId } });
    const { body } = await ask<{ items: object[] }>("GET", "/api/v1/transactions-feed");
    expect(body.items).toMatchObject([{ externalId: "4711", licensePlate: "WGM12345", grossAmount: 595 }]);
  });

  test("with a statement of which no row can be taken ends as a failed import", async () => {
    const company = service.company();
    const ask = asking(service, company.key);
    const bytes = statement().replace("595,00", "99999999999,00");
    const raw = eml({ subject: "Fuel card statement", text: "Please find our statement attached." }, [
      { name: "statement.csv", bytes },
    ]);
    const { mailId } = await sent(company, raw);
    const { routed: made } = await routed(ask, mailId);
    const feed = () => ask("GET", `/api/v1/transactions-feed/feeds/${made[0]!.id}`);
    const wanted = { status: "Failed", errorCode: "all_rows_rejected", rejectedCount: 1 };
    await vi.waitFor(async () => expect((await feed()).body).toMatchObject(wanted), soon);
  });

  test("that comes once more changes nothing, however often and whatever else it says", async () => {
    const company = service.company();
    const ask = asking(service, company.key);
    const raw = orderMail({ id: "once@sender.example" });
    const first = await Promise.all(Array.from({ length: 5 }, () => sent(company, raw)));
    expect(new Set(first.map(({ mailId }) => mailId)).size).toBe(1);
    expect(first.filter(({ isNew }) => isNew)).toHaveLength(1);
    const mail = await routed(ask, first[0]!.mailId);
    expect(await sent(company, orderMail({ id: "once@sender.example" }))).toEqual({
      mailId: first[0]!.mailId,
      isNew: false,
    });
    expect((await ask("GET", `/api/v1/mails/${first[0]!.mailId}`)).body).toEqual(mail);
    const orders = async () => (await ask<{ items: unknown[] }>("GET", "/api/v1/orders")).body.items;
    await vi.waitFor(async () => expect(await orders()).toHaveLength(1), soon);
    expect((await sent(service.company(), raw)).isNew).toBe(true);
  });

  test("without a Message-ID is known by its bytes", async () => {
    const company = service.company();
    const raw = orderMail({ id: "" });
    const [first, second] = [await sent(company, raw), await sent(company, raw)];
    expect([first.isNew, second]).toEqual([true, { ...first, isNew: false }]);
  });

  test("of a sender whose mails are not taken is put away and nothing else", async () => {
    const company = service.company();
    const ask = asking(service, company.key);
    const said = await ask("PUT", "/api/v1/mails/settings", { json: { senders: ["@partner.example", "a@b.example"] } });
    expect(said.body).toMatchObject({ senders: ["partner.example", "a@b.example"] });
    const stranger = await sent(company, orderMail());
    expect(await become(ask, stranger.mailId, () => undefined)).toMatchObject({
      status: "Ignored",
      ignoredBecause: "SenderNotAllowed",
      routed: [],
    });
    const partner = await sent(company, orderMail({ from: "x@mail.partner.example" }));
    expect(await routed(ask, partner.mailId)).toMatchObject({ status: "Routed" });
  });

  test("is for the company its address says, and for nobody by an address that is made up", async () => {
    const company = service.company();
    const { body } = await asking(service, company.key)<{ address: string }>("GET", "/api/v1/mails/address");
    const to = (address: string) =>
      asking(service)<Taken>("POST", `/dev/mail/in?to=${encodeURIComponent(address)}`, { body: orderMail() });
    const taken = await to(body.address.toUpperCase());
    expect(taken.status).toBe(202);
    expect((await asking(service, company.key)("GET", `/api/v1/mails/${taken.body.mailId}`)).status).toBe(200);
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
    const ask = asking(service, company.key);
    expect((await ask("PUT", "/api/v1/mails/settings", { json: { answers } })).status).toBe(200);
    return { company, ask, from: `${randomUUID()}@sender.example` };
  };

  test("is answered once, in the words of the company, as a program answers", async () => {
    const { company, ask, from } = await configured();
    const raw = orderMail({ from, id: `${from}.1` });
    const { mailId } = await sent(company, raw);
    const mail = await routed(ask, mailId);
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
    ["an answer of a program", ["Auto-Submitted: auto-replied"]],
    ["a bounce", ["Return-Path: <>"]],
    ["a list", ["List-Id: <all.sender.example>"]],
    ["bulk", ["Precedence: bulk"]],
  ])("is not answered when it is %s", async (_, headers) => {
    const { company, ask, from } = await configured();
    const { mailId } = await sent(company, orderMail({ from, headers }));
    const mail = await become(ask, mailId, ({ status, answer }) =>
      expect(status === "Ignored" || answer !== undefined).toBe(true),
    );
    expect(mail.answer?.status ?? "Loop").toBe("Loop");
    expect(await answersTo(from)).toEqual([]);
  });

  test("is not answered when it is ourselves", async () => {
    const { company, ask } = await configured();
    const { body } = await ask<{ address: string }>("GET", "/api/v1/mails/address");
    const { mailId } = await sent(company, orderMail({ from: body.address }));
    expect((await routed(ask, mailId)).answer).toMatchObject({ status: "Loop" });
    expect(await answersTo(body.address)).toEqual([]);
  });

  test("is answered twenty times a day at most, by whatever else it hides that it is a program", async () => {
    const { company, ask, from } = await configured();
    const ids = [];
    for (let i = 0; i < 22; i++) ids.push((await sent(company, orderMail({ from }))).mailId);
    const mails = await Promise.all(ids.map((id) => routed(ask, id)));
    expect(mails.filter(({ answer }) => answer?.status === "Sent")).toHaveLength(20);
    expect(mails.filter(({ answer }) => answer?.status === "TooMany")).toHaveLength(2);
    expect(await answersTo(from)).toHaveLength(20);
  });
});

test("mails are a company's own", async () => {
  const { mailId } = await sent(service.company(), orderMail());
  const stranger = asking(service, service.company().key);
  expect((await stranger("GET", `/api/v1/mails/${mailId}`)).status).toBe(404);
  expect((await stranger("GET", `/api/v1/mails/${mailId}/file`)).status).toBe(404);
});

test("a path for developers is there on their machines only", async () => {
  const elsewhere = await openService();
  const reply = await asking(elsewhere, elsewhere.company().key)("POST", "/dev/mail/in", { body: orderMail() });
  expect(reply.status).toBe(404);
  await elsewhere.stop();
});

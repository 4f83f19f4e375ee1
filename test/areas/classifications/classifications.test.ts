import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailLabels } from "../../../src/extraction/mail/labels.ts";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { classificationRows, oddMails } from "../../http/bad-input/classifications.ts";
import { refusalOf, refused } from "../../http/bad-input/refusals.ts";
import { mails } from "../../support/mail-samples.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Told {
  classificationId: string;
  label: string;
  confidence: number;
  labels: { label: string; confidence: number }[];
  language?: string;
  entities: Record<string, unknown[]>;
  attachments: { fileName: string; type: string; confidence: number }[];
  suggestedActions: { method: string; path: string; attachment?: string }[];
}

const path = "/api/v1/classifications/email";
let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const told = async (ask: ApiClient, json: unknown) => {
  const { status, body } = await ask<Told>("POST", path, { json });
  expect(status).toBe(200);
  return body;
};
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

const order = `TRANSPORT ORDER No. AB-5512/26
Carrier: Musterlinie s.r.o., VAT CZ12345679
Loading: 24.11.2026 08:00-12:00, Muster Papier GmbH, Industriestr. 5, 04158 Leipzig, DE
Unloading: 25.11.2026 07:00-15:00, Magazyn Przykład, ul. Polna 3, 53-609 Wrocław, PL
Goods: paper on pallets, weight 22 400 kg, 33 pallets
Trailer: tautliner
Freight price: 780,00 EUR   Payment term: 30 days`;

const invoice = `INVOICE No. FV/77/2026
Invoice date: 20.11.2026   Due date: 20.12.2026
Seller: Musterlinie s.r.o., VAT CZ12345679
Buyer: Beispiel Spedition GmbH, VAT DE123456788
Description        Quantity   Unit price   Net amount   VAT rate
Transport          1          780.00       780.00       0 %
Net amount: 780.00 EUR   VAT amount: 0.00   Total due: 780.00 EUR
IBAN: CZ65 0800 0000 1920 0014 5399`;

const request = `REQUEST FOR QUOTATION
Loading place: 04158 Leipzig, DE   Loading date: 24.11.2026
Unloading place: 53-609 Wrocław, PL   Unloading date: 25.11.2026
Weight: 22 t   Trailer type: tautliner   Goods: paper`;

describe("the label of a mail", () => {
  test("is right for nine of ten unseen mails, in more than fifteen languages", async () => {
    const ask = anyone();
    const wrong: string[] = [];
    for (const { language, label, subject, text } of mails) {
      const { label: given } = await told(ask, { subject, text });
      if (given !== label) wrong.push(`${language} ${label}: ${given}`);
    }
    expect(new Set(mails.map(({ language }) => language)).size).toBeGreaterThan(15);
    expect(new Set(mails.map(({ label }) => label))).toEqual(new Set(mailLabels));
    expect(wrong.length, wrong.join("; ")).toBeLessThanOrEqual(mails.length * 0.1);
  });

  test("has a confidence, and further possible labels", async () => {
    const { label, confidence, labels } = await told(anyone(), {
      subject: "Invoice 7712 overdue",
      text: "Dear Sirs,\n\nour invoice 7712 is still unpaid. Please settle it within seven days.\n\nRegards",
    });
    expect(label).toBe("PaymentReminder");
    expect(confidence).toBeGreaterThan(0.7);
    expect(labels[0]).toEqual({ label, confidence });
    expect(labels.reduce((sum, each) => sum + each.confidence, 0)).toBeLessThanOrEqual(1.001);
  });

  test("is that of the newest part of a thread", async () => {
    const { label } = await told(anyone(), {
      subject: "Re: Quote request Leipzig - Wrocław",
      text: "Hello,\n\nthe truck has broken down near Görlitz and will be five hours late, sorry.\n\nBest regards\nJan\n\nOn 20 Nov 2026 at 10:12 Eva <eva@firm.example> wrote:\n> Could you quote the following transport?\n> Leipzig - Wrocław, 24 t, tautliner.\n> Please let us have your best rate.",
    });
    expect(label).toBe("Delay");
  });

  test("is that of the forwarded mail if there is no text of its own", async () => {
    const { label } = await told(anyone(), {
      subject: "FW: invoice",
      text: "FYI\n\n-----Original Message-----\nFrom: Credit control <ar@firm.example>\nSent: Friday, 20 November 2026 10:12\nTo: Eva <eva@firm.example>\nSubject: invoice 7712\n\nOur invoice 7712 is overdue. Please pay it without delay, otherwise we will charge interest.",
    });
    expect(label).toBe("PaymentReminder");
  });

  test("does not come from a signature or a disclaimer", async () => {
    const ask = anyone();
    const text = "Hello,\n\nwhere is the truck now? The customer is asking for the ETA.";
    const below =
      "\n\nKind regards\nAccounts team\nInvoices and payment reminders: office@firm.example\nClaims and damages: claims@firm.example";
    const [bare, signed] = [await told(ask, { text }), await told(ask, { text: text + below })];
    expect([bare.label, signed.label]).toEqual(["StatusRequest", "StatusRequest"]);
    expect(signed.confidence).toBeCloseTo(bare.confidence, 2);
  });

  test("considers the headers of automatic mails", async () => {
    const mail = (more: string) =>
      `From: Eva <eva@firm.example>\r\nTo: jan@firm.example\r\nSubject: Re: AB-5512/26\r\nMIME-Version: 1.0\r\n${more}Content-Type: text/plain; charset=utf-8\r\n\r\nThank you for your message. It was received.\r\n`;
    const { status, body } = await anyone()<Told>("POST", path, {
      body: mail("Auto-Submitted: auto-replied\r\n"),
      headers: { "content-type": "message/rfc822" },
    });
    expect({ status, label: body.label }).toEqual({ status: 200, label: "AutoReply" });
  });
});

describe("the classification of a mail", () => {
  test("contains its language and entities", async () => {
    const { language, entities } = await told(anyone(), {
      subject: "Transportauftrag AB-5512/26",
      text: "Guten Tag,\n\nhiermit beauftragen wir Sie mit folgendem Transport:\nBeladung: 24.11.2026, 04158 Leipzig, DE\nEntladung: 25.11.2026, 53-609 Wrocław, PL\nKennzeichen: WGM 12345\nFracht 780,00 EUR\n\nMit freundlichen Grüßen\nBeispiel Spedition GmbH\nUSt-IdNr. DE123456788",
    });
    expect(language).toBe("de");
    expect(entities).toEqual({
      orderNumbers: ["AB-5512/26"],
      licensePlates: ["WGM12345"],
      vatCodes: ["DE123456788"],
      amounts: [{ amount: 780, currency: "EUR" }],
      dates: ["2026-11-24", "2026-11-25"],
      places: [
        { countryCode: "DE", postalCode: "04158", city: "Leipzig" },
        { countryCode: "PL", postalCode: "53-609", city: "Wrocław" },
      ],
    });
  });

  test.each([
    "Loading: 2026-11-24 08:00 Hamburg",
    "We load 24000kg steel",
    "Loading DE-20457 Hamburg",
    "Loading 24/11 - unloading",
    "Our order 2026-11-24 is late",
  ])("contains no order number for '%s'", async (text) => {
    expect((await told(anyone(), { subject: "Transport", text })).entities.orderNumbers).toEqual([]);
  });

  test("contains the type of each file", async () => {
    const { attachments, suggestedActions } = await told(anyone(), {
      subject: "Documents",
      text: "Please see the files.",
      attachments: [
        { fileName: "one.txt", file: base64(order) },
        { fileName: "two.txt", file: base64(invoice) },
        { fileName: "three.txt", file: base64(request) },
        { fileName: "CMR_5512.xyz", file: base64("\u0001\u0002\u0003") },
        { fileName: "driver qualification card.xyz", file: base64("\u0001\u0002\u0003") },
      ],
    });
    expect(suggestedActions).toContainEqual({
      method: "POST",
      path: "/api/v1/drivers-documents",
      attachment: "driver qualification card.xyz",
    });
    expect(attachments.map(({ fileName, type }) => [fileName, type])).toEqual([
      ["one.txt", "Order"],
      ["two.txt", "Invoice"],
      ["three.txt", "Opportunity"],
      ["CMR_5512.xyz", "Cmr"],
      ["driver qualification card.xyz", "DriverDocument"],
    ]);
  });

  test("suggests operations that accept its files or its text", async () => {
    const ask = anyone();
    const text = "Hello,\n\nplease find our transport order attached, the rate is 780 EUR. Please confirm.\n\nRegards";
    const files = new Map([
      ["order.txt", order],
      ["invoice.txt", invoice],
      ["request.txt", request],
    ]);
    const { suggestedActions } = await told(ask, {
      subject: "Transport order AB-5512/26",
      text,
      attachments: [...files].map(([fileName, words]) => ({ fileName, file: base64(words) })),
    });
    expect(suggestedActions).toEqual([
      { method: "POST", path: "/api/v1/orders/file", attachment: "order.txt" },
      { method: "POST", path: "/api/v1/documents", attachment: "invoice.txt" },
      { method: "POST", path: "/api/v1/opportunities/file", attachment: "request.txt" },
    ]);
    const alone = await told(ask, { subject: "Transport order AB-5512/26", text: `${text}\n\n${order}` });
    expect(alone.suggestedActions).toEqual([{ method: "POST", path: "/api/v1/orders/file" }]);
    for (const { method, path: where, attachment = "mail.txt" } of [...suggestedActions, ...alone.suggestedActions]) {
      const bytes = files.get(attachment) ?? `${text}\n\n${order}`;
      const { status } = await ask(method, where, { body: form({ name: attachment, bytes }) });
      expect(status, `${where} ${attachment}`).toBe(202);
    }
  });

  test("has an id, which stays the same when the request is repeated", async () => {
    const ask = anyone();
    const json = { subject: "Free truck", text: "We have a free tautliner in Leipzig tomorrow." };
    const headers = { "idempotency-key": "mail-1" };
    const first = await ask<Told>("POST", path, { json, headers });
    const again = await ask<Told>("POST", path, { json, headers });
    const other = await ask<Told>("POST", path, { json });
    expect(first.body.classificationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(again.body.classificationId).toBe(first.body.classificationId);
    expect(other.body.classificationId).not.toBe(first.body.classificationId);
  });
});

describe("malformed mails", () => {
  test.each(classificationRows)("a mail $what is refused", async (row) => {
    expect(await refused(anyone(), row)).toEqual(refusalOf(row));
  });

  test.each(oddMails)("a mail with $what is classified nevertheless", async ({ json }) => {
    const { status, body } = await anyone()<Told>("POST", path, { json });
    expect(status).toBe(200);
    expect(mailLabels).toContain(body.label);
  });
});

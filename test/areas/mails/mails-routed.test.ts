import { randomUUID } from "node:crypto";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { refusedFiles } from "../../http/bad-input/files.ts";
import { lyingZip, withFlag, zeros } from "../../http/bad-input/zips.ts";
import { tnef } from "../../support/files/make-tnef.ts";
import { waitUntilEnded } from "../../support/fines.ts";
import { waitForMail, eml, waitUntilRouted, deliverMail, soon, type Mail } from "../../support/incoming-mails.ts";
import { cmr, fine, invoice, licence, policy } from "../../support/papers/kinds.ts";
import { xlsx } from "../../support/papers/office.ts";
import { orderLines } from "../../support/papers/order.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { openService, type TestService } from "../../support/service.ts";

// Routing of incoming mails: one mail for each kind of content.

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
});

afterAll(() => service.stop());

const [orders, requests] = ["/api/v1/orders/file", "/api/v1/opportunities/file"];
const [documents, drivers, piles] = [
  "/api/v1/documents",
  "/api/v1/drivers-documents",
  "/api/v1/document-collections/files",
];
const [fines, statements] = ["/api/v1/automations/fines", "/api/v1/transactions-feed"];
const asksPrice = {
  subject: "Price?",
  text: "Do you have a tautliner 24 t from 04158 Leipzig to 53-609 Wroclaw on Thursday? 33 pallets. What would be your price?",
};
const pdf = (lines: string[]) => pdfPages([lines]);
const order = (number: string) => pdf(orderLines({ number }));
const statement = [
  ["Receipt no", "Date", "Time", "Plate", "Station", "Product", "Quantity", "Gross", "Currency"],
  ["4711", "05.10.2026", "08:14", "WGM 12345", "Rest area West", "Diesel", "400,00", "595,00", "EUR"],
  ["4712", "06.10.2026", "09:20", "WGM 12345", "Rest area East", "Diesel", "310,00", "461,90", "EUR"],
];
const csv = (rows: string[][]) => rows.map((row) => row.join(";")).join("\n");
const listOfFines = [
  ["Aktenzeichen", "Behörde", "Kennzeichen", "Tatzeit", "Tatort", "Bußgeld EUR", "Zahlbar bis"],
  ["505.118.442-7", "Stadt Musterhausen", "1BX 4821", "14.10.2026 07:42", "A 14, km 88", "90,00", "30.11.2026"],
  ["505.118.443-5", "Stadt Musterhausen", "1BX 4821", "15.10.2026 08:10", "A 14, km 12", "40,00", "30.11.2026"],
];
const locked = refusedFiles.find(({ what }) => what === "a PDF with a password")!.make() as Uint8Array;
const scan = (words: number) => jpeg(page(paragraph(words)));

type Files = Parameters<typeof eml>[1];
type MailInput = Parameters<typeof eml>[0];

/** Delivers a mail to a new company, and returns the mail after it is routed. */
async function outcomeOf(said: MailInput, files: Files = [], vehicles: string[] = []): Promise<Mail> {
  const company = service.company();
  const ask = apiClient(service, company.key);
  for (const licensePlate of vehicles)
    expect((await ask("POST", "/api/v1/vehicles", { json: { licensePlate } })).status).toBe(201);
  const { mailId } = await deliverMail(service, company, eml(said, files));
  return waitForMail(ask, mailId, () => undefined);
}

/** Returns, for each routed part, its operation and the name of its file, which is undefined for the mail itself. */
const posts = ({ routed }: Mail) => routed.map(({ path, attachment }) => [path, attachment]);
const withoutWords = { subject: "Scan from MFP", text: "" };
const ofPapers = { subject: "Papers of tour 4711", text: "Hello, attached you find the signed papers of our tour." };
const ofInvoice = { subject: "Invoice", text: "Hello, please find our invoice and the CMR attached." };
const ofOrder = { subject: "Order", text: "Hello, our order is attached, please confirm." };
const ofFine = { subject: "Bußgeldbescheid", text: "Guten Tag, anbei der Bußgeldbescheid." };
const ofFines = { subject: "Strafzettel", text: "Anbei die Liste der Bußgelder des Monats." };
const ofCards = { subject: "Fuel card statement", text: "Please find our statement attached." };
const byProgram = { from: "noreply@tms.example", headers: ["Auto-Submitted: auto-generated"] };
const forwarded = `FYI

-------- Forwarded Message --------
Subject: Order
From: Anna <anna@spedition.example>
To: dispo@trans.example

Hello, please find our transport order attached.`;
const zip = () =>
  zipSync({
    "__MACOSX/._Order 4711.pdf": strToU8("Finder"),
    "tour/Order 4711.pdf": order("MR-8"),
    "tour/Invoice 4711.pdf": pdf(invoice("MR/8/2026")),
  });
const winmail = () =>
  tnef([
    { name: "Order 4711.pdf", bytes: order("MR-6") },
    { name: "Invoice 4711.pdf", bytes: pdf(invoice("MR/6/2026")) },
  ]);

test.each<[string, MailInput, () => Files | Promise<Files>, [path: string, file?: string][]]>([
  ["an order", ofOrder, () => [{ name: "a.pdf", bytes: order("MR-1") }], [[orders, "a.pdf"]]],
  ["a request for a quote", asksPrice, () => [], [[requests]]],
  ["an invoice", ofInvoice, () => [{ name: "a.pdf", bytes: pdf(invoice("MR/1/2026")) }], [[documents, "a.pdf"]]],
  ["a CMR note", ofPapers, () => [{ name: "a.pdf", bytes: pdf(cmr("MR-1")) }], [[documents, "a.pdf"]]],
  ["a policy", ofPapers, () => [{ name: "a.pdf", bytes: pdf(policy) }], [[documents, "a.pdf"]]],
  [
    "a licence",
    ofPapers,
    () => [{ name: "Driving licence.txt", bytes: licence.join("\n") }],
    [[drivers, "Driving licence.txt"]],
  ],
  [
    "a fine, of a company without vehicles",
    ofFine,
    () => [{ name: "a.pdf", bytes: pdf(fine) }],
    [[documents, "a.pdf"]],
  ],
  ["a list of fines", ofFines, () => [{ name: "a.csv", bytes: csv(listOfFines) }], [[fines, "a.csv"]]],
  ["a workbook of fines", ofFines, () => [{ name: "a.xlsx", bytes: xlsx(listOfFines) }], [[fines, "a.xlsx"]]],
  ["a statement", ofCards, () => [{ name: "a.csv", bytes: csv(statement) }], [[statements, "a.csv"]]],
  ["a workbook of a statement", ofCards, () => [{ name: "a.xlsx", bytes: xlsx(statement) }], [[statements, "a.xlsx"]]],
  [
    "an order sent by a program",
    { ...ofOrder, ...byProgram },
    () => [{ name: "a.pdf", bytes: order("MR-2") }],
    [[orders, "a.pdf"]],
  ],
  [
    "a statement sent by a program",
    { ...ofCards, ...byProgram, text: "This mail was generated automatically. Do not reply." },
    () => [{ name: "a.csv", bytes: csv(statement) }],
    [[statements, "a.csv"]],
  ],
  [
    "two files",
    ofInvoice,
    () => [
      { name: "a.pdf", bytes: pdf(invoice("MR/2/2026")) },
      { name: "b.pdf", bytes: pdf(cmr("MR-2")) },
    ],
    [
      [documents, "a.pdf"],
      [documents, "b.pdf"],
    ],
  ],
  [
    "two documents in one file",
    ofInvoice,
    () => [{ name: "a.pdf", bytes: pdfPages([invoice("MR/3/2026"), cmr("MR-3")]) }],
    [[piles, "a.pdf"]],
  ],
  [
    "an invoice and a photograph",
    ofInvoice,
    async () => [
      { name: "a.pdf", bytes: pdf(invoice("MR/4/2026")) },
      { name: "IMG_1.jpg", bytes: await scan(20) },
    ],
    [
      [documents, "a.pdf"],
      [piles, "IMG_1.jpg"],
    ],
  ],
  [
    "photographs",
    ofPapers,
    async () => [
      { name: "IMG_1.jpg", bytes: await scan(20) },
      { name: "IMG_2.jpg", bytes: await scan(25) },
    ],
    [
      [piles, "IMG_1.jpg"],
      [piles, "IMG_2.jpg"],
    ],
  ],
  [
    "a scan without a text in the mail",
    withoutWords,
    async () => [{ name: "SKM_C25.jpg", bytes: await scan(20) }],
    [[piles, "SKM_C25.jpg"]],
  ],
  [
    "a forwarded order",
    { subject: "Fwd: Order", text: forwarded },
    () => [{ name: "a.pdf", bytes: order("MR-4") }],
    [[orders, "a.pdf"]],
  ],
  [
    "a mail in a mail",
    { subject: "Fwd: Order", text: "see attached" },
    () => [{ name: "a.eml", type: "message/rfc822", bytes: eml(ofOrder, [{ name: "a.pdf", bytes: order("MR-5") }]) }],
    [[orders, "a.eml"]],
  ],
  [
    "a winmail.dat of Outlook",
    ofOrder,
    () => [{ name: "winmail.dat", type: "application/ms-tnef", bytes: winmail() }],
    [
      [orders, "Order 4711.pdf"],
      [documents, "Invoice 4711.pdf"],
    ],
  ],
  [
    "a zip",
    ofOrder,
    () => [{ name: "papers.zip", type: "application/zip", bytes: zip() }],
    [
      [orders, "Order 4711.pdf"],
      [documents, "Invoice 4711.pdf"],
    ],
  ],
  [
    "an order beside an empty file",
    ofOrder,
    () => [
      { name: "empty.pdf", bytes: "" },
      { name: "a.pdf", bytes: order("MR-7") },
    ],
    [[orders, "a.pdf"]],
  ],
])("%s is routed to its operation", async (_, said, files, wanted) => {
  const mail = await outcomeOf(said, await files());
  expect(mail.status).toBe("Routed");
  expect(posts(mail)).toEqual(wanted.map(([path, file]) => [path, file]));
  for (const { id, errorCode } of mail.routed) expect([id, errorCode]).toEqual([expect.any(String), undefined]);
});

test("the complete files of a truncated winmail.dat are routed", async () => {
  const whole = winmail();
  const bytes = whole.subarray(0, whole.length - 400);
  const mail = await outcomeOf(ofOrder, [{ name: "winmail.dat", type: "application/ms-tnef", bytes }]);
  expect(posts(mail)[0]).toEqual([orders, "Order 4711.pdf"]);
});

test.each<[string, string, MailInput, string]>([
  ["an empty file", "file_empty", ofOrder, "Transport order.pdf"],
  ["a file with a password", "file_encrypted", ofOrder, "Transport order.pdf"],
  ["a file with a password and an unspecific name", "file_encrypted", ofPapers, "4711.pdf"],
])("%s is reported with its error", async (_, errorCode, said, name) => {
  const bytes = errorCode === "file_empty" ? "" : locked;
  expect(await outcomeOf(said, [{ name, bytes }])).toMatchObject({
    status: "Routed",
    routed: [{ attachment: name, errorCode }],
  });
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`notes ${at}.txt`, strToU8(`Greetings ${at}`)]));
test.each<[string, () => Uint8Array, string]>([
  ["a zip with a password", () => withFlag(zip(), 1), "file_encrypted"],
  ["a zip in a zip", () => zipSync({ "inner.zip": zip() }), "unsupported_file_type"],
  ["a zip with too many files", () => zipSync(many(21)), "unsupported_file_type"],
  ["a zip that unpacks to too many bytes", () => zipSync({ "a.txt": zeros(26) }), "unsupported_file_type"],
  ["a zip that understates its size", () => lyingZip({ "a.txt": "Order" }, { unpacked: 2 }), "unsupported_file_type"],
])("%s is not unpacked, and is reported with its error", async (_, make, errorCode) => {
  const mail = await outcomeOf(ofOrder, [
    { name: "a.pdf", bytes: order("MR-9") },
    { name: "b.zip", type: "application/zip", bytes: make() },
  ]);
  expect(posts(mail)).toEqual([[orders, "a.pdf"]]);
  expect(mail.notRouted).toEqual([{ attachment: expect.stringMatching(/\.zip$/), errorCode }]);
});

test("files that are not routed are listed, with the reason if they are unreadable", async () => {
  const heic = Uint8Array.from([0, 0, 0, 24, ...new TextEncoder().encode("ftypheic\0\0\0\0mif1heic")]);
  const mail = await outcomeOf(ofOrder, [
    { name: "a.pdf", bytes: order("MR-9") },
    { name: "IMG_1.heic", bytes: heic },
    { name: "notes.txt", bytes: "Greetings from the office, see you soon." },
  ]);
  expect(posts(mail)).toEqual([[orders, "a.pdf"]]);
  expect(mail.notRouted).toEqual([
    { attachment: "IMG_1.heic", errorCode: "unsupported_file_type" },
    { attachment: "notes.txt" },
  ]);
});

test.each<[string, string, MailInput]>([
  [
    "a newsletter",
    "Unwanted",
    {
      subject: "Logistics news",
      text: "Our newsletter: trends of the industry, webinars and offers. Click here to unsubscribe https://news.example/u",
      headers: ["List-Unsubscribe: <https://news.example/u>"],
    },
  ],
  [
    "spam",
    "Unwanted",
    {
      subject: "You have won 1,000,000 USD",
      text: "Dear friend, you have won the lottery. Send us your bank details to claim your prize of 1,000,000 USD now.",
    },
  ],
  [
    "an absence note",
    "Automatic",
    {
      subject: "Automatic reply: Order",
      text: "I am out of office until Monday.",
      headers: ["Auto-Submitted: auto-replied"],
    },
  ],
  [
    "an absence note without automatic headers",
    "Automatic",
    {
      subject: "Abwesenheitsnotiz",
      text: "Ich bin bis zum 28.11. nicht im Büro und habe keinen Zugriff auf meine Mails.",
    },
  ],
])("%s is stored and ignored", async (_, ignoredBecause, said) => {
  expect(await outcomeOf(said)).toMatchObject({ status: "Ignored", ignoredBecause, routed: [] });
});

test("an out-of-office reply creates no order from the mail it answers", async () => {
  const note = {
    subject: "Automatic reply: Order",
    text: "I am out of office until Monday.",
    headers: ["Auto-Submitted: auto-replied"],
  };
  const mail = await outcomeOf(note, [
    { name: "a.eml", type: "message/rfc822", bytes: eml(ofOrder, [{ name: "a.pdf", bytes: order("MR-8") }]) },
  ]);
  expect(mail).toMatchObject({ status: "Ignored", ignoredBecause: "Automatic", routed: [] });
});

describe("a fine of a company with vehicles", () => {
  const answers = { fine: { text: "Your notice {{files}} has come in: {{ids}}" } };

  test("is assigned to its driver once, and its sender gets a reply", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const assignments = [{ driver: { name: "Petr Vzorový" }, from: "2026-01-01" }];
    const { body: vehicle } = await ask("POST", "/api/v1/vehicles", {
      json: { licensePlate: "1BX 4821", assignments },
    });
    await ask("PUT", "/api/v1/mails/settings", { json: { answers } });
    const from = `${randomUUID()}@stadt.example`;
    const raw = eml({ ...ofFine, from }, [{ name: "a.pdf", bytes: pdf(fine) }]);
    const first = await deliverMail(service, company, raw);
    const mail = await waitUntilRouted(ask, first.mailId);
    expect(mail).toMatchObject({
      kind: "fine",
      label: "Fine",
      routed: [{ path: fines, attachment: "a.pdf", id: expect.any(String) }],
      answer: { status: "Sent" },
    });
    expect(await deliverMail(service, company, raw)).toEqual({ ...first, isNew: false });

    const { data, metadata } = await waitUntilEnded(ask, mail.routed[0]!.id!);
    expect(data!.items).toMatchObject([
      { matchStatus: "Matched", vehicleId: vehicle["vehicleId"], driver: { name: "Petr Vzorový" }, entered: true },
    ]);
    expect(metadata).toMatchObject({ MailId: first.mailId, OriginalSender: from });
    const listed = async () => (await ask<{ items: object[] }>("GET", "/api/v1/automations?status=2")).body.items;
    await vi.waitFor(async () => expect(await listed()).toHaveLength(1), soon);

    const later = await deliverMail(service, company, eml(ofFine, [{ name: "b.pdf", bytes: pdf(fine) }]));
    const again = await waitUntilRouted(ask, later.mailId);
    const reminder = await waitUntilEnded(ask, again.routed[0]!.id!);
    expect(reminder.data!.items).toMatchObject([{ matchStatus: "Duplicate", entered: false }]);
  });

  test("can be the text of the mail itself", async () => {
    const mail = await outcomeOf({ subject: "Bußgeldbescheid", text: fine.join("\n") }, [], ["1BX 4821"]);
    expect(mail).toMatchObject({ kind: "fine", routed: [{ path: fines, id: expect.any(String) }] });
  });
});

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { form } from "../../support/api-client.ts";
import { simulateInternet, type Receiver } from "../../support/simulated-internet.ts";
import { modelAnswering, questionOf, companyWith, type Extraction } from "../../support/language-model.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;
let model: Receiver;

beforeAll(async () => {
  model = internet.address("https://models.beispiel.de/v1/chat/completions");
  service = await openService({ internet: internet.answer, vars: { LLM_URL: model.url } });
});

afterEach(() => {
  model.received.length = 0;
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const waiting = { prefer: "wait=20" };

interface Request {
  data: { locations: object[]; payment?: object };
  missing: string[];
}

test("in a request for a quote, fields that the model finds are no longer missing", async () => {
  const inputText = [
    "Hello, we are looking for a tautliner for this transport:",
    "Loading: DE-04158 Leipzig, 24.11. 08:00 - 12:00",
    "Unloading: PL-53-609 Wrocław, 25.11.",
    "Goods: 33 pallets of paper",
    "The whole of it is as heavy as two hundred and twenty horses of 100, that is 22.",
  ].join("\n");
  const read = async (use?: string) => {
    const ask = await companyWith(service, use);
    const { body } = await ask<{ opportunities: Request[] }>("POST", "/api/v1/opportunities", {
      json: { inputText },
      headers: waiting,
    });
    return body.opportunities[0]!;
  };
  model.respondWith(modelAnswering(({ at }) => ({ requirements: { capacity: at(22, "horses") } })));
  const alone = await read();
  const both = await read("Always");
  expect(alone.missing).toContain("weight");
  expect(both.missing).toEqual(alone.missing.filter((field) => field !== "weight"));
  expect(both.data).toMatchObject({ locations: alone.data.locations, requirements: { capacity: 22 } });
});

const invoiceLines = [
  "Invoice No. FV/77/2026",
  "Issue date: 20.11.2026",
  "",
  "Seller: Vzorová Doprava s.r.o.",
  "Dlouhá 27, 602 00 Brno, Czech Republic",
  "VAT ID: CZ12345679",
  "",
  "Buyer: Beispiel Spedition GmbH",
  "Hafenstraße 12, 20457 Hamburg, Germany",
  "VAT ID: DE123456788",
  "",
  "Net amount: 980,00 EUR",
  "VAT 23 %: 225,40 EUR",
  "Gross amount: 1 205,40 EUR",
];

test("in a PDF invoice of two pages, lines and boxes refer to the right page, and the checks are run again", async () => {
  const pages = [invoiceLines, ["Terms", "You have thrice ten suns, 30 in figures, until we want to see the money."]];
  model.respondWith(
    modelAnswering(({ at }) => ({
      number: at("FV/77/2026", "Invoice No."),
      paymentDays: at(30, "thrice"),
      netAmount: at(225.4, "VAT 23"),
      seller: { name: at("Vzorová Doprava s.r.o.", "Seller"), vatCode: at("CZ12345678", "VAT ID") },
    })),
  );
  const ask = await companyWith(service, "Always");
  const { body } = await ask<{ documentId: string }>("POST", "/api/v1/documents", {
    body: form({ name: "invoice.pdf", bytes: pdfPages(pages) }, { type: "Invoices" }),
    headers: waiting,
  });
  expect(questionOf(model.received[0]!).rules).toContain("Find every invoice");
  const { body: envelope } = await ask<{ status: string; data: { checks: object[] } }>(
    "GET",
    `/api/v1/documents/invoice/${body.documentId}`,
  );
  const { body: evidence } = await ask<Extraction>("GET", `/api/v1/documents/${body.documentId}/extraction`);
  expect(envelope.data).toMatchObject({
    number: "FV/77/2026",
    seller: { vatCode: "CZ12345679" },
    netAmount: 980,
    paymentDays: 30,
  });
  expect(evidence.fields["/paymentDays"]).toMatchObject({ page: 2, text: "30" });
  expect(evidence.engine).toBe("lorry-1+model");
  expect(envelope).toMatchObject({ status: "Partial", data: { checks: evidence.checks } });
  expect(evidence.checks).toContainEqual(expect.objectContaining({ name: "EnginesDiffer", pointers: ["/netAmount"] }));
});

test("several orders in one file are merged one by one", async () => {
  const order = (number: string, price: string) => [
    `Transport order No. ${number}`,
    "Loading",
    "Industriestraße 5",
    "04158 Leipzig, Germany",
    "Date: 24.11.2026 08:00",
    "Unloading",
    "ul. Fabryczna 18",
    "53-609 Wrocław, Poland",
    "Date: 25.11.2026 07:00",
    `Freight price: ${price} EUR`,
  ];
  const pages = [order("SEV-1", "780.00"), order("SEV-2", "910.00")];
  model.respondWith((heard) => {
    const { at } = questionOf(heard);
    const orders = ["SEV-2", "SEV-1"].map((number) => ({
      orderNumber: at(number, number),
      incoterms: at(number, number),
    }));
    return {
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: JSON.stringify({ found: orders }) } }] }),
    };
  });
  const ask = await companyWith(service, "Always");
  const { body } = await ask<{ orders: { data: object }[] }>("POST", "/api/v1/orders/file", {
    body: form({ name: "orders.pdf", bytes: pdfPages(pages) }),
    headers: waiting,
  });
  expect(body.orders.map(({ data }) => data)).toMatchObject([
    { orderNumber: "SEV-1", incoterms: "SEV-1", payments: { price: 780 } },
    { orderNumber: "SEV-2", incoterms: "SEV-2", payments: { price: 910 } },
  ]);
});

import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/platform/ids.ts";
import type { AggregateObject } from "../../../src/platform/aggregates.ts";
import { apiClient } from "../../support/api-client.ts";
import { waiting } from "../../support/orders.ts";
import { oddSenders } from "../../support/unusual-orders.ts";
import { openService, type TestService } from "../../support/service.ts";
import {
  readOrder,
  createOrder,
  readEvidence,
  root,
  sendAndLearn,
  type FeedbackAnswer,
  type Order,
} from "../../support/feedback.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("the next document of the same sender", () => {
  test.each(oddSenders.map((sender) => [sender.language, sender] as const))(
    "in %s is extracted with the learnt fields, and its evidence says so",
    async (_, { paper }) => {
      const ask = anyone();
      const other = anyone();
      const first = await createOrder(ask, paper("TA-99001/26", "BX-4711/26", 37));
      expect(first.order.data?.orderNumber).toBe("TA-99001/26");
      const { feedbackId, lessons } = await sendAndLearn(ask, first.id, [
        { path: "/orderNumber", value: "BX-4711/26" },
        { path: "/payments/paymentDays", value: 37 },
      ]);
      expect(lessons).toBeGreaterThanOrEqual(2);
      const second = await createOrder(ask, paper("TA-99377/26", "KQ-20815/26", 52));
      expect(second.order.data).toMatchObject({ orderNumber: "KQ-20815/26", payments: { paymentDays: 52 } });
      const { fields } = await readEvidence(ask, second.id);
      expect(fields["/orderNumber"]).toMatchObject({ source: "Learned", text: "KQ-20815/26", feedbackId });
      const elsewhere = await createOrder(other, paper("TA-99377/26", "KQ-20815/26", 52));
      expect(elsewhere.order.data?.orderNumber).toBe("TA-99377/26");
      expect((await readEvidence(other, elsewhere.id)).fields["/orderNumber"]?.source).toBe("Document");
    },
  );

  test("of another sender, but with the same layout, is extracted with the learnt places of values", async () => {
    const [ask, other] = [anyone(), anyone()];
    const { paper } = oddSenders[0]!;
    const byAnother = (...said: [string, string, number]) =>
      paper(...said)
        .replace("Beispiel Spedition GmbH", "Fernblick Logistik AG")
        .replace("Hafenstraße 12, 20457 Hamburg", "Am Ring 3, 90402 Nürnberg")
        .replace("DE123456788", "DE136695976")
        .replace("dispo@beispiel-spedition.example", "verkehr@fernblick.example");
    const first = await createOrder(ask, paper("TA-99001/26", "BX-4711/26", 37));
    await sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-4711/26" }]);
    const next = await createOrder(ask, byAnother("TA-99377/26", "KQ-20815/26", 52));
    expect(next.order.data?.orderNumber).toBe("KQ-20815/26");
    expect((await readEvidence(ask, next.id)).fields["/orderNumber"]?.source).toBe("Learned");
    const elsewhere = await createOrder(other, byAnother("TA-99377/26", "KQ-20815/26", 52));
    expect(elsewhere.order.data?.orderNumber).toBe("TA-99377/26");
  });

  test("is extracted with all of several concurrent corrections", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const first = await createOrder(ask, paper("TA-99001/26", "BX-1/26", 37));
    await Promise.all([
      sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-1/26" }]),
      sendAndLearn(ask, first.id, [{ path: "/payments/paymentDays", value: 37 }]),
    ]);
    const wanted = (number: string, paymentDays: number) => ({ orderNumber: number, payments: { paymentDays } });
    expect((await readOrder(ask, first.id)).data).toMatchObject(wanted("BX-1/26", 37));
    const second = await createOrder(ask, paper("TA-99002/26", "BX-2/26", 45));
    expect(second.order.data).toMatchObject(wanted("BX-2/26", 45));
  });

  test("is extracted with the learnt field although no sender is named on it", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const unnamed = (...said: [string, string, number]) =>
      paper(...said)
        .split("\n")
        .slice(4)
        .join("\n");
    const first = await createOrder(ask, unnamed("TA-99001/26", "BX-1/26", 37));
    await sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-1/26" }]);
    expect((await createOrder(ask, unnamed("TA-99002/26", "BX-2/26", 45))).order.data?.orderNumber).toBe("BX-2/26");
  });

  test("is not extracted with a learnt field whose value is invalid", async () => {
    const ask = anyone();
    const paper = (code: string) =>
      oddSenders[0]!.paper("TA-99001/26", "BX-1/26", 30).replace("Valuta: 30", `Zahler-Kennung: ${code}`);
    const first = await createOrder(ask, paper("DE136695976"));
    await sendAndLearn(ask, first.id, [{ path: "/payer/vatCode", value: "DE136695976" }]);
    const [right, wrong] = [await createOrder(ask, paper("DE129273398")), await createOrder(ask, paper("DE129273399"))];
    expect(right.order.data).toMatchObject({ payer: { vatCode: "DE129273398" } });
    expect(wrong.order.data).not.toMatchObject({ payer: { vatCode: "DE129273399" } });
  });

  test("is not extracted with lessons of another sender", async () => {
    const ask = anyone();
    const [german, polish] = oddSenders;
    const first = await createOrder(ask, german!.paper("TA-99001/26", "BX-4711/26", 37));
    await sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-4711/26" }]);
    const other = await createOrder(ask, polish!.paper("TA-77001/26", "ZZ-1/26", 37));
    expect(other.order.data?.orderNumber).toBe("TA-77001/26");
  });

  test("gets corrected values that the document does not contain", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const first = await createOrder(ask, paper("TA-99001/26", "BX-1/26", 30));
    await sendAndLearn(ask, first.id, [
      { path: "/customer/internalId", value: "KD-77" },
      { path: "/incoterms", value: "DAP" },
    ]);
    const second = await createOrder(ask, paper("TA-99002/26", "BX-2/26", 31));
    expect(second.order.data).toMatchObject({ customer: { internalId: "KD-77" }, incoterms: "DAP" });
    expect((await readEvidence(ask, second.id)).fields["/incoterms"]).toMatchObject({ source: "Learned" });
  });

  test("is no longer extracted with a lesson that was corrected twice", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const misled = (number: string) => paper(`TA-${number}/26`, `BX-${number}/26`, 30);
    const first = await createOrder(ask, misled("1001"));
    await sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-1001/26" }]);
    for (const number of ["1002", "1003"]) {
      const next = await createOrder(ask, misled(number));
      expect(next.order.data?.orderNumber).toBe(`BX-${number}/26`);
      await sendAndLearn(ask, next.id, [{ path: "/orderNumber", value: null }]);
    }
    const last = await createOrder(ask, misled("1004"));
    expect(last.order.data?.orderNumber).toBe("TA-1004/26");
  });

  test("has a higher confidence after each confirmation of a lesson", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const first = await createOrder(ask, paper("TA-2001/26", "BX-2001/26", 30));
    await sendAndLearn(ask, first.id, [{ path: "/orderNumber", value: "BX-2001/26" }]);
    const sure: number[] = [];
    for (const number of ["2002", "2003"]) {
      const next = await createOrder(ask, paper(`TA-${number}/26`, `BX-${number}/26`, 30));
      sure.push((await readEvidence(ask, next.id)).fields["/orderNumber"]!.confidence);
      await sendAndLearn(ask, next.id, [], "Good");
    }
    expect(sure[1]).toBeGreaterThan(sure[0]!);
  });
});

describe("documents of other kinds", () => {
  const invoice = (tour: string, number: string) =>
    [
      "Vzorová Doprava s.r.o.",
      "Dlouhá 27, 602 00 Brno, Czech Republic",
      "VAT ID: CZ12345679",
      `Invoice No. ${tour}`,
      `Ledger key: ${number}`,
      "Issue date: 20.11.2026",
      "Due date: 20.12.2026",
      "Buyer: Beispiel Spedition GmbH, Hafenstraße 12, 20457 Hamburg, Germany",
      "VAT ID: DE123456788",
      "Description                         Quantity   Net amount   VAT %   VAT amount   Gross amount",
      "Transport Leipzig - Wroclaw         1          980,00       23      225,40       1 205,40",
      "Net amount: 980,00 EUR",
      "VAT 23 %: 225,40 EUR",
      "Gross amount: 1 205,40 EUR",
    ].join("\n");

  test("are extracted with learnt fields too", async () => {
    const ask = anyone();
    const send = async (text: string) =>
      (
        await ask<{ documentId: string; document: Order }>("POST", "/api/v1/documents", {
          json: { type: "Invoices", file: Buffer.from(text).toString("base64"), fileName: "invoice.txt" },
          headers: waiting,
        })
      ).body;
    const first = await send(invoice("T-1", "LK-900-1"));
    const { status, body } = await ask<FeedbackAnswer>("POST", root, {
      json: {
        subject: { type: "Document", id: first.documentId },
        rating: "Bad",
        corrections: [{ path: "number", value: "LK-900-1" }],
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    await vi.waitFor(
      async () => expect((await ask<FeedbackAnswer>("GET", `${root}/${body.feedbackId}`)).body.status).toBe("Learnt"),
      { timeout: 50_000, interval: 50 },
    );
    const second = await send(invoice("T-2", "LK-900-2"));
    expect(second.document.data).toMatchObject({ number: "LK-900-2" });
  });
});

test("feedback is applied and learnt even if its request is interrupted right after the commit", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  const { paper } = oddSenders[0]!;
  const { id } = await createOrder(ask, paper("TA-99001/26", "BX-1/26", 30));
  const objects = await service.mf.getDurableObjectNamespace("FEEDBACK", "lorry");
  const feedbackId = newId();
  const object = objects.get(objects.idFromName(`${company.id}/${feedbackId}`)) as unknown as AggregateObject;
  const said = {
    subject: { type: "Order", id, sequenceId: 0 },
    kind: "order",
    rating: "Bad",
    corrections: [{ pointer: "/orderNumber", before: "TA-99001/26", value: "BX-1/26" }],
    fields: [{ field: "/orderNumber", right: 0, wrong: 1 }],
  };
  await object.execute(JSON.stringify({ company: company.id, id: feedbackId, name: "feedback.give", ask: said }));
  await vi.waitFor(
    async () =>
      expect((await ask<FeedbackAnswer>("GET", `${root}/${feedbackId}`)).body).toMatchObject({ status: "Learnt" }),
    { timeout: 50_000, interval: 50 },
  );
  expect((await readOrder(ask, id)).data?.orderNumber).toBe("BX-1/26");
  const next = await createOrder(ask, paper("TA-99002/26", "BX-2/26", 30));
  expect(next.order.data?.orderNumber).toBe("BX-2/26");
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apiClient, form, type ApiClient, type Reply } from "../../support/api-client.ts";
import {
  carrierOrder,
  freshNumber,
  uploadDocument,
  setDocumentStatus,
  createCarrierOrder,
  readOrder,
  type CarrierAnswer,
} from "../../support/carriers.ts";
import type { ClaimApi } from "../../../src/platform/aggregates.ts";
import { openService, type Company, type TestService } from "../../support/service.ts";
import { guestOf, json, uploadFormOf, note, type UploadReply } from "../../support/share-links.ts";

let service: TestService;
let company: Company;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
});

beforeEach(() => {
  company = service.company();
  ask = apiClient(service, company.key);
});

afterAll(() => service.stop());

interface CarrierReply extends CarrierAnswer {
  errorCode?: string;
  result?: "Created" | "Updated" | "Unchanged";
}

const create = (orderNumber: string) =>
  ask<CarrierReply>("POST", "/api/v1/orders", { json: carrierOrder({ orderNumber, locations: [] }) });
const upsert = (orderNumber: string, more: Record<string, unknown> = {}) =>
  ask<CarrierReply>("POST", "/api/v1/orders/upsert", { json: carrierOrder({ orderNumber, locations: [], ...more }) });
const rename = (orderId: string, orderNumber: string, more: Record<string, unknown> = {}) =>
  ask<CarrierReply>("PUT", `/api/v1/orders/${orderId}`, {
    json: carrierOrder({ orderNumber, locations: [], ...more }),
  });
const cancel = (orderId: string) => ask<CarrierReply>("DELETE", `/api/v1/orders/${orderId}`);

/**
 * Reserves the number for the order without renaming the order, like a rename that is interrupted after its first step.
 */
async function giveNumber(number: string, orderId: string): Promise<void> {
  const claims = await service.mf.getDurableObjectNamespace("CLAIMS", "lorry");
  const claim = claims.get(claims.idFromName(`${company.id}/orders/number/${number}`)) as unknown as ClaimApi;
  await claim.take({ holder: orderId, note: new Date().toISOString() });
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const codeOf = ({ status, body: { errorCode } }: Reply<CarrierReply>) =>
  errorCode ? `${status} ${errorCode}` : `${status}`;
const counted = (answers: Reply<CarrierReply>[]) =>
  Object.fromEntries([...Map.groupBy(answers, codeOf)].map(([code, all]) => [code, all.length]));
const versionOf = ({ headers }: Reply<unknown>) => Number(headers.get("etag")!.slice(1, -1));

/** Expects that each number belongs to at most one live order, and that an upsert of the number reaches this order. */
async function expectOneOrderEach(numbers: string[], ids: Iterable<string>): Promise<void> {
  const orders = await Promise.all([...new Set(ids)].map((id) => readOrder(ask, id).then((order) => ({ id, order }))));
  const live = orders.filter(({ order }) => order.carrierOrder.status !== "Cancelled");
  for (const number of numbers) {
    const having = live.filter(({ order }) => order.data.orderNumber === number).map(({ id }) => id);
    expect(having.length, `${number} has ${having.join()}`).toBeLessThanOrEqual(1);
    const { status, body } = await upsert(number);
    expect(status, JSON.stringify(body)).toBe(200);
    expect({ ...body, isNew: body.result === "Created" }).toMatchObject(
      having[0] ? { orderId: having[0], isNew: false } : { isNew: true },
    );
  }
}

describe("an order number", () => {
  test("that is created and upserted in a hundred concurrent requests has one order", async () => {
    const number = freshNumber();
    const answers = await Promise.all(times(100, (index) => (index % 2 ? create(number) : upsert(number))));
    const makers = answers.filter(({ status, body }) => status === 201 || body.result === "Created");
    expect(makers).toHaveLength(1);
    const { orderId } = makers[0]!.body;
    const others = answers.filter((answer) => answer !== makers[0]);
    for (const { status, body } of others)
      expect(
        status === 409 ? body.errorCode === "duplicate_order_number" : body.result === "Unchanged",
        JSON.stringify(body),
      ).toBe(true);
    for (const { body } of answers.filter(({ status }) => status < 300)) expect(body.orderId).toBe(orderId);
    await expectOneOrderEach([number], [orderId]);
  });

  test("that is assigned to two orders concurrently goes to one of them, and the other keeps its own", async () => {
    await Promise.all(
      times(20, async () => {
        const [first, second, wanted] = [freshNumber(), freshNumber(), freshNumber()];
        const orders = await Promise.all(
          [first, second].map((orderNumber) => createCarrierOrder(ask, { orderNumber })),
        );
        const ids = orders.map(({ orderId }) => orderId);
        const answers = await Promise.all(ids.map((id) => rename(id, wanted)));
        expect(counted(answers)).toEqual({ 200: 1, "409 duplicate_order_number": 1 });
        const [winner, loser] = answers[0]!.status === 200 ? [0, 1] : [1, 0];
        expect((await readOrder(ask, ids[winner]!)).data.orderNumber).toBe(wanted);
        expect((await readOrder(ask, ids[loser]!)).data.orderNumber).toBe([first, second][loser]);
        await expectOneOrderEach([first, second, wanted], ids);
      }),
    );
  });

  test("that is requested while its order is cancelled belongs to one order, or is free", async () => {
    await Promise.all(
      times(20, async () => {
        const [own, wanted] = [freshNumber(), freshNumber()];
        const [{ orderId }, { orderId: holder }] = [
          await createCarrierOrder(ask, { orderNumber: own }),
          await createCarrierOrder(ask, { orderNumber: wanted }),
        ];
        const [renamed, cancelled] = await Promise.all([rename(orderId, wanted), cancel(holder)]);
        expect(cancelled.status).toBe(204);
        expect(["200", "409 duplicate_order_number"]).toContain(codeOf(renamed));
        const { data } = await readOrder(ask, orderId);
        expect(data.orderNumber).toBe(renamed.status === 200 ? wanted : own);
        await expectOneOrderEach([own, wanted], [orderId, holder]);
      }),
    );
  });

  test("of an order that is renamed back and forth never gets two orders", async () => {
    const numbers = [freshNumber(), freshNumber()];
    const { orderId } = await createCarrierOrder(ask, { orderNumber: numbers[0] });
    const ids = new Set([orderId]);
    const remember = ({ body }: Reply<CarrierReply>) => void (body.orderId && ids.add(body.orderId));
    const renaming = times(4, async (at) => {
      for (let round = 0; round < 12; round++) remember(await rename(orderId, numbers[(round + at) % 2]!));
    });
    const asking = times(4, async (at) => {
      for (let round = 0; round < 12; round++) {
        const answer = await upsert(numbers[(round + at) % 2]!, { internalComments: `${at}/${round}` });
        expect(["200", "409 in_progress"]).toContain(codeOf(answer));
        remember(answer);
        if (round % 4 === at && answer.body.orderId !== orderId && answer.status === 200)
          await cancel(answer.body.orderId);
      }
    });
    await Promise.all([...renaming, ...asking]);
    await expectOneOrderEach(numbers, ids);
  });

  test("that is upserted while its order is cancelled repeatedly always gets an order", async () => {
    const number = freshNumber();
    const ids = new Set<string>();
    await Promise.all(
      times(8, async () => {
        for (let round = 0; round < 10; round++) {
          const { status, body } = await upsert(number);
          expect(status, JSON.stringify(body)).toBe(200);
          ids.add(body.orderId);
          expect((await cancel(body.orderId)).status).toBe(204);
        }
      }),
    );
    await expectOneOrderEach([number], ids);
  });
});

describe("documents", () => {
  test("that are uploaded while the order is cancelled are stored or refused", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const uploads = times(30, (index) => uploadDocument(ask, orderId, "cmr", `Before or after ${index}`));
    await Promise.race(uploads);
    const cancelled = await cancel(orderId);
    const answers = await Promise.all(uploads);
    const late = await uploadDocument(ask, orderId, "cmr", "Afterwards");
    expect(cancelled.status).toBe(204);
    expect(late.status).toBe(409);
    const taken = answers.filter(({ status }) => status === 201).map(({ body }) => body.documentId);
    expect(taken.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const { carrierOrder: side } = await readOrder(ask, orderId);
    expect(side.status).toBe("Cancelled");
    expect(side.documents.map(({ documentId }) => documentId).sort()).toEqual(taken.sort());
  });

  test("that are uploaded with the old link while the carrier changes do not count", async () => {
    const sent = carrierOrder();
    const made = await upsert(sent.orderNumber, sent);
    const { orderId, shareUrl } = made.body;
    const { pathname } = new URL(shareUrl);
    const guest = guestOf(service);
    const answers: Reply<UploadReply>[] = [];
    const papers = times(15, async (paper) =>
      answers.push(await guest.send<UploadReply>(pathname, uploadFormOf([note(`${paper}`)]), json)),
    );
    await Promise.race(papers);
    const next = await upsert(sent.orderNumber, { ...sent, carrier: { name: "Jiná Doprava", vatCode: "CZ87654321" } });
    const after = await guest.send<UploadReply>(pathname, uploadFormOf([note("after")]), json);
    await Promise.all(papers);
    expect(next.body).toMatchObject({ orderId, result: "Updated" });
    expect(after.status).toBe(404);
    const taken = answers.filter(({ status }) => status === 201).flatMap(({ body }) => body.documents);
    expect(answers.every(({ status }) => status === 201 || status === 404)).toBe(true);
    const { carrierOrder: side } = await readOrder(ask, orderId);
    expect(side).toMatchObject({ status: "AwaitingDocuments", missingDocumentTypes: ["cmr"] });
    expect(side.documents.map(({ documentId, status }) => `${documentId} ${status}`).sort()).toEqual(
      taken.map(({ documentId }) => `${documentId} Superseded`).sort(),
    );
    await guest.handInOne(new URL(next.body.shareUrl).pathname, note("0"));
    expect((await readOrder(ask, orderId)).carrierOrder.status).toBe("InReview");
  });

  test("that are accepted and rejected in forty concurrent requests get their verdicts one after the other", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const { body: paper } = await uploadDocument(ask, orderId, "cmr");
    const answers = await Promise.all(
      times(40, (index) => setDocumentStatus(ask, orderId, paper.documentId, index % 2 ? "Accepted" : "Rejected")),
    );
    const verdicts = [...Map.groupBy(answers, versionOf)].sort(([a], [b]) => a - b);
    expect(verdicts.map(([version]) => version)).toEqual(times(verdicts.length, (index) => index + 3));
    let before = "Uploaded";
    for (const [, same] of verdicts) {
      const said = [...new Set(same.map(({ status, body }) => `${status} ${body.status} ${body.orderStatus}`))];
      expect(said).toHaveLength(1);
      expect(["200 Accepted Completed", "200 Rejected Rejected"]).toContain(said[0]);
      expect(same[0]!.body.status).not.toBe(before);
      before = same[0]!.body.status;
    }
    const { carrierOrder: side } = await readOrder(ask, orderId);
    const last = verdicts.at(-1)![1][0]!.body;
    expect({ order: side.status, paper: side.documents[0]!.status }).toEqual({
      order: last.orderStatus,
      paper: last.status,
    });
  });
});

describe("twenty concurrent requests with the same idempotency key", () => {
  let key = 0;
  const keyed = () => ({ "idempotency-key": `once-${++key}` });
  const twenty = async <Body = CarrierReply>(send: () => Promise<Reply<Body>>) => {
    const answers = await Promise.all(times(20, send));
    for (const { status, body } of answers) {
      expect(body).toEqual(answers[0]!.body);
      expect(status).toBe(answers[0]!.status);
    }
    const repeated = await send();
    expect(repeated).toMatchObject({ status: answers[0]!.status, body: answers[0]!.body as object });
    expect(repeated.headers.get("idempotency-replayed")).toBe("true");
    return { answers, first: answers[0]! };
  };
  const expectOneReplayedNot = (answers: Reply<unknown>[]) =>
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
  const versionNow = async (orderId: string) => {
    const { headers } = await ask("GET", `/api/v1/orders/${orderId}`);
    return Number(/^"(\d+)/.exec(headers.get("etag")!)![1]);
  };

  test("create one order", async () => {
    const sent = { json: carrierOrder(), headers: keyed() };
    const { answers, first } = await twenty(() => ask<CarrierReply>("POST", "/api/v1/orders", sent));
    expect(first.status).toBe(201);
    expectOneReplayedNot(answers);
    expect(await versionNow(first.body.orderId)).toBe(1);
  });

  test("upload one document", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const headers = keyed();
    const { answers, first } = await twenty(() =>
      ask<CarrierReply & { documentId: string }>("POST", `/api/v1/orders/${orderId}/documents`, {
        body: form({ name: "cmr.txt", bytes: "Twenty times" }, { documentType: "cmr" }),
        headers,
      }),
    );
    expect(first.status).toBe(201);
    expectOneReplayedNot(answers);
    const { documents } = (await readOrder(ask, orderId)).carrierOrder;
    expect(documents.map(({ documentId }) => documentId)).toEqual([first.body.documentId]);
    expect(await versionNow(orderId)).toBe(2);
  });

  test("give one verdict", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const { documentId } = (await uploadDocument(ask, orderId, "cmr")).body;
    const headers = keyed();
    const { answers, first } = await twenty(() =>
      ask<CarrierReply>("POST", `/api/v1/orders/${orderId}/documents/${documentId}/status`, {
        json: { status: "Accepted" },
        headers,
      }),
    );
    expect(first.status).toBe(200);
    expectOneReplayedNot(answers);
    expect(await versionNow(orderId)).toBe(3);
    await setDocumentStatus(ask, orderId, documentId, "Rejected");
    const replayed = await ask("POST", `/api/v1/orders/${orderId}/documents/${documentId}/status`, {
      json: { status: "Accepted" },
      headers,
    });
    expect(replayed.body).toEqual(first.body);
    expect((await readOrder(ask, orderId)).carrierOrder.status).toBe("Rejected");
  });

  test("upsert each of many orders once", async () => {
    const items = times(30, () => carrierOrder());
    const sent = { json: { items }, headers: keyed() };
    const { first } = await twenty(() => ask<{ items: CarrierReply[] }>("POST", "/api/v1/orders/upsert", sent));
    expect(first.body.items.map(({ result }) => result)).toEqual(items.map(() => "Created"));
    for (const { orderId } of first.body.items) expect(await versionNow(orderId)).toBe(1);
    await expectOneOrderEach(
      items.map(({ orderNumber }) => orderNumber),
      first.body.items.map(({ orderId }) => orderId),
    );
  });

  test("get the first response after the order was renamed, and reserve no number", async () => {
    const sent = { json: carrierOrder(), headers: keyed() };
    const first = await ask<CarrierReply>("POST", "/api/v1/orders", sent);
    expect((await rename(first.body.orderId, freshNumber())).status).toBe(200);
    const repeated = await ask<CarrierReply>("POST", "/api/v1/orders", sent);
    expect(repeated).toMatchObject({ status: 201, body: first.body });
    const next = await create(sent.json.orderNumber);
    expect(codeOf(next)).toBe("201");
    expect((await ask<CarrierReply>("POST", "/api/v1/orders", sent)).body).toEqual(first.body);
  });
});

describe("an upsert that is repeated with its idempotency key", () => {
  test.each<[string, (order: object) => object]>([
    ["one-order", (order) => order],
    ["items", (order) => ({ items: [carrierOrder(), order] })],
  ])("reaches the same order, even if the order was renamed since: %s", async (what, sentWith) => {
    const { orderId, data } = await createCarrierOrder(ask);
    const json = sentWith(carrierOrder({ orderNumber: data.orderNumber, internalComments: "Changed" }));
    const send = () =>
      ask<CarrierReply & { items: CarrierReply[] }>("POST", "/api/v1/orders/upsert", {
        json,
        headers: { "idempotency-key": what },
      });
    const first = await send();
    expect(first.body.items?.[1] ?? first.body).toMatchObject({ orderId, result: "Updated" });
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect((await rename(orderId, freshNumber())).status).toBe(200);
    const again = await send();
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(codeOf(await create(data.orderNumber))).toBe("201");
    expect((await send()).body).toEqual(first.body);
  });

  test("refuses an item whose number is being assigned, and does not report it as replayed", async () => {
    const [first, taken] = [await createCarrierOrder(ask), freshNumber()];
    await giveNumber(taken, first.orderId);
    const send = (headers: Record<string, string>) =>
      ask<{ items: CarrierReply[] }>("POST", "/api/v1/orders/upsert", {
        json: { items: [carrierOrder({ orderNumber: taken })] },
        headers,
      });
    const key = { "idempotency-key": "refused" };
    for (const { status, headers, body } of [await send({}), await send(key), await send(key)]) {
      expect(status).toBe(200);
      expect(body.items).toEqual([{ orderNumber: taken, errorCode: "in_progress", detail: expect.any(String) }]);
      expect(headers.get("idempotency-replayed")).toBeNull();
    }
  });
});

describe("a rename that is refused", () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      "with another carrier",
      { carrier: { name: "Jiná Doprava", vatCode: "CZ87654321" } },
      "409 carrier_change_refused",
    ],
    ["with a wrong field", { details: { weight: -1 } }, "400 validation_failed"],
  ])("%s leaves its number free", async (_, more, refused) => {
    const { orderId } = await createCarrierOrder(ask);
    const wanted = freshNumber();
    expect(codeOf(await rename(orderId, wanted, more))).toBe(refused);
    expect(codeOf(await create(wanted))).toBe("201");
  });

  test("because the order was cancelled in the meantime releases its number", async () => {
    await Promise.all(
      times(20, async () => {
        const { orderId } = await createCarrierOrder(ask);
        const wanted = freshNumber();
        const [renamed, cancelled] = await Promise.all([rename(orderId, wanted), cancel(orderId)]);
        expect(cancelled.status).toBe(204);
        expect(["200", "409 invalid_state"]).toContain(codeOf(renamed));
        expect(codeOf(await create(wanted))).toBe("201");
      }),
    );
  });
});

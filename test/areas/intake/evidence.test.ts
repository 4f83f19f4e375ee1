import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { AggregateObject } from "../../../src/platform/aggregates.ts";
import { apiClient } from "../../support/api-client.ts";
import { simulateInternet, type Receiver } from "../../support/simulated-internet.ts";
import { questionOf, completion, type Extraction } from "../../support/language-model.ts";
import { orderLines } from "../../support/papers/order.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;
let model: Receiver;

beforeAll(async () => {
  model = internet.address("https://models.beispiel.de/v1/chat/completions");
  service = await openService({ internet: internet.answer, vars: { LLM_URL: model.url, LLM_TIMEOUT_MS: "45000" } });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

type Gate = PromiseWithResolvers<string>;
type Gates = [Gate, Gate, Gate];

/** An order with two amounts, neither of which is labelled as the price. */
const text = [
  ...orderLines({ number: "EV-2026-0001" }).filter((line) => !line.startsWith("Freight price")),
  "For the whole job you will see 780.00 EUR on your account.",
  "Should you come a day late it will be 690.00 EUR instead.",
].join("\n");

test("a file is extracted by one worker, although its job is delivered again concurrently and its object is evicted", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  await ask("PUT", "/api/v1/company", { json: { name: "Trans Beispiel", languageModel: "Always" } });
  const [first, second, gate] = [0, 1, 2].map(() => Promise.withResolvers<string>()) as Gates;
  let asks = 0;
  model.respondWith(async () => {
    (asks++ === 0 ? first : second).resolve("A reading was begun.");
    await gate.promise;
    return completion({ found: [{}] });
  });
  const { body } = await ask<{ orderId: string }>("POST", "/api/v1/orders", { json: { inputText: text } });
  const { orderId: id } = body;
  await first.promise;
  const worker = await service.mf.getWorker("lorry");
  const job = { binding: "ORDERS", company: company.id, id, work: "orders.read" };
  const again = () => worker.queue("lorry-work", [{ id: "again", timestamp: new Date(), attempts: 1, body: job }]);
  for (let eviction = 0; eviction < 2; eviction++) {
    await service.mf.unsafeEvictDurableObject("lorry", "OrderObject", { name: `${company.id}/${id}` });
    const ended = Promise.all([again(), again()]).then(() => "They found it busy.");
    expect(await Promise.race([ended, second.promise])).toBe("They found it busy.");
  }
  gate.resolve("");
  await vi.waitFor(
    async () => {
      const [order] = (await ask<{ status: string }[]>("GET", `/api/v2/orders/${id}`)).body;
      expect(order?.status).toBe("Succeeded");
    },
    { timeout: 60_000 },
  );
  expect(asks).toBe(1);
});

test("only the evidence of the extraction that counts is stored, however many workers extract a file concurrently", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  await ask("PUT", "/api/v1/company", { json: { name: "Trans Beispiel", languageModel: "Always" } });
  const gates = [0, 1, 2].map(() => Promise.withResolvers<number>());
  const before = model.received.length;
  let asks = 0;
  model.respondWith(async (heard) => {
    const { at } = questionOf(heard);
    const price = await gates[asks++]!.promise;
    return completion({ found: [{ payments: { price: at(price, `${price}.00`) } }] });
  });
  const { body: received } = await ask<{ orderId: string }>("POST", "/api/v1/orders", { json: { inputText: text } });
  const { orderId: id } = received;
  const call = { company: company.id, id };

  /** Releases the lease of the current worker, as if it had died, and starts another one. */
  const another = async (): Promise<unknown> => {
    const objects = await service.mf.getDurableObjectNamespace("ORDERS", "lorry");
    const order = objects.get(objects.idFromName(`${company.id}/${id}`)) as unknown as AggregateObject;
    const [, kept] = (await order.execute(JSON.stringify({ ...call, name: "orders.look", ask: {} }))).split("\n");
    const { token } = (JSON.parse(kept!) as { lease: { token: string } }).lease;
    await order.execute(JSON.stringify({ ...call, name: "orders.release", ask: { token } }));
    const worker = await service.mf.getWorker("lorry");
    const body = { binding: "ORDERS", ...call, work: "orders.read" };
    return worker.queue("lorry-work", [{ id: "again", timestamp: new Date(), attempts: 1, body }]);
  };
  await model.waitForRequests(before + 1, 60_000);
  const second = another();
  await model.waitForRequests(before + 2, 60_000);
  const third = another();
  await model.waitForRequests(before + 3, 60_000);

  const read = async () => {
    const [order] = (await ask<{ data: { payments: { price?: number } } }[]>("GET", `/api/v2/orders/${id}`)).body;
    const { fields } = (await ask<Extraction>("GET", `/api/v1/orders/${id}/extraction`)).body;
    return { data: order?.data.payments.price, evidence: fields["/payments/price"]?.value };
  };
  gates[2]!.resolve(690);
  await third;
  const { data } = await read();
  gates[1]!.resolve(780);
  await second;
  expect(await read()).toEqual({ data, evidence: data });
  gates[0]!.resolve(780);
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const kept = async () => (await bucket.list({ prefix: `${company.id}/orders/${id}/extraction` })).objects.length;
  await vi.waitFor(async () => expect(await kept()).toBe(1), { timeout: 60_000 });
  expect(await read()).toEqual({ data, evidence: data });
}, 240_000);

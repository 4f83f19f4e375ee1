import { expect, test } from "vitest";
import { shippedLabeller } from "../../../../../scripts/labeller.ts";
import { extractOrders } from "../../../../../src/extraction/extract.ts";
import { labellerOf, type OrderLabeller } from "../../../../../src/extraction/kinds/order/labeller/complete.ts";
import { Budget } from "../../../../../src/extraction/problem.ts";
import { builtGazetteer, plainOrder, withGazetteer } from "../../../../support/extract-text.ts";

withGazetteer();

const base64 = (numbers: Int16Array | Float32Array): string => Buffer.from(numbers.buffer).toString("base64");
/** A forest that always gives the same odds. */
const always = (odds: number) => ({
  tests: base64(Int16Array.of(-1, 0)),
  values: base64(Float32Array.of(odds)),
  sizes: base64(Int16Array.of(1)),
});
const nothing = { weights: [], bias: -9 };
/** Takes any e-mail address of the document as that for invoices, with a chance of 0.95. */
const eager = labellerOf({
  signs: [],
  fields: { "order invoiceEmail": always(1) },
  choice: always(Math.log(19)),
  begin: nothing,
  end: nothing,
  limits: { "order invoiceEmail": 0.8 },
  replacing: {},
});

async function readWith(labeller: OrderLabeller | undefined, text: string) {
  const { items } = await extractOrders(
    { bytes: new TextEncoder().encode(text), name: "order.txt" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer: builtGazetteer(), labeller: async () => labeller, budget: new Budget(60_000) },
  );
  return items[0]!;
}

const address = "papers@example.com";

test("The labeller fills an empty field, and its value is never sure", async () => {
  const text = plainOrder({ foot: `Documents to ${address}` });
  expect((await readWith(undefined, text)).data.invoiceEmail).toBeUndefined();
  const { data, evidence } = await readWith(eager, text);
  expect(data.invoiceEmail).toBe(address);
  expect(evidence.find(({ pointer }) => pointer === "/invoiceEmail")).toMatchObject({
    text: address,
    confidence: 0.899,
  });
});

test("A value that the rules found stays, and so does its confidence", async () => {
  const text = plainOrder({ foot: `Invoices by e-mail to: ${address}\nQuestions: other@example.com` });
  const [alone, both] = [await readWith(undefined, text), await readWith(eager, text)];
  expect(both).toEqual(alone);
});

test("The shipped labeller leaves a plain order as the rules read it", async () => {
  const text = plainOrder();
  const [alone, both] = [await readWith(undefined, text), await readWith(await shippedLabeller(), text)];
  expect(both.data).toMatchObject(alone.data);
});

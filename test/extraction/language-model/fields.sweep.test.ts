import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractOrders } from "../../../src/extraction/extract.ts";
import { OrderView } from "../../../src/extraction/kinds/order/view.ts";
import { orderText } from "../../support/papers/order.ts";
import { builtGazetteer, withGazetteer } from "../../support/extract-text.ts";
import { modelFinding, orderFile } from "../../support/language-model.ts";

const year = new Date().getFullYear();
const company = { names: ["Trans Beispiel"], vatCodes: [], emailDomains: [] };
const budget = () => new Budget(60_000);

withGazetteer();

describe("for any response of a model", () => {
  const text = orderText("PB-2026-0001");
  const lineId = fc.oneof(
    fc.integer({ min: 1, max: 27 }).map((line) => `1:${line}`),
    fc.string({ maxLength: 5 }),
  );
  const words = fc.constantFrom(...text.split(/[\s,]+/), "Lügner", "2026-11-24", "24", "PL", "EUR", "-1", "");
  const leaf = fc.record({
    value: fc.oneof(words, fc.string(), fc.double({ noNaN: true }), fc.integer(), fc.constant(null)),
    lines: fc.array(lineId, { maxLength: 3 }),
  });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          ...Object.keys(OrderView.shape),
          "type",
          "city",
          "postalCode",
          "name",
          "cargo",
          "weight",
          "lines",
        ),
        tie("tree"),
        { maxKeys: 5 },
      ),
    ),
  }));
  const stop = fc.record(
    {
      type: fc.record({
        value: fc.constantFrom("Loading", "Unloading", "Stop"),
        lines: fc.array(lineId, { maxLength: 2 }),
      }),
      city: fc.record({ value: words, lines: fc.array(lineId, { maxLength: 2 }) }),
      postalCode: fc.record({ value: words, lines: fc.array(lineId, { maxLength: 2 }) }),
      startDate: fc.record({ value: words, lines: fc.array(lineId, { maxLength: 2 }) }),
    },
    { requiredKeys: ["type"] },
  );
  const order = fc.record(
    {
      orderNumber: fc.record({ value: words, lines: fc.array(lineId, { maxLength: 2 }) }),
      locations: fc.array(stop, { maxLength: 5 }),
      licensePlates: fc.array(fc.record({ value: words, lines: fc.array(lineId, { maxLength: 2 }) }), { maxLength: 4 }),
      customer: tree,
    },
    { requiredKeys: [] },
  );

  test("the result fits its view, has evidence for each value, and keeps all stops and values of the embedded engine", async () => {
    const context = { company, today: `${year}-11-20` };
    const alone = await extractOrders(orderFile(text), context, { gazetteer: builtGazetteer(), budget: budget() });
    const stopsOf = ({ locations = [] }: OrderView) => locations.map(({ city }) => city);
    const kind = fc.oneof(order, tree);
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { maxLength: 3 }), async (found) => {
        const tools = { gazetteer: builtGazetteer(), budget: budget(), model: modelFinding(found) };
        const both = await extractOrders(orderFile(text), context, tools);
        expect(both.items).toHaveLength(1);
        const [{ data, evidence }, { data: before }] = [both.items[0]!, alone.items[0]!];
        expect(OrderView.safeParse(data).error).toBeUndefined();
        expect(data).toMatchObject({ orderNumber: before.orderNumber, payments: before.payments! });
        expect(stopsOf(data).filter((city) => stopsOf(before).includes(city))).toEqual(stopsOf(before));
        expect(data.locations?.map(({ sequence }) => sequence)).toEqual(data.locations?.map((_, at) => at + 1));
        expect(new Set(evidence.map(({ pointer }) => pointer)).size).toBe(evidence.length);
        for (const { pointer, value } of evidence) expect(valueAt(data, pointer)).toEqual(value);
        for (const { pointers } of both.items[0]!.checks)
          for (const pointer of pointers) expect(valueAt(data, pointer)).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });
});

const valueAt = (data: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], data);

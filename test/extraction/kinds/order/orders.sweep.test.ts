import { expect, test } from "vitest";
import { plainOrder, readOrders, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

test("a list of six times as many stops takes about six times as long", async () => {
  const towns = ["37079 Göttingen", "10115 Berlin", "63-300 Pleszew", "01-001 Warszawa"];
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const what = at % 2 === 0 ? "Loading" : "Unloading";
      return `${what} ${at + 1}: Hauptstr. ${(at % 90) + 1}, ${towns[at % 4]}   24.11.2026 08:00   ${at % 30} pallets   Ref: AB${at}`;
    }).join("\n");
  const used = async (count: number) => {
    const text = plainOrder({ foot: list(count) });
    const began = process.cpuUsage();
    expect((await readOrders(text, { milliseconds: 60_000 })).status).toBe("Read");
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  await used(190);
  const few = await used(190);
  expect((await used(1_140)) / few).toBeLessThan(14);
});

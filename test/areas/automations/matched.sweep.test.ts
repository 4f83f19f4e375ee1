import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { runAutomation, fine, fleetVehicle } from "../../support/fines.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

test("the same fine in twenty concurrent requests is entered once", async () => {
  const ask = anyone();
  await fleetVehicle(ask, "WGM 50002");
  const one = fine("WGM 50002");
  const all = await Promise.all(Array.from({ length: 20 }, () => runAutomation(ask, { fines: [one] })));
  const items = all.flatMap((each) => each.items);
  expect(items.filter(({ entered }) => entered)).toHaveLength(1);
  expect(items.filter(({ matchStatus }) => matchStatus === "Duplicate")).toHaveLength(19);
});

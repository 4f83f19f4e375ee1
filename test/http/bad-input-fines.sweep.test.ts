import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient, form, type ApiClient } from "../support/api-client.ts";
import { failedFiles } from "./bad-input/files.ts";
import { fineRows, formOf, strangeLists } from "./bad-input/fines.ts";
import { refusalOf, refused } from "./bad-input/refusals.ts";
import { waitUntilEnded, fine, runAutomation, root, type Received } from "../support/fines.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

test.each(fineRows)("$what is refused", async (row) => {
  expect(await refused(ask, row)).toEqual(refusalOf(row));
});

test("refused requests store nothing", async () => {
  const { id } = await runAutomation(ask, { fines: [fine("ZZ 1")] });
  const { body } = await ask<{ items: { automationId: string }[] }>("GET", `${root}?createdFrom=2026-01-01`);
  expect(body.items.filter(({ automationId }) => automationId !== id)).toEqual([]);
});

const quick = failedFiles.filter(({ what }) => !/\d MB|million|billion|100,000/.test(what));

test.concurrent.each(quick)("$what is processed to a final state and enters no fine", async (file) => {
  const { status, body } = await ask<Received>("POST", `${root}/fines`, { body: formOf(file) });
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(202);
  const automation = await waitUntilEnded(ask, body.automationId);
  expect([3, 4]).toContain(automation.status);
  expect(automation.data?.items.some(({ entered }) => entered) ?? false).toBe(false);
  const code = automation.errorCode ?? automation.data?.items[0]?.errorCode;
  expect(code, JSON.stringify(automation).slice(0, 500)).toMatch(/^[a-z_]+$/);
});

test.concurrent.each(strangeLists)(
  "a list with $what is processed to a final state and enters no fine",
  async ({ name = "a.csv", make }) => {
    const alone = apiClient(service, service.company().key);
    const { status, body } = await alone<Received>("POST", `${root}/fines`, { body: form({ name, bytes: make() }) });
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(202);
    const automation = await waitUntilEnded(alone, body.automationId);
    expect([3, 4], JSON.stringify(automation).slice(0, 500)).toContain(automation.status);
    expect(automation.data?.items.some(({ entered }) => entered) ?? false).toBe(false);
  },
);

const resolutions: [what: string, json: unknown, pointer: string][] = [
  ["no items", { items: [] }, "/items"],
  ["an unknown action", { items: [{ index: 0, action: "Pay" }] }, "/items/0/action"],
  ["an index below zero", { items: [{ index: -1, action: "Dismiss" }] }, "/items/0/index"],
  ["an index without a fine", { items: [{ index: 7, action: "Dismiss" }] }, "/items/0/index"],
  [
    "a fine twice",
    {
      items: [
        { index: 0, action: "Dismiss" },
        { index: 0, action: "Dismiss" },
      ],
    },
    "/items",
  ],
  [
    "a driver without a name",
    { items: [{ index: 0, action: "Enter", driver: { name: " " } }] },
    "/items/0/driver/name",
  ],
  ["an invalid vehicle id", { items: [{ index: 0, action: "Enter", vehicleId: "1" }] }, "/items/0/vehicleId"],
];

test("an invalid decision is refused and changes nothing", async () => {
  const { id, automation } = await runAutomation(ask, { fines: [fine("ZZ 2")] });
  for (const [what, json, pointer] of resolutions) {
    const { status, body } = await ask<{ errors: { pointer: string }[] }>("POST", `${root}/${id}/resolve`, { json });
    expect({ status, pointer: body.errors?.[0]?.pointer }, what).toEqual({ status: 400, pointer });
  }
  expect((await ask("GET", `${root}/${id}`)).body).toEqual(automation);
});

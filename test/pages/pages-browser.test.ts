import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { browsing, shot } from "../support/browser.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

/**
 * Widgets of swagger-ui whose accessibility faults we cannot fix: buttons that contain links, selects without a label,
 * and code blocks that cannot be scrolled with the keyboard. Everything else on the page is checked, including its
 * colours.
 */
const notOurs = [
  ".opblock-summary-control",
  "#servers",
  ".examples-select-element",
  ".parameters-col_description > select",
  ".microlight",
];

browsing("/docs renders the contract on a phone, and sends no request to other hosts", async ({ open }) => {
  const { page, overhang, sent } = await open(service);
  await page.goto("/docs");
  await page.locator(".opblock").first().waitFor();
  expect(await page.locator(".opblock").count()).toBeGreaterThan(10);
  expect(await overhang()).toBe(0);
  await inBothColours(page, "docs");

  await page.getByRole("link", { name: "Errors" }).click();
  await page.waitForURL("/docs/errors");
  const asked = await sent();
  expect(asked.map(({ url }) => url)).toContain(`${service.url}/docs/errors`);
  expect(asked.filter(({ headers }) => headers.referer)).toEqual([]);
});

browsing("an operation of /docs opens on a phone", async ({ open }) => {
  const { page, overhang } = await open(service);
  await page.goto("/docs");
  // Swagger UI renders only the operations in view.
  await page.getByPlaceholder("Filter by tag").fill("keys");
  await page.locator(".opblock-summary-control", { hasText: "/api/v1/keys" }).first().click();
  await page.locator(".opblock.is-open .opblock-body").waitFor();
  expect(await overhang()).toBe(0);
  await expectAccessible(page, { within: ".opblock.is-open", except: notOurs });
  await shot(page, "docs-operation");
});

browsing("/docs without scripts leads to the contract", async ({ open }) => {
  const { page, overhang } = await open(service, { scripts: false });
  await page.goto("/docs");
  expect(await overhang()).toBe(0);
  await expectAccessible(page);
  await shot(page, "docs-without-scripts");
  await page.getByRole("main").getByRole("link", { name: "/openapi.json" }).click();
  expect(page.url()).toBe(`${service.url}/openapi.json`);
});

browsing("/docs/errors fits a phone", async ({ open }) => {
  const { page, overhang } = await open(service);
  await page.goto("/docs/errors#not_found");
  expect(await overhang()).toBe(0);
  await inBothColours(page, "errors");
});

browsing("guides fit a phone", async ({ open }) => {
  const { page, overhang } = await open(service);
  await page.goto("/docs/guides");
  expect(await overhang()).toBe(0);
  await inBothColours(page, "guides");
  await page.getByRole("link", { name: "Receive webhooks" }).click();
  await page.waitForURL("/docs/guides/webhooks");
  expect(await overhang()).toBe(0);
  await inBothColours(page, "guide-webhooks");
  await page.goto("/docs/guides/carrier-orders");
  expect(await overhang()).toBe(0);
  await inBothColours(page, "guide-carrier-orders");
});

/** Waits until the scripts of the page have handled the change of colours and all colour transitions have ended. */
const settled =
  "new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations().map((it) => it.finished)))";

async function inBothColours(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(settled);
    await expectAccessible(page, { except: notOurs });
    await shot(page, `${name}-${colorScheme}`);
  }
}

import { afterAll, beforeAll, expect, vi } from "vitest";
import { languageCodes } from "../../../src/i18n/language.ts";
import { expectAccessible } from "../../support/accessible.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { browsing, shot } from "../../support/browser.ts";
import { createFreight } from "../../support/freights.ts";
import { stopAt, visitorOf, type Town } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

const ways: [Town, Town, number, Record<string, unknown>, number?][] = [
  [["DE", "04158", "Leipzig"], ["PL", "53-609", "Wrocław"], 372, { trailerTypes: [3], capacity: 22.4, ldm: 13.6 }, 780],
  [["PL", "61-001", "Poznań"], ["NL", "3011", "Rotterdam"], 905, { trailerTypes: [2], capacity: 18 }, 1450],
  [["CZ", "602 00", "Brno"], ["FR", "69001", "Lyon"], 1280, { trailerTypes: [3, 6], capacity: 24, ldm: 13.6 }],
  [
    ["LT", "44001", "Kaunas"],
    ["DE", "20095", "Hamburg"],
    1060,
    { trailerTypes: [1, 3], capacity: 21, ldm: 12 },
    1180.5,
  ],
  [["IT", "20121", "Milano"], ["ES", "08001", "Barcelona"], 980, { trailerTypes: [10], capacity: 9.5, ldm: 6.4 }, 1090],
];

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" }, own: true });
  ask = apiClient(service, service.company().key);
  await ask("PUT", "/api/v1/company", { json: { name: "Beispiel Spedition GmbH" } });
  const ids: string[] = [];
  for (const [number, [loading, unloading, totalDistance, requirements, price]] of ways.entries()) {
    const locations = [stopAt(1, "Loading", loading, number + 2), stopAt(2, "Unloading", unloading, number + 4)];
    const payment = { currency: "EUR", term: 30, ...(price && { from: price }) };
    ids.push((await createFreight(ask, { locations, totalDistance, requirements, payment })).freightId);
  }
  const board = async () => (await visitorOf(service).visit("/board/freights.json")).body;
  const isComplete = (body: string) => ids.every((id) => body.includes(id));
  await vi.waitUntil(async () => isComplete(await board()), { timeout: 50_000, interval: 100 });
});

afterAll(() => service.stop());

browsing("a carrier finds a freight, asks for its link, and offers a price", async ({ open }) => {
  const phone = await open(service);
  const { page, overhang } = phone;
  await page.goto("/board");
  expect(await page.locator(".results li").count()).toBe(5);
  await expectAccessible(page);
  expect(await overhang()).toBeLessThanOrEqual(0);
  await shot(page, "board");

  await page.getByText("Search", { exact: true }).first().click();
  await page.getByLabel("Country of loading").selectOption("CZ");
  await page.getByLabel("Trailer").selectOption("6");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: "Freights found: 1" }).waitFor();
  await expectAccessible(page);
  await shot(page, "board-found");

  await page.getByRole("link", { name: "Brno → Lyon" }).click();
  await page.getByRole("heading", { name: "Brno → Lyon" }).waitFor();
  await expectAccessible(page);
  await shot(page, "board-freight");
  await page.getByLabel("Company").fill("Vzorová Doprava s.r.o.");
  await page.getByLabel("E-mail").fill("dispo@vzorova-doprava.example");
  await page.getByRole("button", { name: "Send me the link" }).click();
  await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  await expectAccessible(page);
  await shot(page, "board-sent");

  const mails = async () =>
    (await ask<{ items: { text: string }[] }>("GET", "/dev/mail", { headers: { accept: "application/json" } })).body
      .items;
  await expect.poll(async () => (await mails()).length, { timeout: 50_000 }).toBe(1);
  const [{ text }] = (await mails()) as [{ text: string }];
  await page.goto(new URL(/https?:\/\/\S+\/freight\/\S+/.exec(text)![0]).pathname);
  expect(await page.getByLabel("Company").inputValue()).toBe("Vzorová Doprava s.r.o.");
  await page.getByLabel(/^Your price/).fill("1390");
  await page.getByRole("button", { name: "Send offer" }).click();
  await page.getByText("Beispiel Spedition GmbH has received your offer of €1,390.").waitFor();
});

browsing("the board needs no scripts, and shows a message if no freight matches", async ({ open }) => {
  const { page } = await open(service, { scripts: false, locale: "de-DE", colorScheme: "dark" });
  await page.goto("/board");
  await page.getByText("Suche", { exact: true }).click();
  await page.getByLabel("Laden nahe").fill("Leipzig");
  await page.getByLabel("Auflieger").selectOption("13");
  await page.getByRole("button", { name: "Suchen" }).click();
  await page.getByRole("heading", { name: "Keine Fracht passt zu dieser Suche" }).waitFor();
  await expectAccessible(page);
  await shot(page, "board-none");
  await page.getByLabel("Auflieger").selectOption("3");
  await page.getByRole("button", { name: "Suchen" }).click();
  await page.getByRole("link", { name: "Leipzig → Wrocław" }).waitFor();
});

browsing("the board fits a wide window", async ({ open }) => {
  const { page, overhang } = await open(service, { size: { width: 1280, height: 900 } });
  await page.goto("/board?toCountry=&km=100");
  await expectAccessible(page);
  expect(await overhang()).toBeLessThanOrEqual(0);
  const rows = await page.locator(".results li").evaluateAll((items) => items.map((item) => item.clientHeight));
  expect(Math.max(...rows)).toBeLessThan(100);
  await shot(page, "board-wide");
});

browsing("the board fits every language on the smallest phone", async ({ open }) => {
  const { page, overhang } = await open(service, { size: { width: 320, height: 640 } });
  for (const code of languageCodes) {
    await page.goto(`/board?lang=${code}&trailer=3`);
    expect({ code, overhang: await overhang() }).toEqual({ code, overhang: 0 });
    const cut = `[...document.querySelectorAll(".button, summary, h1, h2, h3, label")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1).map(({ textContent }) => textContent)`;
    expect({ code, cut: await page.evaluate<string[]>(cut) }).toEqual({ code, cut: [] });
  }
});

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { languageCodes } from "../../../src/i18n/language.ts";
import { expectAccessible } from "../../support/accessible.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { browsing, shot } from "../../support/browser.ts";
import { expectToFit } from "../../support/page-layout.ts";
import { freight, hour, inFuture, createFreight, put, read, stops, withdraw } from "../../support/freights.ts";
import { answerOffer, carrier, offerOf, shareFreight, shareWith, stopAt, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  await ask("PUT", "/api/v1/company", { json: { name: "Beispiel Spedition GmbH" } });
});

afterAll(() => service.stop());

/** Makes a freight with most optional fields. */
const rich = () => ({
  locations: [
    stopAt(1, "Loading", ["DE", "04158", "Leipzig"], 2),
    stopAt(2, "Unloading", ["PL", "53-609", "Wrocław"], 3),
  ],
  requirements: {
    trailerTypes: [3, 6],
    capacity: 22.4,
    ldm: 13.6,
    pallets: 33,
    palletsExchange: true,
    ftl: true,
    loadingSide: "Back",
    temperature: { min: 2, max: 8, regime: "Continuous" },
    capabilities: [1, 4, 6],
  },
  comments: "Two straps a pallet, please.\nReport at gate 3.",
});

/** Makes the page refresh itself, as it does when it becomes visible again. */
const lookAgain = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

const statusOf = (page: Page, text: string | RegExp) => page.locator(".offer .summary").getByText(text).waitFor();

async function fillOffer(page: Page, price: string): Promise<void> {
  await page.getByLabel(/^Your price/).fill(price);
  await page.getByLabel("Number plate").fill("1BX 4821");
  await page.locator("#new").getByLabel("Message").fill("Empty in Halle from seven.");
}

describe("a carrier on a phone", () => {
  browsing("makes an offer, sees the answers without reloading, and gets the freight", async ({ open }) => {
    const { path, freightId, token } = await shareFreight(ask, rich(), { message: "Hello Petr, is this one for you?" });
    const phone = await open(service);
    const { page } = phone;
    await page.goto(path);
    await expectAccessible(page);
    await shot(page, "freight-form");
    await page.getByRole("link", { name: "Make an offer" }).click();
    await fillOffer(page, "1250");
    await page.getByRole("button", { name: "Send offer" }).click();
    await statusOf(page, "Beispiel Spedition GmbH has received your offer of €1,250.");
    expect(new URL(page.url()).search).toBe("");
    await expectAccessible(page);
    await shot(page, "freight-submitted");

    await answerOffer(ask, freightId, { action: "Counter", price: 1100, comment: "It is a regular run." });
    await lookAgain(page);
    await statusOf(page, "proposes €1,100.");
    expect(await page.locator("#announcement").textContent()).toContain("proposes €1,100.");
    await expectAccessible(page);
    await shot(page, "freight-countered");
    await page.getByText("Propose another price").click();
    await page
      .locator("#counter")
      .getByLabel(/^Your price/)
      .fill("1175");
    await page.locator("#counter").getByRole("button", { name: "Send" }).click();
    await statusOf(page, "has received your offer of €1,175.");

    await answerOffer(ask, freightId, { action: "Counter", price: 1150 });
    await lookAgain(page);
    await page.getByRole("button", { name: "Accept €1,150" }).click();
    await statusOf(page, "The freight is yours.");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await shot(page, "freight-accepted");
    expect((await read(ask, freightId)).status).toBe(410);
    const sent = await phone.sent();
    expect(sent.filter(({ headers }) => headers.referer?.includes(token))).toEqual([]);
  });

  browsing("sees an error at each invalid field, and keeps the entered text", async ({ open }) => {
    const { path, freightId } = await shareFreight(ask);
    const phone = await open(service);
    phone.expectComplaint(/status of 400/);
    const { page } = phone;
    await page.goto(path);
    await fillOffer(page, "twelve");
    await page.getByLabel(/^Company/).fill("");
    await page.getByRole("button", { name: "Send offer" }).click();
    await page.getByText("Please enter an amount").waitFor();
    await page.getByText("Please fill this in.").waitFor();
    expect(await page.locator("#new").getByLabel("Message").inputValue()).toBe("Empty in Halle from seven.");
    await expectAccessible(page);
    await shot(page, "freight-refused");
    await page.getByLabel(/^Your price/).fill("1200");
    await page.getByLabel(/^Company/).fill(carrier.name);
    await page.getByRole("button", { name: "Send offer" }).click();
    await statusOf(page, "has received your offer of €1,200.");
    expect(await offerOf(ask, freightId)).toMatchObject({ price: 1200 });
  });

  browsing("keeps the entered text while the freight changes", async ({ open }) => {
    const { path, freightId } = await shareFreight(ask);
    const { page } = await open(service);
    await page.goto(path);
    await fillOffer(page, "1250");
    await put(ask, freightId, freight({ payment: { from: 1400, currency: "EUR" } }));
    await lookAgain(page);
    await expect(page.waitForResponse(() => true, { timeout: 500 })).rejects.toThrow("Timeout");
    expect(await page.getByLabel(/^Your price/).inputValue()).toBe("1250");
  });

  browsing("confirms its offer after a change of the freight, changes the price, and withdraws", async ({ open }) => {
    const { path, freightId } = await shareFreight(ask);
    const { page } = await open(service);
    await page.goto(path);
    await fillOffer(page, "1250");
    await page.getByRole("button", { name: "Send offer" }).click();
    await statusOf(page, "has received your offer");
    await put(ask, freightId, freight({ requirements: { trailerTypes: [2] } }));
    await lookAgain(page);
    await statusOf(page, "The freight has changed.");
    await expectAccessible(page);
    await shot(page, "freight-outdated");
    expect(
      await page
        .locator("#confirm")
        .getByLabel(/^Your price/)
        .inputValue(),
    ).toBe("1250");
    await page.getByRole("button", { name: "Confirm the offer" }).click();
    await statusOf(page, "has received your offer of €1,250.");
    await page.getByText("Change the price").click();
    await page
      .locator("#update")
      .getByLabel(/^Your price/)
      .fill("1190");
    await page.locator("#update").getByRole("button", { name: "Send" }).click();
    await statusOf(page, "has received your offer of €1,190.");
    await page.getByRole("button", { name: "Withdraw the offer" }).click();
    await statusOf(page, "You have withdrawn your offer");
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Withdrawn" });
  });

  browsing("sees that the freight was withdrawn while the page was open", async ({ open }) => {
    const { path, freightId } = await shareFreight(ask);
    const phone = await open(service);
    phone.expectComplaint(/status of 410/);
    const { page } = phone;
    await page.goto(path);
    await withdraw(ask, freightId);
    await lookAgain(page);
    await page.getByRole("heading", { name: "This freight is no longer available" }).waitFor();
    await expectAccessible(page);
    await shot(page, "freight-gone");
    await page.reload();
    await page.getByRole("heading", { name: "This freight is no longer available" }).waitFor();
  });

  browsing("needs no JavaScript, and sees no hidden price", async ({ open }) => {
    const { path, freightId } = await shareFreight(ask, {}, { hidePrice: true });
    const { page } = await open(service, { scripts: false, locale: "pl-PL" });
    await page.goto(path);
    await page.getByText("Podaj swoją cenę").waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/1\s?000/);
    await expectAccessible(page);
    await page.getByLabel(/^Twoja cena/).fill("1.100,50");
    await page.getByRole("button", { name: "Wyślij ofertę" }).click();
    await page.getByText("Twoja oferta została wysłana.").waitFor();
    await answerOffer(ask, freightId, { action: "Counter", price: 1050 });
    await page.reload();
    await page.getByText("Odrzuć").first().click();
    await page.getByRole("button", { name: "Odrzuć" }).click();
    await page.getByText("Cena została odrzucona.").waitFor();
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Declined" });
  });

  browsing("needs only a keyboard", async ({ open }) => {
    const { path } = await shareFreight(ask);
    const { page } = await open(service);
    await page.goto(path);
    const focused = () => page.evaluate<string>("document.activeElement.id");
    for (let steps = 0; steps < 5 && (await focused()) !== "new-price"; steps++) await page.keyboard.press("Tab");
    expect(await focused()).toBe("new-price");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.type("980");
    await page.keyboard.press("Enter");
    await statusOf(page, "has received your offer of €980.");
  });
});

describe("the page fits", () => {
  const long = "Niezwyklenadzwyczajnieprzydługaspedycjamiędzynarodowa Sp. z o.o.";
  let path: string;

  beforeAll(async () => {
    const own = apiClient(service, service.company().key);
    await own("PUT", "/api/v1/company", { json: { name: long } });
    const [first, last] = stops();
    const customs = {
      sequence: 2,
      type: "Customs",
      address: { countryCode: "PL", city: "Świecko" },
      period: { startDate: inFuture(60 * hour) },
    };
    const { freightId } = await createFreight(own, {
      ...rich(),
      locations: [first, customs, { ...last, sequence: 3 }],
    });
    ({ path } = await shareWith(own, freightId, { email: `${"dispo".repeat(8)}@vzorova-doprava.example`, name: long }));
    const visitor = visitorOf(service);
    const text = "Wirkommenaus".repeat(8);
    await visitor.send(path, { action: "Offer", price: "1234567.89", name: long, comments: text });
    await answerOffer(own, freightId, { action: "Counter", price: 1_100_000.5, comment: text });
  });

  expectToFit({
    name: "freight",
    place: () => ({ service, path }),
    languages: languageCodes,
    texts: ".button, summary, h1, h2, dt, dd, label, .summary, .history li",
    controls: "summary, button, a, select, textarea, input:not([type=hidden])",
  });
});

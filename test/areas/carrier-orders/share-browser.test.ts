import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { languageCodes } from "../../../src/i18n/language.ts";
import { expectAccessible } from "../../support/accessible.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { browsing, shot } from "../../support/browser.ts";
import { setDocumentStatus, readOrder } from "../../support/carriers.ts";
import { expectToFit } from "../../support/page-layout.ts";
import { lossyLine } from "../../support/interruptible-proxy.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { openService, type TestService } from "../../support/service.ts";
import { guestOf, shareOrder } from "../../support/share-links.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  await ask("PUT", "/api/v1/company", { json: { name: "Beispiel Spedition GmbH" } });
});

afterAll(() => service.stop());

const paper = (name: string, text = name, bytes = 0) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(`CMR note ${text} ${"x".repeat(bytes)}`),
});

const rows = (page: Page) => page.locator(".upload");
/** Waits until a row of the page shows this outcome. */
const said = (page: Page, text: string | RegExp) => page.locator(".outcome").getByText(text).waitFor();
const papersOf = async (orderId: string) => (await readOrder(ask, orderId)).carrierOrder.documents;

describe("a carrier on a phone", () => {
  browsing("uploads several documents, sees the progress of each, and the link is not disclosed", async ({ open }) => {
    const { path, orderId, token } = await shareOrder(ask, { requiredDocumentTypes: "cmr,invoice" });
    const phone = await open(service);
    const { page } = phone;
    await page.goto(path);
    await phone.network({ uploadBytesPerSecond: 40_000 });
    await page.setInputFiles("#files-cmr", [paper("first.txt", "first", 300_000), paper("second.txt")]);

    expect(await rows(page).count()).toBe(2);
    const bar = rows(page).first().locator("progress");
    await expect.poll(() => bar.evaluate((element) => element.value), { interval: 20 }).toBeGreaterThan(0.2);
    await expect.poll(() => rows(page).first().locator(".outcome").textContent()).toMatch(/^Sending \d+%$/);
    expect(await rows(page).last().locator(".outcome").textContent()).toBe("Waiting");
    await expectAccessible(page);
    await shot(page, "share-sending");

    await phone.network({});
    await page.getByText("Still missing: invoice").waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(await page.locator("#announcement").textContent()).toMatch(/: Received$/);
    expect((await papersOf(orderId)).map(({ fileName, type }) => [fileName, type])).toEqual([
      ["first.txt", "cmr"],
      ["second.txt", "cmr"],
    ]);
    const sent = await phone.sent();
    expect(sent.filter(({ headers }) => headers.referer?.includes(token))).toEqual([]);
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  browsing("replaces a rejected document", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask, {
      orderNumber: "BS-26-04711",
      requiredDocumentTypes: "cmr,invoice",
    });
    const cmr = new Uint8Array(pdfPages([["CMR", "Taken over in good order"]]));
    const blurred = await guestOf(service).handInOne(path, { name: "CMR Wrocław.pdf", bytes: cmr });
    await setDocumentStatus(ask, orderId, blurred.documentId, "Rejected", "The consignee's stamp cannot be read.");
    const phone = await open(service);
    const { page } = phone;
    await page.goto(path);
    await page.getByText("The consignee's stamp cannot be read.").waitFor();
    const buffer = await page.screenshot({ type: "jpeg", quality: 90 });
    await phone.network({ uploadBytesPerSecond: 20_000 });
    await page.setInputFiles("#photo-cmr", { name: "IMG_20261125_1512.jpg", mimeType: "image/jpeg", buffer });
    await said(page, /^Sending [5-9]\d%$/);
    await expectAccessible(page);
    await shot(page, "share-rejected");
    await phone.network({});
    await page.getByText("Still missing: invoice").waitFor();
    await setDocumentStatus(ask, orderId, (await papersOf(orderId))[1]!.documentId, "Accepted");
    await page.setInputFiles("#files-invoice", paper("invoice-889.txt"));
    await page.getByText("All documents received.").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await shot(page, "share-in-review");
    await setDocumentStatus(ask, orderId, (await papersOf(orderId))[2]!.documentId, "Accepted");
    await page.reload();
    await page.getByText("Thank you! All documents have been accepted.").waitFor();
  });

  browsing("uploads a document of another type with a comment, and keeps the entered text", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const { page } = await open(service);
    await page.goto(path);
    await page.click("#another");
    await page.selectOption("#kind", "weightTicket");
    await page.fill("#note", "Second axle");
    await page.setInputFiles("#files-another", paper("scales.txt"));
    await page.getByText("scales.txt").and(page.locator("a *")).waitFor();
    expect(await page.locator("#kind").inputValue()).toBe("weightTicket");
    expect(await papersOf(orderId)).toMatchObject([{ type: "weightTicket", comment: "Second axle" }]);
  });

  browsing("continues automatically after a lost connection", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const line = await lossyLine(service);
    const phone = await open(line);
    const { page } = phone;
    phone.expectComplaint(/net::ERR_/);
    await page.goto(path);
    await phone.network({ uploadBytesPerSecond: 40_000 });
    await page.setInputFiles("#files-cmr", paper("far.txt", "far", 300_000));
    await said(page, /^Sending [2-9]\d%$/);
    line.cut();
    await said(page, "Connection lost. Trying again soon.");
    expect(await papersOf(orderId)).toEqual([]);
    line.mend();
    await phone.network({});
    await page.getByText("All documents received.").waitFor();
    expect(await papersOf(orderId)).toMatchObject([{ fileName: "far.txt" }]);
    line.close();
  });

  browsing("accepts a file that arrived although its response was lost", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const line = await lossyLine(service);
    const { page, expectComplaint } = await open(line);
    expectComplaint(/net::ERR_/);
    await page.goto(path);
    line.loseAnswer();
    await page.setInputFiles("#files-cmr", paper("echo.txt"));
    await page.getByText("All documents received.").waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(await papersOf(orderId)).toHaveLength(1);
    line.close();
  });

  browsing("uploads more files at once than the rate limit of a link", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const { page, expectComplaint } = await open(service);
    expectComplaint(/status of 429/);
    await page.goto(path);
    const pages = Array.from({ length: 40 }, (_, index) => paper(`page ${index}.txt`));
    await page.setInputFiles("#files-cmr", pages);
    await expect.poll(() => rows(page).count(), { timeout: 50_000 }).toBe(0);
    expect((await papersOf(orderId)).map(({ fileName }) => fileName)).toEqual(pages.map(({ name }) => name));
  });

  browsing("waits while offline, and continues when online", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const phone = await open(service);
    const { page } = phone;
    phone.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    await page.goto(path);
    await phone.network({ offline: true });
    await page.setInputFiles("#files-cmr", [paper("far.txt"), paper("farther.txt")]);
    await said(page, "No connection. Sending resumes automatically.");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await said(page, "No connection. Sending resumes automatically.");
    expect(await rows(page).last().locator(".outcome").textContent()).toBe("Waiting");
    await phone.network({});
    await page.getByText("All documents received.").waitFor();
    expect((await papersOf(orderId)).map(({ fileName }) => fileName)).toEqual(["far.txt", "farther.txt"]);
  });

  browsing("sees errors found in the browser at once, and those of the server", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const phone = await open(service, { locale: "de-DE" });
    const { page } = phone;
    phone.expectComplaint(/status of 400/);
    await page.goto(path);
    const posts = async () => (await phone.sent()).filter(({ method }) => method === "POST").length;
    await page.setInputFiles("#files-cmr", [
      { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("film") },
      { name: "leer.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) },
    ]);
    await page.evaluate(choosesLargeFile);
    await expect
      .poll(() => rows(page).locator(".outcome").allTextContents())
      .toEqual([
        "Diese Datei können wir nicht annehmen. Bitte senden Sie ein Foto (JPG, PNG), ein PDF oder ein Office-Dokument.",
        "Diese Datei ist leer.",
        "Das ist zu groß. Auf einmal können höchstens 25 MB gesendet werden.",
      ]);
    expect(await posts()).toBe(0);
    for (let left = 3; left > 0; left--) await page.getByRole("button", { name: "Entfernen" }).first().click();
    expect(await rows(page).count()).toBe(0);

    await page.setInputFiles("#files-cmr", {
      name: "riss.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7"),
    });
    await said(page, /^Diese Datei ist beschädigt/);
    await expectAccessible(page);
    expect(await papersOf(orderId)).toEqual([]);
  });

  /** A script that creates the file in the browser, because transferring 26 MB to the browser is slow. */
  const choosesLargeFile = `{
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(26 * 1024 * 1024)], "groß.pdf"));
    const input = document.querySelector("#files-cmr");
    input.files = chosen.files;
    input.dispatchEvent(new Event("change"));
  }`;

  browsing("sees that a file was uploaded before", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const { page } = await open(service);
    await page.goto(path);
    await page.setInputFiles("#files-cmr", paper("once.txt"));
    await page.getByText("All documents received.").waitFor();
    await page.click("#open-cmr");
    await page.setInputFiles("#files-cmr", paper("twice.txt", "once.txt"));
    await said(page, "This file was already received.");
    expect(await papersOf(orderId)).toHaveLength(1);
  });

  browsing("sees that the link was replaced or the order cancelled while the page was open", async ({ open }) => {
    const order = { orderNumber: "BR-2026-0001", carrier: { vatCode: "CZ12345679" } };
    const [replaced, cancelled] = [await shareOrder(ask, order), await shareOrder(ask)];
    const phone = await open(service);
    phone.expectComplaint(/status of 4(?:04|09|10)/);
    const { page } = phone;
    await page.goto(replaced.path);
    await ask("POST", "/api/v1/orders/upsert", { json: { ...order, carrier: { vatCode: "PL5260250274" } } });
    await page.setInputFiles("#files-cmr", paper("late.txt"));
    await page.getByText("This link is no longer valid").waitFor();
    await expectAccessible(page);

    await page.goto(cancelled.path);
    await ask("DELETE", `/api/v1/orders/${cancelled.orderId}`);
    await page.setInputFiles("#files-cmr", [paper("late.txt"), paper("later.txt")]);
    await page.getByText("This order has been cancelled").waitFor();
    await expectAccessible(page);
  });

  browsing("needs no JavaScript", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask, { requiredDocumentTypes: "cmr" });
    const phone = await open(service, { scripts: false, locale: "pl-PL" });
    phone.expectComplaint(/status of 400/);
    const { page } = phone;
    await page.goto(path);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Wyślij" }).first().click();
    await page.getByText("Najpierw wybierz plik.").first().waitFor();
    await page.setInputFiles("#files-cmr", [paper("1.txt"), paper("2.txt")]);
    await page.getByRole("button", { name: "Wyślij" }).first().click();
    await page.getByText("Otrzymane pliki: 2").waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await papersOf(orderId)).toHaveLength(2);
  });

  browsing("needs only a keyboard", async ({ open }) => {
    const { path, orderId } = await shareOrder(ask);
    const { page } = await open(service);
    await page.goto(path);
    const focused = () => page.evaluate<string>("document.activeElement.id");
    const reach = async (id: string) => {
      for (let steps = 0; steps < 20 && (await focused()) !== id; steps++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(id);
    };
    await reach("files-cmr");
    const outline = "getComputedStyle(document.activeElement.closest('.picker')).outlineStyle";
    expect(await page.evaluate<string>(outline)).toBe("solid");
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Space");
    await (await chooser).setFiles(paper("keys.txt"));
    await page.getByText("All documents received.").waitFor();
    await expect.poll(focused).toBe("open-cmr");
    await reach("another");
    await page.keyboard.press("Enter");
    await reach("note");
    expect(await papersOf(orderId)).toHaveLength(1);
  });
});

describe("the page fits", () => {
  const long = "Niezwyklenadzwyczajnieprzydługaspedycjamiędzynarodowa Sp. z o.o.";
  const crowded = async () => {
    const link = await shareOrder(ask, {
      orderNumber: "ORDER/2026/11/24/WITH-A-VERY-LONG-NUMBER-0001",
      carrier: { name: long, vatCode: "CZ12345679" },
      requiredDocumentTypes: "cmr,invoice,temperatureReport,palletReceipt,deliveryNote",
    });
    const guest = guestOf(service);
    const hand = (type: string, name: string) => guest.handInOne(link.path, { name, bytes: `${type} ${name}` }, type);
    const rejected = await hand("cmr", `${long.replaceAll(" ", "")}.txt`);
    await setDocumentStatus(ask, link.orderId, rejected.documentId, "Rejected", `Unleserlich: ${"x".repeat(80)}`);
    await setDocumentStatus(ask, link.orderId, (await hand("invoice", "invoice.txt")).documentId, "Accepted");
    await hand("palletReceipt", "pallets.txt");
    return link;
  };
  let path: string;
  beforeAll(async () => void ({ path } = await crowded()));

  expectToFit({
    name: "share",
    place: () => ({ service, path }),
    languages: languageCodes,
    texts: ".picker, summary, .state, h1, h3, .languages a",
    controls: ".picker, summary, button, a, select, input:not([type=file], [type=hidden])",
  });
});

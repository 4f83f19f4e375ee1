import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { test } from "vitest";
import { runsInCi } from "../../scripts/quiet.mjs";
import { startChromium } from "./chromium.ts";

/** Settings of the simulated phone. */
export interface PhoneOptions {
  /** The language of `Accept-Language` and `navigator.language`. Default: `en-GB`. */
  locale?: string;
  /** `false` disables scripts. */
  scripts?: boolean;
  colorScheme?: "light" | "dark";
  /** Size of the screen in CSS pixels. Default: 390 × 844. */
  size?: { width: number; height: number };
}

export interface Phone {
  page: Page;
  /**
   * Returns all requests of all pages so far, with the headers that were sent. The names of headers are in lower case.
   */
  sent: () => Promise<{ method: string; url: string; headers: Record<string, string> }[]>;
  /** Takes the network of this page offline or limits its uploads; `{}` removes both limits. */
  network: (limits: { offline?: boolean; uploadBytesPerSecond?: number }) => Promise<void>;
  /** Measures how much wider than the screen the page is, in CSS pixels. */
  overhang: () => Promise<number>;
  /** Allows an error that the test causes deliberately. */
  expectComplaint: (pattern: RegExp) => void;
  /** @throws if a page reported an error or sent a request to another host */
  close: () => Promise<void>;
}

/** The browser of all test files, which share one process. It ends with the process. */
const browser = await startChromium();
if (typeof browser === "string") {
  if (runsInCi()) throw new Error(`Tests in a browser cannot run: ${browser}.`);
  console.warn(`Tests in a browser are skipped: ${browser}.`);
}

/**
 * Defines a test in a browser. If no browser can be started, the test is skipped; in CI, it fails. The test also fails
 * if a page writes an error to the console, throws an error, violates its Content-Security-Policy or sends a request to
 * another host than the service.
 */
export const browsing = test
  .extend<{ open: (service: { url: string }, options?: PhoneOptions) => Promise<Phone> }>({
    // eslint-disable-next-line no-empty-pattern
    open: async ({}, use) => {
      const phones: Phone[] = [];
      await use(async (service, options) => {
        const phone = await openPhone(service, options);
        phones.push(phone);
        return phone;
      });
      const closed = await Promise.allSettled(phones.map((phone) => phone.close()));
      for (const phone of closed) if (phone.status === "rejected") throw phone.reason;
    },
  })
  .skipIf(typeof browser === "string");

/**
 * Opens a new phone, which the caller must close. (`browsing` closes its phones itself.) Paths are relative to the
 * service.
 */
export async function openPhone(
  { url }: { url: string },
  { locale = "en-GB", scripts = true, colorScheme = "light", size = { width: 390, height: 844 } }: PhoneOptions = {},
): Promise<Phone> {
  if (typeof browser === "string") throw new Error(browser);
  const context = await browser.newContext({
    baseURL: url,
    locale,
    colorScheme,
    javaScriptEnabled: scripts,
    viewport: size,
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  });
  context.setDefaultTimeout(100_000);
  const requests = requestsOf(context);
  const { origin } = new URL(url);
  const complaints = complaintsOf(context, origin);
  const expected: RegExp[] = [];
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  devTools.on("Network.webSocketCreated", ({ url }) => complaints.push(...strangerIn(url, origin)));
  await devTools.send("Network.enable");

  return {
    page,
    sent: () =>
      Promise.all(
        requests.map(async (sent) => ({ method: sent.method(), url: sent.url(), headers: await sent.allHeaders() })),
      ),
    network: (limits) => limitNetwork(devTools, limits),
    overhang: () => page.evaluate<number>("document.documentElement.scrollWidth - screen.width"),
    expectComplaint: (pattern) => void expected.push(pattern),
    async close() {
      await context.close();
      const unexpected = complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)));
      if (unexpected.length) throw new Error(`In the browser:\n${unexpected.join("\n")}`);
    },
  };
}

/**
 * Saves a full-page screenshot as `<name>.png` in the folder that the environment variable `SCREENSHOTS` names. Does
 * nothing if it is not set.
 */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

function requestsOf(context: BrowserContext): Request[] {
  const requests: Request[] = [];
  context.on("request", (request) => void requests.push(request));
  return requests;
}

/** Collects the errors of all pages. A violation of the Content-Security-Policy is an error on the console. */
function complaintsOf(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (thrown) => void complaints.push(`thrown: ${thrown.error().message}`));
  context.on("request", (request) => complaints.push(...strangerIn(request.url(), origin)));
  return complaints;
}

/** Returns an error message if the URL is not on the service. */
function strangerIn(url: string, origin: string): string[] {
  const { protocol, origin: asked } = new URL(url.replace(/^ws/, "http"));
  return /^https?:$/.test(protocol) && asked !== origin ? [`third party: ${url}`] : [];
}

async function limitNetwork(
  devTools: CDPSession,
  { offline = false, uploadBytesPerSecond = -1 }: { offline?: boolean; uploadBytesPerSecond?: number },
): Promise<void> {
  await devTools.send("Network.emulateNetworkConditions", {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadBytesPerSecond,
  });
}

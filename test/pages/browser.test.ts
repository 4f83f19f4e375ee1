import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { browsing, openPhone, type PhoneOptions } from "../support/browser.ts";

/** A good page, and pages each of which violates one rule. */
const pages: Record<string, { body: string; policy?: string }> = {
  "/good": { body: "<h1>Good</h1>" },
  "/noisy": { body: "<script>console.error('it broke')</script>" },
  "/throwing": { body: "<script>throw new Error('it threw')</script>" },
  "/lost": { body: "<img alt='' src='/nowhere.png'>" },
  "/inline": { body: "<p style='color: red'>Red</p>", policy: "default-src 'none'" },
  "/tracking": { body: "<img alt='' src='https://tracker.example/pixel.png'>" },
  "/numbered": { body: "<img alt='' src='http://192.0.2.1/pixel.png'>" },
  "/talking": { body: "<script>new WebSocket('wss://tracker.example/')</script>" },
  "/wide": { body: "<div style='width: 500px'>Wide</div>" },
  "/dim": { body: "<p style='color: #bbb; background: #fff'>Dim</p><img src='data:,'>" },
  "/tiny": {
    body: "<p style='line-height: 8px'><button style='all: unset; width: 8px; height: 8px'>a</button><button style='all: unset; width: 8px; height: 8px'>b</button></p>",
  },
};
const site = createServer(({ url = "/" }, response) => {
  const page = pages[url];
  if (page?.policy) response.setHeader("content-security-policy", page.policy);
  response.setHeader("content-type", "text/html; charset=utf-8").writeHead(page ? 200 : 404);
  response.end(
    `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Page</title></head><body><main>${page?.body}</main></body></html>`,
  );
});
let service: { url: string };

beforeAll(async () => {
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  service = { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}` };
});

afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const complaints: [path: string, complaint: RegExp, options?: PhoneOptions][] = [
  ["/noisy", /console: it broke/],
  ["/throwing", /thrown: it threw/],
  ["/lost", /console: .*404.*\/nowhere\.png/],
  ["/inline", /console: .*Content Security Policy/],
  ["/inline", /console: .*Content Security Policy/, { scripts: false }],
  ["/tracking", /third party: https:\/\/tracker\.example\/pixel\.png/],
  ["/tracking", /third party: https:\/\/tracker\.example\/pixel\.png/, { scripts: false }],
  ["/numbered", /third party: http:\/\/192\.0\.2\.1\/pixel\.png/],
  ["/talking", /third party: wss:\/\/tracker\.example\//],
];

browsing.for(complaints)("a test of %s fails with %s", async ([path, complaint, options]) => {
  const phone = await openPhone(service, options);
  await phone.page.goto(path);
  await expect(phone.close()).rejects.toThrow(complaint);
});

browsing("no host outside the machine is reachable", async () => {
  const phone = await openPhone(service);
  for (const address of ["https://tracker.example/", "http://192.0.2.1/"])
    await expect(phone.page.goto(address)).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
  expect(await phone.sent()).toHaveLength(2);
  await expect(phone.close()).rejects.toThrow("third party");
});

browsing("an expected error does not fail the test", async ({ open }) => {
  const phone = await open(service);
  phone.expectComplaint(/it broke/);
  await phone.page.goto("/noisy");
});

browsing("requests of a page are recorded as sent", async ({ open }) => {
  const phone = await open(service, { locale: "pl-PL" });
  await phone.page.goto("/good");
  const [first] = await phone.sent();
  expect(first).toMatchObject({ method: "GET", url: `${service.url}/good` });
  expect(first?.headers["accept-language"]).toMatch(/^pl-PL/);
});

browsing("the overhang of a page wider than the phone is measured", async ({ open }) => {
  const phone = await open(service);
  await phone.page.goto("/wide");
  expect(await phone.overhang()).toBeGreaterThan(100);
  await phone.page.goto("/good");
  expect(await phone.overhang()).toBe(0);
});

browsing("the network goes offline and online again", async ({ open }) => {
  const phone = await open(service);
  await phone.page.goto("/good");
  await phone.network({ offline: true });
  phone.expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  expect(await phone.page.evaluate("fetch('/good').catch(() => navigator.onLine)")).toBe(false);
  await phone.network({});
  expect(await phone.page.evaluate("fetch('/good').then(({ status }) => status)")).toBe(200);
});

browsing("a slow upload arrives in parts", async ({ open }) => {
  const phone = await open(service);
  await phone.page.goto("/good");
  await phone.network({ uploadBytesPerSecond: 20_000 });
  const parts = await phone.page.evaluate(`new Promise((tell) => {
    let parts = 0;
    const request = new XMLHttpRequest();
    request.upload.onprogress = () => parts++;
    request.onload = () => tell(parts);
    request.open("POST", "/good");
    request.send(new Blob([new Uint8Array(20_000)]));
  })`);
  expect(parts).toBeGreaterThan(1);
});

const dim = /color-contrast: [^]*\n {2}p\n[^]*image-alt: /;

browsing("accessibility violations are named", async ({ open }) => {
  const { page } = await open(service);
  await page.goto("/dim");
  await expect(expectAccessible(page)).rejects.toThrow(dim);
  await expect(expectAccessible(page, { except: ["p", "img"] })).resolves.toBeUndefined();
  await page.goto("/tiny");
  await expect(expectAccessible(page)).rejects.toThrow("target-size: ");
});

browsing("accessibility violations are named without scripts", async ({ open }) => {
  const { page } = await open(service, { scripts: false });
  await page.goto("/dim");
  await expect(expectAccessible(page)).rejects.toThrow(dim);
});

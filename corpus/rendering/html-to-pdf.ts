import { startChromium } from "../../test/support/chromium.ts";

export interface Printer {
  /** @returns a PDF of a page of HTML, with the page size of its print CSS, else A4 */
  print(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** @throws Error if no Chromium starts */
export async function openPrinter(): Promise<Printer> {
  const browser = await startChromium();
  if (typeof browser === "string") throw new Error(browser);
  const page = await browser.newPage({ javaScriptEnabled: false });
  return {
    async print(html) {
      await page.setContent(html, { waitUntil: "load" });
      return page.pdf({ preferCSSPageSize: true, printBackground: true, format: "A4" });
    },
    close: () => browser.close(),
  };
}

import { expect } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { browsing, shot } from "./browser.ts";

/** A page for carriers that is filled with long words. */
interface Crowded {
  /** Part of the names of its screenshots. */
  name: string;
  /** Returns the address of the page. It can only be called while the tests run. */
  place: () => { service: { url: string }; path: string };
  /** ISO 639-1 codes of the page's languages. */
  languages: readonly string[];
  /**
   * CSS selectors of elements whose text must be completely visible, and of controls that must be large enough for a
   * thumb.
   */
  texts: string;
  controls: string;
}

const unfolded = "document.querySelectorAll('details').forEach((details) => (details.open = true))";

/**
 * Defines two tests: that the page fits the smallest phone in every language, and that it is accessible in every colour
 * scheme and window size.
 */
export function expectToFit({ name, place, languages, texts, controls }: Crowded): void {
  const cutTexts = `[...document.querySelectorAll(${JSON.stringify(texts)})]
    .filter((element) => element.scrollWidth > element.clientWidth + 1).map(({ textContent }) => textContent)`;
  const smallTargets = `[...document.querySelectorAll(${JSON.stringify(controls)})]
    .filter((element) => element.getClientRects().length > 0 && element.getBoundingClientRect().height < 44)
    .map((element) => element.outerHTML)`;

  browsing("the page fits the smallest phone in every language", async ({ open }) => {
    const { service, path } = place();
    const { page, overhang } = await open(service, { size: { width: 320, height: 640 } });
    for (const code of languages) {
      await page.goto(`${path}?lang=${code}`);
      await page.evaluate(unfolded);
      expect({ code, overhang: await overhang() }).toEqual({ code, overhang: 0 });
      expect({ code, cut: await page.evaluate<string[]>(cutTexts) }).toEqual({ code, cut: [] });
    }
  });

  browsing("the page is accessible in both colour schemes and in a wide window", async ({ open }) => {
    const { service, path } = place();
    for (const [locale, colorScheme, size] of [
      ["de-DE", "dark", { width: 390, height: 844 }],
      ["pl-PL", "light", { width: 390, height: 844 }],
      ["en-GB", "light", { width: 1280, height: 900 }],
    ] as const) {
      const { page, overhang } = await open(service, { locale, colorScheme, size });
      await page.goto(path);
      await page.evaluate(unfolded);
      await expectAccessible(page);
      expect(await page.evaluate<string[]>(smallTargets)).toEqual([]);
      expect(await overhang()).toBeLessThanOrEqual(0);
      await shot(page, `${name}-${locale}-${colorScheme}-${size.width}`);
    }
  });
}

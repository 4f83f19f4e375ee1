import type { PageFiles } from "./assets.ts";
import { nameOfLanguage } from "./format.ts";
import { html, type Markup } from "../html.ts";
import { iconSheet } from "./icons.ts";
import { languageCodes, type Language } from "../../i18n/language.ts";

export interface PageContent {
  title: string;
  main: Markup;
  language: Language<{ language: string }>;
  /** URL of the page, for the links to other languages. */
  url: URL;
  files: PageFiles;
  /** Texts for the script, in the attribute `data-words` of the body. */
  scriptWords?: unknown;
  /** Elements after `<main>` that the script needs. */
  after?: Markup;
  feeds?: readonly { type: string; href: string }[];
}

/** Renders the HTML document of a page. */
export const renderPage = ({ title, main, language, url, files, ...more }: PageContent): string =>
  html`<!doctype html>
    <html lang="${language.code}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>${title}</title>
        <link rel="icon" href="/docs/lorry.svg" type="image/svg+xml" />
        ${files.styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        ${more.feeds?.map(({ type, href }) => html`<link rel="alternate" type="${type}" href="${href}" />`)}
        ${files.scripts.map((src) => html`<script src="${src}"></script>`)}
      </head>
      <body ${more.scriptWords !== undefined && html` data-words="${JSON.stringify(more.scriptWords)}"`}>
        ${iconSheet} ${main}
        <footer>${languageChoice(language, url)}</footer>
        ${more.after}
      </body>
    </html> `.text;

const languageChoice = ({ code, words }: PageContent["language"], url: URL) =>
  html`<details class="languages" id="languages">
    <summary><span>${words.language} · ${nameOfLanguage(code)}</span></summary>
    <ul>
      ${languageCodes.map(
        (one) =>
          html`<li>
            <a
              href="${inLanguage(url, one)}"
              lang="${one}"
              hreflang="${one}"
              ${one === code && html` aria-current="true"`}
              >${nameOfLanguage(one)}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;

function inLanguage({ searchParams }: URL, code: string): string {
  const query = new URLSearchParams(searchParams);
  query.set("lang", code);
  return `?${query.toString()}`;
}

/** Live region in which a script announces changes to screen readers. */
export const liveRegion = html`<p id="announcement" class="visually-hidden" role="status" aria-live="polite"></p>`;

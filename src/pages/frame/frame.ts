import type { Files } from "./assets.ts";
import { nameOfLanguage } from "./format.ts";
import { html, type Markup } from "../html.ts";
import { iconSheet } from "./icons.ts";
import { languageCodes, type Language } from "../../i18n/language.ts";

/** What stands on a page, and what it is made with. */
export interface Framed {
  title: string;
  /** The page's `<main>`. */
  main: Markup;
  language: Language<{ language: string }>;
  /** The page's address: a language is chosen by the same one. */
  url: URL;
  files: Files;
  /** What the script reads of the body: its `data-words`. */
  scriptWords?: unknown;
  /** Whatever else the script needs after `<main>`. */
  after?: Markup;
  /** Feeds of what is on the page, by their media type. */
  feeds?: readonly { type: string; href: string }[];
}

/** The page around its `<main>`. */
export const framed = ({ title, main, language, url, files, ...more }: Framed): string =>
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

const languageChoice = ({ code, words }: Framed["language"], url: URL) =>
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

/** The same address in another language. */
function inLanguage({ searchParams }: URL, code: string): string {
  const query = new URLSearchParams(searchParams);
  query.set("lang", code);
  return `?${query.toString()}`;
}

/** Where a script says aloud what has changed. */
export const heard = html`<p id="told" class="heard" role="status" aria-live="polite"></p>`;

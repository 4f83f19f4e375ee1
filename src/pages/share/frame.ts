import { nameOfLanguage } from "./format.ts";
import { html, type Markup } from "../html.ts";
import { icon, iconSheet } from "./icons.ts";
import { languages, type Language } from "./language.ts";

/** Where the script and the sheet of styles lie, each with the version of its content. */
export interface Files {
  script: string;
  styles: string;
}

/** The page around its `<main>`: what it says for itself, and what it is made with. */
export const framed = (title: string, main: Markup, language: Language, { script, styles }: Files): string =>
  html`<!doctype html>
    <html lang="${language.code}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no" />
        <title>${title}</title>
        <link rel="icon" href="/docs/lorry.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${styles}" />
        <script src="${script}"></script>
      </head>
      <body data-words="${JSON.stringify({ upload: language.words.upload, problem: language.words.problem })}">
        ${iconSheet} ${main}
        <footer>${languageChoice(language)}</footer>
        <p id="told" class="heard" role="status" aria-live="polite"></p>
        ${uploadRow(language)}
      </body>
    </html> `.text;

const languageChoice = ({ code, words }: Language) =>
  html`<details class="languages" id="languages">
    <summary><span>${words.language} · ${nameOfLanguage(code)}</span></summary>
    <ul>
      ${Object.keys(languages).map(
        (one) =>
          html`<li>
            <a href="?lang=${one}" lang="${one}" hreflang="${one}" ${one === code && html` aria-current="true"`}
              >${nameOfLanguage(one)}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;

/** What the script fills for each file it sends. */
const uploadRow = ({ words: { upload } }: Language) =>
  html`<template id="upload-row">
    <li class="upload" data-state="waiting">
      <img class="preview" alt="" width="44" height="44" hidden />
      <p class="file-name"></p>
      <progress max="1" value="0"></progress>
      <p class="outcome">${upload.waiting}</p>
      <p class="steps"><button type="button" class="again" hidden>${upload.retry}</button></p>
      <button type="button" class="away" aria-label="${upload.remove}">${icon("away")}</button>
    </li>
  </template>`;

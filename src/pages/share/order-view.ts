import type { SharedOrder, SharedDocumentType } from "../../areas/carrier-orders/share.ts";
import { adviceOn } from "../../areas/quality/model.ts";
import { documentTypes, type DocumentType, type OrderDocumentView } from "../../areas/carrier-orders/documents.ts";
import { listOf, formatPeriod, townOf, routeEnds } from "../frame/format.ts";
import { icon, type Icon } from "../frame/icons.ts";
import { type CarrierPortalLanguage, formatMessage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";

/** Result of a form that was sent without script. */
export interface UploadResult {
  /** Numbers of new files, and of files that the order already has. */
  received?: number;
  duplicates?: number;
  /** Why the form was refused. `type`: the document type of the form, if known. */
  refused?: { type?: DocumentType; message: string };
}

export interface OrderPage {
  order: SharedOrder;
  path: string;
  language: CarrierPortalLanguage;
  outcome?: UploadResult;
}

/** Renders the `<main>` of the carrier portal. */
export function orderView(page: OrderPage): Markup {
  const { order, language, outcome } = page;
  const { words } = language;
  const way = routeEnds(order.stops);
  return html`<main id="main" tabindex="-1">
    <header class="head">
      <p class="giver">${order.company}</p>
      <h1><span class="kind">${words.order}</span> ${order.orderNumber}</h1>
      ${way.length > 0 && html`<p class="way">${way.join(" → ")}</p>`}
      ${order.carrier && html`<p class="carrier">${formatMessage(words.carrier, { carrier: order.carrier })}</p>`}
    </header>
    ${summaryOf(page)} ${outcome && noticeOf(outcome, language)}
    <div class="sides">
      <section class="papers" aria-labelledby="papers">
        <h2 id="papers">${words.papers}</h2>
        ${order.documentTypes.map((paper) => paperView(paper, page))} ${otherDocumentForm(page)}
      </section>
      ${
        order.stops.length > 0 &&
        html`<section class="route" aria-labelledby="route">
          <h2 id="route">${words.route}</h2>
          <ol>
            ${order.stops.map((stop) => stopView(stop, language))}
          </ol>
        </section>`
      }
    </div>
    <p class="private">${formatMessage(words.private, { company: order.company })}</p>
  </main>`;
}

const iconOfState = {
  Missing: "missing",
  Uploaded: "waiting",
  Accepted: "good",
  Rejected: "bad",
  Superseded: "replaced",
} as const satisfies Record<string, Icon>;

/** Returns undefined if no document is required, or the order is cancelled. */
function summaryOf({ order, language }: OrderPage): Markup | undefined {
  const wanted = order.documentTypes.filter(({ required }) => required);
  if (wanted.length === 0 || order.status === "Cancelled") return undefined;
  const illegible = wanted.filter((paper) => isIllegible(paper, order));
  const isWantedAgain = order.status === "InReview" && illegible.length > 0;
  const status = isWantedAgain ? "Rejected" : order.status;
  const open = isWantedAgain
    ? illegible
    : wanted.filter(({ state }) => state === "Rejected" || (state === "Missing" && status !== "Rejected"));
  const names = open.map(({ type }) => inSentence(language.words.paper[type], language));
  const text = formatMessage(language.words.summary[status], { papers: listOf(names, language) });
  const state = {
    AwaitingDocuments: "Missing",
    InReview: "Uploaded",
    Rejected: "Rejected",
    Completed: "Accepted",
  } as const;
  return html`<p class="summary" data-state="${state[status]}">
    ${icon(iconOfState[state[status]])}<span>${text}</span>
  </p>`;
}

/** Whether a type has only unreadable documents in review. */
function isIllegible({ type, state }: SharedDocumentType, { documents }: SharedOrder): boolean {
  const waiting = documents.filter((document) => document.type === type && document.status === "Uploaded");
  return state === "Uploaded" && waiting.every(({ quality }) => quality?.verdict === "Unreadable");
}

function noticeOf(
  { received = 0, duplicates = 0, refused }: UploadResult,
  { words }: CarrierPortalLanguage,
): Markup | undefined {
  if (refused)
    return html`<p class="notice" data-state="Rejected" role="alert">${icon("bad")}<span>${refused.message}</span></p>`;
  const lines = [
    received > 0 && formatMessage(words.received, { count: received }),
    duplicates > 0 && formatMessage(words.known, { count: duplicates }),
  ].filter((line) => line !== false);
  return lines.length > 0 ? html`<p class="notice" role="status">${lines.join(" · ")}</p>` : undefined;
}

function paperView({ type, state, reason }: SharedDocumentType, page: OrderPage): Markup {
  const { words } = page.language;
  const files = page.order.documents.filter((document) => document.type === type);
  const needed = state === "Missing" || state === "Rejected";
  const refused = page.outcome?.refused?.type === type;
  const form = uploadForm(type, page);
  return html`<article class="paper" data-state="${state}" aria-labelledby="name-${type}">
    <header>
      <h3 id="name-${type}">${words.paper[type]}</h3>
      ${stateMark(state, words.state[state])}
    </header>
    ${state === "Rejected" && reasonView(reason, words)}
    ${
      files.length > 0 &&
      html`<ul class="files">
        ${files.map((file) => fileView(file, { state, reason }, page))}
      </ul>`
    }
    ${
      needed
        ? form
        : html`<details id="more-${type}" ${refused && html` open`}>
            <summary id="open-${type}">${words.sendMore}</summary>
            ${form}
          </details>`
    }
  </article>`;
}

const reasonView = (reason: string | undefined, words: CarrierPortalLanguage["words"]) =>
  html`<p class="reason">
    ${reason && html`<strong>${words.reason}:</strong> ${reason}`}
    <span>${words.sendBetter}</span>
  </p>`;

const stateMark = (state: keyof typeof iconOfState, text: string) =>
  html`<p class="state" data-state="${state}">${icon(iconOfState[state])}${text}</p>`;

/** The heading of the document type already shows its status and reason. */
function fileView(
  file: OrderDocumentView,
  typeStatus: Pick<SharedDocumentType, "state" | "reason">,
  { path, language }: OrderPage,
): Markup {
  const { words } = language;
  const { documentId, fileName, contentType, sizeBytes, status, reason, comment, quality } = file;
  const advised = quality && quality.verdict !== "Good" && status === "Uploaded";
  return html`<li>
    <a id="file-${documentId}" href="${path}/documents/${documentId}" ${opening(contentType)}
      >${icon("file")}<span>${fileName}</span></a
    >
    <p>${sizeOf(sizeBytes, language)}${status !== typeStatus.state && ` · ${words.state[status]}`}</p>
    ${status === "Rejected" && reason && reason !== typeStatus.reason && html`<p>${words.reason}: ${reason}</p>`}
    ${
      advised &&
      html`<p class="quality" data-verdict="${quality.verdict}">
        ${icon("bad")}<span>${adviceOn(quality.reasons, language.code)}</span>
      </p>`
    }
    ${comment && html`<p class="comment">${comment}</p>`}
  </li>`;
}

/** Images open in the browser. Other files are downloaded, because browsers do not show them in a sandbox. */
const opening = (contentType: string) =>
  contentType.startsWith("image/") ? html`target="_blank" rel="noopener noreferrer"` : html`download`;

/** Phones convert their pictures to one of these types. */
const acceptedTypes =
  "image/jpeg,image/png,image/webp,image/tiff,application/pdf,.pdf,.docx,.xlsx,.xls,.ods,.rtf,.csv,.txt,.eml,.msg";

function uploadForm(type: DocumentType, { language: { words }, outcome }: OrderPage): Markup {
  return html`<form id="form-${type}" class="upload-form" method="post" enctype="multipart/form-data">
    <input type="hidden" name="documentType" value="${type}" />
    ${refusalIn(outcome, type)}${pickers(type, `name-${type}`, words)}
  </form>`;
}

function otherDocumentForm({ order, language: { words }, outcome }: OrderPage): Markup {
  const listed = order.documentTypes.map(({ type }) => type);
  const types = documentTypes.filter((type) => !listed.includes(type) || type === "other");
  const refused = types.find((type) => type === outcome?.refused?.type && !listed.includes(type));
  const open = refused !== undefined || order.documentTypes.length === 0;
  return html`<details class="paper another" id="more" ${open && html` open`}>
    <summary id="another">${words.another}</summary>
    <form id="form-another" class="upload-form" method="post" enctype="multipart/form-data">
      <p class="field">
        <label for="kind">${words.kind}</label
        ><select id="kind" name="documentType">
          ${types.map(
            (type) =>
              html`<option value="${type}" ${type === (refused ?? "other") && html` selected`}>
                ${words.paper[type]}
              </option>`,
          )}
        </select>
      </p>
      <p class="field">
        <label for="note">${words.note}</label><input id="note" name="comment" maxlength="500" autocomplete="off" />
      </p>
      ${refused && refusalIn(outcome, refused)}${pickers("another", "another", words)}
    </form>
  </details>`;
}

const refusalIn = (outcome: UploadResult | undefined, type: DocumentType) =>
  outcome?.refused?.type === type && html`<p class="refused">${icon("bad")}<span>${outcome.refused.message}</span></p>`;

const pickers = (form: string, name: string, words: CarrierPortalLanguage["words"]) =>
  html`<div class="pickers">
      <label class="picker camera"
        ><span>${icon("camera")}${words.takePhoto}</span
        ><input
          id="photo-${form}"
          type="file"
          name="file"
          accept="image/*"
          capture="environment"
          aria-describedby="${name}"
      /></label>
      <label class="picker"
        ><span>${icon("file")}${words.chooseFiles}</span
        ><input
          id="files-${form}"
          type="file"
          name="file"
          accept="${acceptedTypes}"
          multiple
          aria-describedby="${name}"
      /></label>
      <button class="button main send">${words.send}</button>
    </div>
    <ul class="uploads"></ul>`;

function stopView(stop: SharedOrder["stops"][number], language: CarrierPortalLanguage): Markup {
  const { type, name, street } = stop;
  const times = formatPeriod(stop, language);
  const town = townOf(stop);
  return html`<li data-type="${type}">
    <h3>${language.words.stop[type]}</h3>
    ${times && html`<p class="times">${times}</p>`}
    ${name && html`<p>${name}</p>`}${street && html`<p>${street}</p>`}${town && html`<p>${town}</p>`}
  </li>`;
}

/** Renders the template that the script fills for each upload. */
export const uploadRow = ({ words: { upload } }: CarrierPortalLanguage) =>
  html`<template id="upload-row">
    <li class="upload" data-state="waiting">
      <img class="preview" alt="" width="44" height="44" hidden />
      <p class="file-name"></p>
      <progress max="1" value="0"></progress>
      <p class="outcome">${upload.waiting}</p>
      <p class="steps"><button type="button" class="button again" hidden>${upload.retry}</button></p>
      <button type="button" class="away" aria-label="${upload.remove}">${icon("away")}</button>
    </li>
  </template>`;

function sizeOf(bytes: number, { locale }: CarrierPortalLanguage): string {
  const [unit, value] = bytes < 1_000_000 ? ["kilobyte", Math.max(1, bytes / 1000)] : ["megabyte", bytes / 1_000_000];
  const digits = value < 10 && unit === "megabyte" ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: digits }).format(value);
}

/** Document names are in lower case within a sentence, except in German and for abbreviations. */
const inSentence = (name: string, { code }: CarrierPortalLanguage) =>
  code === "de" || /^\p{Lu}{2}/u.test(name) ? name : name.charAt(0).toLocaleLowerCase(code) + name.slice(1);

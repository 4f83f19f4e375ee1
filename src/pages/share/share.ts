import * as z from "zod";
import { uploadByLink, sharedFile, sharedOrder, type SharedOrder } from "../../areas/carrier-orders/share.ts";
import { adviceOn } from "../../areas/quality/model.ts";
import { DocumentTypeChoice, type DocumentType } from "../../areas/carrier-orders/documents.ts";
import { drain, toDeclaredNames } from "../../http/body.ts";
import type { UploadedFile } from "../../platform/files.ts";
import { addressOf } from "../../http/responses.ts";
import { idIn } from "../../platform/ids.ts";
import { invalid, itemsOf, Problem } from "../../platform/problem.ts";
import { takeLinkToken } from "../../http/rate-limit.ts";
import { checkSecret } from "../../http/check-secret.ts";
import { LineText } from "../../domain/shapes.ts";
import { readFilledForm } from "../../http/uploads/read-upload.ts";
import { Uploads } from "../../http/uploads/uploads.ts";
import type { RequestState } from "../../http/router.ts";
import {
  privateHeaders,
  messageMain,
  pageResponse,
  problemOf,
  refuseCrossSiteForm,
  wantsJson,
} from "../frame/response.ts";
import { liveRegion } from "../frame/frame.ts";
import type { Icon } from "../frame/icons.ts";
import { type CarrierPortalLanguage, type Messages, formatMessage, requestedLanguage } from "../../i18n/language.ts";
import { html, type Markup } from "../html.ts";
import { orderView, uploadRow, type UploadResult } from "./order-view.ts";

const files = { scripts: ["/share/share.js"], styles: ["/frame/frame.css", "/share/share.css"] };

/** Whether a path is that of the carrier portal. It contains a secret, so no other handler may answer or log it. */
export const isShare = (pathname: string) => pathname.startsWith("/share/");

/** The token is a secret: keep it out of logs, problems and other URLs. */
interface Guest extends RequestState {
  token: string;
  documentId?: string;
  language: CarrierPortalLanguage;
}

/** Serves the page of `shareUrl`, on which a carrier sees the order and uploads documents. */
export async function share(visit: RequestState): Promise<Response> {
  const { request, env, requestId } = visit;
  const response = await respondOrRefuse(visit).catch((error: unknown) =>
    problemOf("share", visit, error).toResponse("/share", requestId, addressOf(request, env)),
  );
  await drain(request);
  for (const [name, value] of Object.entries(privateHeaders)) response.headers.set(name, value);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function respondOrRefuse(visit: RequestState): Promise<Response> {
  const [, token = "", documentId, more] = pathPattern.exec(visit.url.pathname) ?? [];
  const language = requestedLanguage("carrierPortal", visit.url, visit.request);
  const guest = { ...visit, token: more ? "" : token, documentId, language };
  return respond(guest, visit).catch((error: unknown) => refusal(guest, problemOf("share", visit, error)));
}

const pathPattern = /^\/share\/([^/]*)(?:\/documents\/([^/]*))?(\/.*)?$/;

async function respond(guest: Guest, visit: RequestState): Promise<Response> {
  const { request, documentId, token } = guest;
  const methods = documentId === undefined ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
  if (!methods.includes(request.method))
    throw new Problem("method_not_allowed", undefined, { headers: { allow: methods.join(", ") } });
  takeLinkToken(token.slice(0, 64));
  visit.operation =
    documentId !== undefined ? "share.file" : request.method === "POST" ? "share.uploadByLink" : "share.read";
  return checkSecret(token, visit, () => opened(guest));
}

async function opened(guest: Guest): Promise<Response> {
  const { request, documentId, token, env } = guest;
  if (documentId !== undefined) {
    const id = idIn(documentId);
    if (!id) throw new Problem("not_found");
    return sharedFile(env, token, id, request);
  }
  const order = await sharedOrder(env, token);
  if (order === undefined) throw new Problem("not_found", "The link is invalid or has been disabled.");
  if (order === "Cancelled") return cancelled(guest);
  return request.method === "POST" ? receiveUpload(guest, order) : orderPage(guest, order, uploadResultIn(guest.url));
}

/**
 * After an upload, a browser without script is redirected to the page or, if the upload is refused, gets the page with
 * the error.
 */
async function receiveUpload(guest: Guest, order: SharedOrder): Promise<Response> {
  const { request, url, language, env, requestId } = guest;
  refuseCrossSiteForm(request);
  let type: DocumentType | undefined;
  const uploads = new Uploads(env.FILES, requestId);
  try {
    const { fields, accept } = await readFilledForm(request, uploads);
    const upload = parseUploadFields(fields);
    type = upload.documentType;
    const documents = await uploadAll(guest, await accept(), upload);
    if (wantsJson(request))
      return Response.json({ documents }, { status: documents.every(({ known }) => known) ? 200 : 201 });
    const duplicates = documents.filter(({ known }) => known).length;
    const query = new URLSearchParams({ sent: `${documents.length - duplicates}`, known: `${duplicates}` });
    if (language.chosen) query.set("lang", language.code);
    return new Response(null, {
      status: 303,
      headers: { location: `${url.pathname}?${query.toString()}`, "cache-control": "no-store" },
    });
  } catch (error) {
    const problem = problemOf("share", guest, error);
    if (wantsJson(request) || problem.reason === "not_found") throw problem;
    const name = problem.extra["fileName"];
    const message = [name, messageOf(problem, language.words)].filter(Boolean).join(": ");
    const now = await sharedOrder(guest.env, guest.token);
    return orderPage(guest, typeof now === "object" ? now : order, { refused: { type, message } }, problem.status);
  } finally {
    await uploads.discard();
  }
}

const UploadFields = z.object({
  documentType: DocumentTypeChoice.default("other"),
  comment: LineText(500).trim().optional(),
});

function parseUploadFields(fields: Record<string, string>): z.output<typeof UploadFields> {
  const result = UploadFields.safeParse(toDeclaredNames(Object.keys(UploadFields.shape), fields), {
    reportInput: true,
  });
  if (!result.success) throw invalid(itemsOf(result.error));
  return result.data;
}

async function uploadAll(
  { env, token, language }: Guest,
  files: UploadedFile[],
  { documentType, comment }: z.output<typeof UploadFields>,
) {
  const uploaded = [];
  for (const file of files) {
    const { document, known } = await uploadByLink(env, token, file, { documentType, ...(comment && { comment }) });
    const { documentId, type, fileName, status, quality } = document;
    const advised = quality && { ...quality, advice: adviceOn(quality.reasons, language.code) };
    uploaded.push({ documentId, type, fileName, status, known, ...(advised && { quality: advised }) });
  }
  return uploaded;
}

function uploadResultIn({ searchParams }: URL): UploadResult {
  const count = (name: string) => Math.min(99, Number(/^\d{1,2}$/.exec(searchParams.get(name) ?? "")?.[0] ?? 0));
  return { received: count("sent"), duplicates: count("known") };
}

function refusal(guest: Guest, problem: Problem): Response | Promise<Response> {
  const { request, env, requestId, language } = guest;
  if (wantsJson(request) || problem.reason === "method_not_allowed")
    return problem.toResponse("/share", requestId, addressOf(request, env));
  if (problem.reason === "not_found") return notePage(guest, 404, language.words.dead, "missing");
  return messagePage(guest, problem.status, messageOf(problem, language.words), problem.headers);
}

const messageOf = ({ reason }: Problem, { problem }: Messages["carrierPortal"]) =>
  Object.hasOwn(problem, reason)
    ? problem[reason as keyof Messages["carrierPortal"]["problem"]]
    : problem.validation_failed;

async function cancelled(guest: Guest): Promise<Response> {
  const { request, language } = guest;
  if (wantsJson(request))
    throw new Problem("invalid_state", "The order was cancelled.", {
      ...(request.method !== "POST" && { status: 410 }),
      extra: { currentStatus: "Cancelled", allowed: [] },
    });
  return notePage(guest, 410, language.words.cancelled, "away");
}

async function orderPage(guest: Guest, order: SharedOrder, outcome: UploadResult, status = 200): Promise<Response> {
  const { language, url } = guest;
  const title = `${formatMessage(language.words.title, { number: order.orderNumber })} · ${order.company}`;
  return page(guest, status, title, orderView({ order, path: url.pathname, language, outcome }));
}

const notePage = (guest: Guest, status: number, { title, text }: Messages["carrierPortal"]["dead"], drawing: Icon) =>
  page(guest, status, title, messageMain(drawing, title, text));

function messagePage(guest: Guest, status: number, text: string, headers: Record<string, string> = {}) {
  const { title, back } = guest.language.words.broken;
  return page(
    guest,
    status,
    title,
    messageMain("bad", title, text, { way: { href: `/share/${guest.token}`, text: back } }),
    headers,
  );
}

function page(guest: Guest, status: number, title: string, main: Markup, headers?: Record<string, string>) {
  const { language, url } = guest;
  const { upload, problem } = language.words;
  return pageResponse(
    guest,
    status,
    {
      title,
      main,
      language,
      url: new URL(url.pathname, url),
      files,
      scriptWords: { upload, problem },
      after: html`${liveRegion}${uploadRow(language)}`,
    },
    headers,
  );
}

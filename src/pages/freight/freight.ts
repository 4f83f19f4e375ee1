import { answerOffer, sharedFreight, submitOffer, type SharedFreight } from "../../areas/freights/guests/guest.ts";
import { drain, readFields } from "../../http/body.ts";
import { addressOf } from "../../http/responses.ts";
import { Problem } from "../../platform/problem.ts";
import { takeLinkToken } from "../../http/rate-limit.ts";
import { checkSecret } from "../../http/check-secret.ts";
import type { RequestState } from "../../http/router.ts";
import { privateHeaders, messageMain, pageResponse, problemOf, refuseCrossSiteForm } from "../frame/response.ts";
import { liveRegion } from "../frame/frame.ts";
import { html, type Markup } from "../html.ts";
import { messageOf, parseForm, formStateOf } from "./form-input.ts";
import type { FormState } from "./form.ts";
import { freightView } from "./freight-view.ts";
import { titleOf } from "./head.ts";
import { type FreightLanguage, type Messages, requestedLanguage } from "../../i18n/language.ts";
import { reasonView, statusView } from "./offer-view.ts";

const files = { scripts: ["/freight/freight.js"], styles: ["/frame/frame.css", "/freight/freight.css"] };

/** Whether a path is that of a freight page. It contains a secret, so no other handler may answer or log it. */
export const isGuestPage = (pathname: string) => pathname.startsWith("/freight/");

/** The token is a secret: keep it out of logs, problems and other URLs. */
interface Guest extends RequestState {
  token: string;
  language: FreightLanguage;
}

/** Serves the page of a link, on which a guest sees the freight and negotiates. */
export async function guestPage(visit: RequestState): Promise<Response> {
  const { request, env, requestId, url } = visit;
  const token = /^\/freight\/([^/]*)$/.exec(url.pathname)?.[1] ?? "";
  const guest = { ...visit, token, language: requestedLanguage("freightPages", url, request) };
  const response = await answer(guest, visit)
    .catch((error: unknown) => refusal(guest, problemOf("freight", visit, error)))
    .catch((error: unknown) =>
      problemOf("freight", visit, error).toResponse("/freight", requestId, addressOf(request, env)),
    );
  await drain(request);
  for (const [name, value] of Object.entries(privateHeaders)) response.headers.set(name, value);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

async function answer(guest: Guest, visit: RequestState): Promise<Response> {
  const { request, token } = guest;
  if (!["GET", "HEAD", "POST"].includes(request.method))
    throw new Problem("method_not_allowed", undefined, { headers: { allow: "GET, HEAD, POST" } });
  takeLinkToken(token.slice(0, 64));
  visit.operation = request.method === "POST" ? "freight.answer" : "freight.read";
  return checkSecret(token, visit, () => (request.method === "POST" ? take(guest) : opened(guest)));
}

async function opened(guest: Guest): Promise<Response> {
  const { env, token } = guest;
  const shared = await sharedFreight(env, token);
  if (!shared) throw new Problem("not_found");
  const done = doneIn(guest);
  const response = await shownPage(guest, shared, 200, { done });
  if (done) response.headers.set("set-cookie", doneCookie(guest, "", 0));
  return response;
}

/** Redirects to the page, or shows the page with the errors. */
async function take(guest: Guest): Promise<Response> {
  const { request, env, token, url, language } = guest;
  refuseCrossSiteForm(request);
  const fields = await readFields(request);
  try {
    const input = parseForm(fields);
    if (input.action === "Offer") await submitOffer(env, token, { said: input.offer, language: language.code });
    else await answerOffer(env, token, input.answer);
    const location = `${url.pathname}${language.chosen ? `?lang=${language.code}` : ""}`;
    return new Response(null, {
      status: 303,
      headers: { location, "cache-control": "no-store", "set-cookie": doneCookie(guest, input.action, doneSeconds) },
    });
  } catch (error) {
    const problem = problemOf("freight", guest, error);
    if (problem.reason === "not_found") throw problem;
    const now = await sharedFreight(env, token);
    if (!now) throw new Problem("not_found");
    return shownPage(guest, now, problem.status, { sent: formStateOf(fields, problem, language.words.problem) });
  }
}

/** A cookie, so that only the sender of the form sees the result, and nobody else who has the link. */
function doneIn({ request, language: { words } }: Guest): keyof Messages["freightPages"]["done"] | undefined {
  const [, done = ""] = /(?:^|;\s*)done=(\w+)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return Object.hasOwn(words.done, done) ? (done as keyof Messages["freightPages"]["done"]) : undefined;
}

const doneSeconds = 60;

/** @param seconds lifetime; 0 deletes the cookie */
function doneCookie({ url: { pathname, protocol } }: Guest, done: string, seconds: number): string {
  const secure = protocol === "https:" ? "; Secure" : "";
  return `done=${done}; Path=${pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** After a freight was archived, only the carrier that got it still sees all of it. */
function shownPage(
  guest: Guest,
  shared: SharedFreight,
  status: number,
  outcome: { done?: keyof Messages["freightPages"]["done"] | undefined; sent?: FormState },
): Promise<Response> {
  const { language } = guest;
  const title = `${titleOf(shared.freight)} · ${shared.company}`;
  if (shared.gone === undefined || shared.offer?.status === "Accepted")
    return page(guest, status, title, freightView({ ...shared, language, ...outcome }));
  const { title: text, text: more } = language.words.gone;
  // Not even the title of a suspended freight is shown.
  if (shared.gone === "Suspended") return page(guest, 404, text, messageMain("away", text, more));
  return page(guest, 410, `${text} · ${title}`, goneMain(shared, language));
}

const goneMain = (shared: SharedFreight, language: FreightLanguage): Markup =>
  html`${messageMain("away", language.words.gone.title, language.words.gone.text, {
    more: html`<p class="which">${titleOf(shared.freight)}</p>
      ${statusView({ ...shared, language })} ${shared.offer && reasonView(shared.offer, language)}`,
  })}`;

function refusal(guest: Guest, problem: Problem): Response | Promise<Response> {
  const { request, env, requestId, token } = guest;
  const { dead, problem: problems, broken } = guest.language.words;
  if (problem.reason === "method_not_allowed")
    return problem.toResponse("/freight", requestId, addressOf(request, env));
  if (problem.reason === "not_found")
    return page(guest, 404, dead.title, messageMain("missing", dead.title, dead.text));
  const way = { href: `/freight/${token}`, text: broken.back };
  const main = messageMain("bad", broken.title, messageOf(problem, problems), { way });
  return page(guest, problem.status, broken.title, main, problem.headers);
}

function page(guest: Guest, status: number, title: string, main: Markup, headers?: Record<string, string>) {
  const { language, url } = guest;
  const content = {
    title,
    main,
    language,
    url: new URL(url.pathname, url),
    files,
    after: liveRegion,
  };
  return pageResponse(guest, status, content, headers);
}

import { commands } from "../areas/webhooks/commands.ts";
import { companyOf } from "../areas/mails/address.ts";
import { storeMail } from "../incoming-mail/route.ts";
import { drain } from "../http/body.ts";
import { callerOf } from "../http/caller.ts";
import { uploadedFile } from "../platform/files.ts";
import { addressOf } from "../http/responses.ts";
import { parseShareLink, type ShareLink } from "../platform/share-link.ts";
import { hasLocalMail, listLocalOutbox } from "../platform/mail.ts";
import { executeCommand } from "../platform/aggregates.ts";
import { Problem } from "../platform/problem.ts";
import { checkSecret } from "../http/check-secret.ts";
import type { MailHead } from "../extraction/document/document.ts";
import { headOf, parseMail } from "../extraction/formats/mail.ts";
import { ExtractionProblem } from "../extraction/problem.ts";
import { html, type Markup } from "./html.ts";
import type { RequestState } from "../http/router.ts";

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

/** Serves the page of an unsubscribe link. A GET changes nothing, because mail scanners open links too. */
export async function unsubscribePage(visit: RequestState): Promise<Response> {
  const { request, url } = visit;
  await drain(request);
  const link = parseShareLink(url.pathname.slice("/mail/".length));
  const ended = request.method === "POST" && link !== undefined && (await unsubscribe(visit, link));
  if (ended === "TooMany")
    return page(
      429,
      "Too many links",
      html`<p>Too many invalid links were opened from your network. Try again in a minute.</p>`,
    );
  if (ended) return page(200, "No more mails", html`<p>This address gets no more mails about the webhook.</p>`);
  if (!link || request.method === "POST")
    return page(404, "This link is not valid", html`<p>The webhook was deleted, or the link is incomplete.</p>`);
  return page(200, "No more mails?", html`<form method="post"><button>Send no more of these mails</button></form>`);
}

async function unsubscribe(visit: RequestState, { company, id, secret }: ShareLink): Promise<boolean | "TooMany"> {
  try {
    await checkSecret(visit.url.pathname, visit, () =>
      executeCommand(visit.env, commands.unsubscribe, { company, id }, { secret }),
    );
    return true;
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return false;
    if (error instanceof Problem && error.reason === "rate_limited") return "TooMany";
    throw error;
  }
}

/** Lists the mails that were written but not sent, newest first. Only on a developer's machine. */
export async function localMails({ env, request }: RequestState): Promise<Response | undefined> {
  const mails = await listLocalOutbox(env);
  if (!mails) return undefined;
  if (request.headers.get("accept")?.includes("application/json")) return Response.json({ items: mails });
  const list = mails.map(
    ({ at, to, subject, text }) =>
      html`<section>
        <h2>${subject}</h2>
        <p>${to} · ${at}</p>
        <pre>${linked(text)}</pre>
      </section>`,
  );
  return page(200, "Mails", list.length > 0 ? html`${list}` : html`<p>Nothing was mailed yet.</p>`);
}

const linked = (text: string) =>
  text.split(/(https?:\/\/\S+)/).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));

/**
 * Receives a raw mail for the address in `?to=`, otherwise for the company of the key, otherwise for the recipient in
 * the header of the mail. Only on a developer's machine.
 */
export async function localMailIn(visit: RequestState): Promise<Response | undefined> {
  const { env, request, url, requestId } = visit;
  if (!hasLocalMail(env)) return undefined;
  try {
    if (request.method !== "POST") throw new Problem("method_not_allowed", undefined, { headers: { allow: "POST" } });
    const raw = await request.bytes();
    if (raw.length === 0) throw new Problem("file_empty", "The mail is empty.");
    const { from, to, subject } = headOf(await parseMail(raw));
    if (!from && to.length === 0 && !subject)
      throw new Problem(
        "file_unreadable",
        "The body is not a mail, because it has no From, To or Subject. Send the raw mail.",
      );
    const company = await companyFor(visit, to);
    if (!company)
      throw new Problem(
        "not_found",
        "The recipient is not an address of this deployment. Send X-Api-Key, or a valid address in ?to=.",
      );
    const file = await uploadedFile("mail.eml", "message/rfc822", raw);
    const sender = url.searchParams.get("from") ?? from?.address ?? "";
    return Response.json(await storeMail(env, { company, from: sender, file }), { status: 202 });
  } catch (error) {
    await drain(request);
    return problemOf(error).toResponse(url.pathname, requestId, addressOf(request, env));
  }
}

async function companyFor({ env, request, url }: RequestState, to: MailHead["to"]): Promise<string | undefined> {
  const recipient = url.searchParams.get("to");
  if (recipient !== null) return companyOf(env, recipient);
  if (request.headers.has("x-api-key")) return (await callerOf(request, env)).company;
  return to.map(({ address }) => (address ? companyOf(env, address) : undefined)).find(Boolean);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ExtractionProblem) return new Problem("file_unreadable", error.message);
  throw error;
}

const page = (status: number, title: string, main: Markup): Response =>
  new Response(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · Lorry</title>
          <link rel="icon" href="/docs/lorry.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="/docs/docs.css" />
        </head>
        <body>
          <main class="errors">
            <h1>${title}</h1>
            ${main}
          </main>
        </body>
      </html> `.text,
    { status, headers },
  );

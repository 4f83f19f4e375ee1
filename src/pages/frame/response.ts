import { logFault } from "../../platform/log.ts";
import { Problem } from "../../platform/problem.ts";
import type { RequestState } from "../../http/router.ts";
import { html, type Markup } from "../html.ts";
import { versionsOf, type PageFiles } from "./assets.ts";
import { renderPage, type PageContent } from "./frame.ts";
import { icon, type Icon } from "./icons.ts";

/** Headers of all responses under a secret link, so that browsers and search engines do not disclose its URL. */
export const privateHeaders = {
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Builds an HTML response without third-party requests and caching. Only scripts of this service may run. */
export async function pageResponse(
  { env, url }: Pick<RequestState, "env" | "url">,
  status: number,
  page: Omit<PageContent, "files" | "url"> & { files: PageFiles; url?: URL },
  headers: Record<string, string> = {},
): Promise<Response> {
  const files = await versionsOf(env, url, page.files);
  return new Response(renderPage({ url, ...page, files }), {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-language": page.language.code,
      "content-security-policy": policy,
      "cache-control": "no-store",
      vary: "Accept-Language",
    },
  });
}

/** Renders the `<main>` of a page with only a message and a link. */
export const messageMain = (
  drawing: Icon,
  title: string,
  text: string,
  { more, way }: { more?: Markup; way?: { href: string; text: string } } = {},
): Markup =>
  html`<main id="main" class="note" tabindex="-1">
    ${icon(drawing)}
    <h1>${title}</h1>
    <p>${text}</p>
    ${more} ${way && html`<p><a class="button main" href="${way.href}">${way.text}</a></p>`}
  </main>`;

/** Converts an error to a problem. Unexpected errors are logged, without the secret of the link. */
export function problemOf(name: string, { requestId, url }: RequestState, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const [, , token] = url.pathname.split("/");
  logFault(name, token ? cause.replaceAll(token, "…") : cause, { requestId });
  return new Problem("internal_error", `An internal error occurred. Contact support with the request id ${requestId}.`);
}

export const wantsJson = ({ headers }: Request) =>
  /\bapplication\/(?:problem\+)?json\b/.test(headers.get("accept") ?? "");

/**
 * Refuses forms of other sites.
 * @throws Problem with status 403
 */
export function refuseCrossSiteForm({ headers }: Request): void {
  if (headers.get("sec-fetch-site") === "cross-site")
    throw new Problem(
      "validation_failed",
      "The form was sent from a page of another site. Send it from the page of this service.",
      { status: 403 },
    );
}

import { drain } from "../http/body.ts";
import type { Env } from "../platform/env.ts";
import { addressOf, corsHeaders } from "../http/responses.ts";
import { Problem } from "../platform/problem.ts";
import { openapi } from "../http/openapi.ts";
import type { RequestState } from "../http/router.ts";
import { warmUpLocally } from "./warm-up.ts";
import { assetAt } from "./frame/assets.ts";
import { boardPage, isBoard } from "./board/board.ts";
import { boardJson, boardRss } from "./board/feed.ts";
import { guestPage, isGuestPage } from "./freight/freight.ts";
import { unsubscribePage, localMailIn, localMails } from "./mails.ts";
import { isShare, share } from "./share/share.ts";

type Page = (visit: RequestState) => Response | Promise<Response>;

/**
 * Answers paths outside the API: health, OpenAPI document, documentation, carrier portal, freight pages, board, and
 * unsubscribe links.
 */
export async function pages(visit: RequestState): Promise<Response | undefined> {
  const asset = await assetAt(visit);
  if (asset) return asset;
  if (isShare(visit.url.pathname)) return share(visit);
  if (isGuestPage(visit.url.pathname)) return guestPage(visit);
  if (isBoard(visit.url.pathname)) return boardPage(visit);
  if (visit.url.pathname.startsWith("/mail/")) return unsubscribePage(visit);
  if (visit.url.pathname === "/dev/mail") return localMails(visit);
  if (visit.url.pathname === "/dev/mail/in") return localMailIn(visit);
  if (visit.url.pathname === "/dev/awake") return warmUpLocally(visit);
  const page = pageAt(visit.url.pathname);
  if (!page || isPreflight(visit)) return undefined;
  return ["GET", "HEAD"].includes(visit.request.method) ? page(visit) : refused(visit);
}

function pageAt(pathname: string): Page | undefined {
  if (pathname === "/healthz") return ({ env }) => health(env);
  if (pathname === "/openapi.json") return ({ env }) => contract(env);
  if (pathname === "/") return to("/docs");
  if (pathname === "/board/freights.json") return boardJson;
  if (pathname === "/board/feed.rss") return boardRss;
  if (pathname === "/favicon.ico") return to("/docs/lorry.svg");
  if (pathname === "/docs" || pathname.startsWith("/docs/")) return ({ env, request }) => env.ASSETS.fetch(request);
  const code = /^\/errors\/(\w+)$/.exec(pathname)?.[1];
  return code === undefined ? undefined : to(`/docs/errors#${code}`);
}

const to =
  (path: string): Page =>
  ({ url }) =>
    Response.redirect(new URL(path, url).href, 302);

/** The router answers CORS preflights. */
const isPreflight = ({ request, env }: RequestState) =>
  request.method === "OPTIONS" && corsHeaders(request, env) !== undefined;

async function refused({ request, requestId, url, env }: RequestState): Promise<Response> {
  await drain(request);
  const problem = new Problem("method_not_allowed", undefined, { headers: { allow: "GET, HEAD" } });
  return problem.toResponse(url.pathname, requestId, addressOf(request, env));
}

/** Without the tables of the archive, lists fail, so the service is not healthy. */
async function health(env: Env): Promise<Response> {
  const archive = await env.ARCHIVE.prepare("select 1 from orders limit 1")
    .first()
    .then(
      () => "ok",
      () => "unreachable",
    );
  return Response.json(
    { status: archive === "ok" ? "ok" : "degraded", archive },
    { status: archive === "ok" ? 200 : 503 },
  );
}

let openapiJson: string | undefined;
function contract(env: Env): Response {
  openapiJson ??= JSON.stringify(openapi(env.BASE_URL?.replace(/\/+$/, "")));
  return new Response(openapiJson, {
    headers: { "content-type": "application/json", "access-control-allow-origin": "*" },
  });
}

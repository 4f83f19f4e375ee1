import type { Env } from "../kit/env.ts";
import { openapi } from "../openapi.ts";

/** What is not the API: health, the contract, the documentation. */
export async function pages(request: Request, { pathname }: URL, env: Env): Promise<Response | undefined> {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (pathname === "/healthz") return health(env);
  if (pathname === "/openapi.json") return contract(env);
  const code = /^\/errors\/(\w+)$/.exec(pathname)?.[1];
  if (code) return Response.redirect(new URL(`/docs/errors#${code}`, request.url).href, 302);
  if (pathname === "/") return Response.redirect(new URL("/docs", request.url).href, 302);
  if (pathname === "/docs" || pathname.startsWith("/docs/")) return env.ASSETS.fetch(request);
  return undefined;
}

/** Well only once the archive has its tables: until then lists would fail. */
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

/** Written down when it is first asked for, so that nobody else waits for it. */
let said: string | undefined;
function contract(env: Env): Response {
  said ??= JSON.stringify(openapi(env.BASE_URL?.replace(/\/+$/, "")));
  return new Response(said, { headers: { "content-type": "application/json", "access-control-allow-origin": "*" } });
}

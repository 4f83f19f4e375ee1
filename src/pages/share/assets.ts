import type { Env } from "../../kit/env.ts";
import type { Visit } from "../../router.ts";
import type { Files } from "./frame.ts";

const paths = { script: "/share/share.js", styles: "/share/share.css" };

/** The script or the styles; kept for ever by who asks for the version they have. */
export async function assetAt({ env, request, url }: Visit): Promise<Response | undefined> {
  if (!Object.values(paths).includes(url.pathname) || !["GET", "HEAD"].includes(request.method)) return undefined;
  const found = await env.ASSETS.fetch(request);
  const response = new Response(found.body, found);
  const same = versionIn(found) === url.searchParams.get("v");
  response.headers.set("cache-control", same ? "public, max-age=31536000, immutable" : "no-cache");
  return response;
}

let known: Files | undefined;

/** Addresses that change with what lies there; asked for once. */
export async function filesOf(env: Env, url: URL): Promise<Files> {
  if (known) return known;
  const [script, styles] = await Promise.all([versioned(env, url, paths.script), versioned(env, url, paths.styles)]);
  known = { script, styles };
  return known;
}

async function versioned(env: Env, url: URL, path: string): Promise<string> {
  const found = await env.ASSETS.fetch(new URL(path, url).href, { method: "HEAD" });
  return `${path}?v=${versionIn(found)}`;
}

/** The assets' ETag is the digest of the content. */
const versionIn = ({ headers }: Response) => (headers.get("etag") ?? "").replace(/^W\/|[^\w-]/g, "").slice(0, 12);

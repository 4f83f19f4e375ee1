import type { Env } from "../../platform/env.ts";
import type { RequestState } from "../../http/router.ts";

/** Paths of the scripts and stylesheets of a page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
}

const served = [
  "/frame/frame.css",
  "/share/share.css",
  "/share/share.js",
  "/freight/freight.css",
  "/freight/freight.js",
  "/board/board.css",
];

/** Responds with a script or stylesheet of a page. Its current versioned URL may be cached forever. */
export async function assetAt({ env, request, url }: RequestState): Promise<Response | undefined> {
  if (!served.includes(url.pathname) || !["GET", "HEAD"].includes(request.method)) return undefined;
  const asset = await env.ASSETS.fetch(request);
  const response = new Response(asset.body, asset);
  const same = versionIn(asset) === url.searchParams.get("v");
  response.headers.set("cache-control", same ? "public, max-age=31536000, immutable" : "no-cache");
  return response;
}

/** Returns versioned URLs, which change with the content of the files. */
export const versionsOf = async (env: Env, url: URL, { scripts, styles }: PageFiles): Promise<PageFiles> => ({
  scripts: await Promise.all(scripts.map((path) => versioned(env, url, path))),
  styles: await Promise.all(styles.map((path) => versioned(env, url, path))),
});

const knownVersions = new Map<string, string>();

async function versioned(env: Env, url: URL, path: string): Promise<string> {
  const address = knownVersions.get(path);
  if (address) return address;
  const asset = await env.ASSETS.fetch(new URL(path, url).href, { method: "HEAD" });
  const versioned = `${path}?v=${versionIn(asset)}`;
  knownVersions.set(path, versioned);
  return versioned;
}

/** The ETag of an asset is a digest of its content. */
const versionIn = ({ headers }: Response) => (headers.get("etag") ?? "").replace(/^W\/|[^\w-]/g, "").slice(0, 12);

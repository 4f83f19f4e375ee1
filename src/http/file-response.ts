import * as contentDisposition from "content-disposition";
import type { StoredFile } from "../platform/files.ts";
import { Problem } from "../platform/problem.ts";
import { matchesEtag } from "./responses.ts";

/** Browsers run scripts in these media types, so they are served as downloads only. */
const scriptable = /html|svg|xml|javascript/;

/** Responds with the stored bytes, with ETag, support of ranges and a safe content disposition. */
export async function fileResponse(bucket: R2Bucket, file: StoredFile, request: Request): Promise<Response> {
  const headers = new Headers({
    "content-type": file.mediaType,
    "content-disposition": contentDisposition.create(file.name, {
      type: scriptable.test(file.mediaType) ? "attachment" : "inline",
    }),
    etag: `"${file.sha256}"`,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
  });
  if (matchesEtag(request, `"${file.sha256}"`)) return new Response(null, { status: 304, headers });
  const range = rangeOf(request.headers.get("range"), file.sizeBytes);
  const stored = await bucket.get(file.key, range && { range });
  if (!stored) throw new Problem("not_found", "The file is no longer stored.");
  if (!range) return new Response(stored.body, { headers });
  headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${file.sizeBytes}`);
  return new Response(stored.body, { status: 206, headers });
}

/** Returns undefined for several or malformed ranges, because RFC 9110 then allows returning the whole file. */
function rangeOf(header: string | null, size: number): { offset: number; length: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (!match[1] && !match[2])) return undefined;
  const first = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]));
  const last = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1;
  if (first >= size || first > last) {
    throw new Problem("range_not_satisfiable", undefined, { headers: { "content-range": `bytes */${size}` } });
  }
  return { offset: first, length: last - first + 1 };
}

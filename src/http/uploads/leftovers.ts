import { uploadsFolder } from "./uploads.ts";

/** Longer than any request takes. */
const oldMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Removes uploads of requests that ended before they could do so themselves, such as those of an isolate that was killed.
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export async function forgetLeftovers(bucket: R2Bucket, now: number): Promise<number> {
  const prefix = `${uploadsFolder}/`;
  let forgotten = 0;
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < now - oldMilliseconds);
    if (old.length > 0) await bucket.delete(old.map(({ key }) => key));
    forgotten += old.length;
    isMore = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return forgotten;
}

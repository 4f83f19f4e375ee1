import { uploadsFolder } from "./uploads.ts";

/** No request takes this long. */
const abandonedMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Deletes uploads whose request ended without deleting them, such as in an isolate that was killed.
 * @param now milliseconds since 1970
 * @returns how many were deleted
 */
export async function deleteAbandonedUploads(bucket: R2Bucket, now: number): Promise<number> {
  const prefix = `${uploadsFolder}/`;
  let deleted = 0;
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < now - abandonedMilliseconds);
    if (old.length > 0) await bucket.delete(old.map(({ key }) => key));
    deleted += old.length;
    isMore = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return deleted;
}

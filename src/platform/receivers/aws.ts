import { AwsV4Signer } from "aws4fetch";
import type { PostRequest, TransportResult } from "./posting.ts";

/** Whose signature, and for what. */
export interface SignedFor {
  service: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Signs by Signature Version 4: host, moment and every header that is given.
 * Only the signer of the package is used: its `fetch` tries ten times by itself, and each of our calls is counted.
 */
export async function signRequest(
  { url, headers, body }: PostRequest,
  { service, region, accessKeyId, secretAccessKey }: SignedFor,
  at = new Date(),
): Promise<PostRequest> {
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    headers,
    body,
    service,
    region,
    accessKeyId,
    secretAccessKey,
    datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ""),
    allHeaders: true,
  });
  return { url, body, headers: Object.fromEntries((await signer.sign()).headers) };
}

/** What AWS calls the fault, such as `TooManyRequestsException`: in a header, or in the answer as `__type`. */
export function faultOf({ sent }: TransportResult): string | undefined {
  const said = sent.headers?.["x-amzn-errortype"] ?? /"__type"\s*:\s*"([^"]+)"/.exec(sent.answer)?.[1];
  return /^(?:[\w.]+#)?([A-Za-z][\w.]{0,99})/.exec(said ?? "")?.[1];
}

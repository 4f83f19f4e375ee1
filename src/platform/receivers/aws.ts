import { AwsV4Signer } from "aws4fetch";
import type { PostRequest, TransportResult } from "./transport.ts";

/** Credentials and target of a signature. */
export interface SignedFor {
  service: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Signs a request with Signature Version 4: host, time and every header. Only the signer of the package is used, because its
 * `fetch` retries ten times, and each of our calls is counted.
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

/** The error type of AWS, such as `TooManyRequestsException`: in a header, or in the body as `__type`. */
export function faultOf({ sent }: TransportResult): string | undefined {
  const type = sent.headers?.["x-amzn-errortype"] ?? /"__type"\s*:\s*"([^"]+)"/.exec(sent.answer)?.[1];
  return /^(?:[\w.]+#)?([A-Za-z][\w.]{0,99})/.exec(type ?? "")?.[1];
}

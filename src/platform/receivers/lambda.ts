import { faultOf, signRequest } from "./aws.ts";
import type { TransportContext } from "./means.ts";
import { json, type TransportResult } from "./posting.ts";
import { hostOf, type AuthenticationOf } from "./shape.ts";

/**
 * Calls a function and waits for its end, because only then is it known that the event has arrived: queued by AWS
 * (`InvocationType` Event) it might be lost there, or come after the next one. The function gets `{ headers, body }`,
 * the body as text with the same bytes that are signed.
 */
export async function invokeLambda(
  to: AuthenticationOf<"Lambda">,
  { message, post }: TransportContext,
): Promise<TransportResult> {
  const { body, headers } = message;
  const request = await signRequest(
    {
      url: `https://${hostOf("lambda", to.region)}/2015-03-31/functions/${encodeURIComponent(to.functionName)}/invocations`,
      headers: { "content-type": json, "x-amz-invocation-type": "RequestResponse" },
      body: JSON.stringify({ headers: { "content-type": json, ...headers }, body }),
    },
    { ...to, service: "lambda" },
  );
  const tried = { request, sent: await post(request), delivered: false, hides: { headers: ["authorization"] } };
  const failed = tried.sent.headers?.["x-amz-function-error"];
  if (failed !== undefined)
    return { ...tried, sent: { ...tried.sent, error: "function", detail: describeError(failed) } };
  const detail = tried.sent.detail ?? faultOf(tried);
  return { ...tried, delivered: tried.sent.status === 200, sent: { ...tried.sent, detail } };
}

/** AWS says `Unhandled`, or what the function's runtime made of it. */
const describeError = (failed: string) =>
  `The function ended with an error (${failed.replace(/[^\w.]/g, "").slice(0, 50)}).`;

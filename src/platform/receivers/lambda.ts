import { faultOf, signRequest } from "./aws.ts";
import { type TransportContext, json, type TransportResult } from "./transport.ts";
import { hostOf, type AuthenticationOf } from "./shape.ts";

/**
 * Invokes a function and waits for its result, because only then the event has certainly arrived: in the queue of AWS
 * (`InvocationType` Event) it could be lost or overtaken. The function receives `{ headers, body }`; the body is text with
 * exactly the signed bytes.
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

/** @param failed `Unhandled`, or an error type of the function's runtime */
const describeError = (failed: string) =>
  `The function ended with an error (${failed.replace(/[^\w.]/g, "").slice(0, 50)}).`;

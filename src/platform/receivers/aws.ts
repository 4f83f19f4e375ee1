import { AwsV4Signer } from "aws4fetch";
import { json, type Message, type PostRequest, type TransportContext, type TransportResult } from "./transport.ts";
import { hostOf, type AuthenticationOf } from "./shape.ts";

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

/** Sends the message to a queue: the body unchanged, its signature as message attributes. */
export async function sendToSqs(
  to: AuthenticationOf<"Sqs">,
  { message, post }: TransportContext,
): Promise<TransportResult> {
  const request = await signRequest(
    {
      url: `https://${hostOf("sqs", to.region)}/`,
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage" },
      body: JSON.stringify({
        QueueUrl: to.queueUrl,
        MessageBody: message.body,
        MessageAttributes: attributesOf(message),
        ...(to.queueUrl.endsWith(".fifo") && inOrder(message)),
      }),
    },
    { ...to, service: "sqs" },
  );
  const tried = { request, sent: await post(request), delivered: false, hides: { headers: ["authorization"] } };
  const detail = tried.sent.detail ?? faultOf(tried);
  return { ...tried, delivered: tried.sent.status === 200, sent: { ...tried.sent, detail } };
}

const attributesOf = ({ headers, type }: Message) =>
  Object.fromEntries(
    Object.entries({ ...headers, type }).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
  );

/** A queue accepts an id once in five minutes, so a message that is sent again by hand gets another id. */
const inOrder = ({ id, orderKey, manualTimes = 0 }: Message) => ({
  MessageGroupId: orderKey,
  MessageDeduplicationId: manualTimes > 0 ? `${id}:m${manualTimes}` : id,
});

import { AwsV4Signer } from "aws4fetch";
import * as z from "zod";
import { defineAuthentication, HeaderValue } from "./define-authentication.ts";
import { json, type Message, type PostRequest, type TransportContext, type TransportResult } from "./transport.ts";

const awsFields = {
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { message: "Not an AWS region such as eu-central-1", abort: true }),
  accessKeyId: z
    .string()
    .regex(/^\w{1,128}$/, "Not the id of an AWS access key of 1 to 128 letters, digits and underscores"),
  secretAccessKey: HeaderValue(256),
};

const { region, ...keys } = awsFields;

/** The host is derived from the region and never taken from an address that a caller sends. */
const hostOf = (service: "lambda" | "sqs", region: string) =>
  `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

/** Credentials and target of a signature. */
export type SignedFor = z.output<z.ZodObject<typeof awsFields>> & { service: string };

/**
 * Signs host, time and all headers of a request with Signature Version 4. The `fetch` of the package is not used,
 * because it retries ten times, but each of our calls must be counted.
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

/** The type, such as `TooManyRequestsException`, is in a header or in `__type` in the body. */
function faultOf({ sent }: TransportResult): string | undefined {
  const type = sent.headers?.["x-amzn-errortype"] ?? /"__type"\s*:\s*"([^"]+)"/.exec(sent.answer)?.[1];
  return /^(?:[\w.]+#)?([A-Za-z][\w.]{0,99})/.exec(type ?? "")?.[1];
}

const FunctionName = z
  .string()
  .max(300)
  .regex(
    /^(arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:)?[A-Za-z0-9_-]{1,140}(:(\$LATEST|[A-Za-z0-9_-]{1,128}))?$/,
    { message: "Not the name or the ARN of a function", abort: true },
  )
  .describe("Name or ARN, optionally with a version or an alias.");

const lambdaFields = { region, functionName: FunctionName, ...keys };

export const Lambda = defineAuthentication({
  type: "Lambda",
  id: "LambdaAuthentication",
  fields: lambdaFields,
  secret: "secretAccessKey",
  check: {
    holds: ({ region, functionName }) => [undefined, region].includes(functionName.split(":")[3]),
    message: "The region in the ARN differs from the field region",
    path: "functionName",
  },
  derivesAddress: true,
  deliver: invokeLambda,
});

/**
 * Waits for the result of the function. Otherwise (`InvocationType` Event) AWS would queue the event, and it could be
 * lost or overtaken. The function gets `{ headers, body }`, in which the body is the signed text.
 */
async function invokeLambda(
  to: z.output<z.ZodObject<typeof lambdaFields>>,
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

const QueueUrl = z
  .string()
  .regex(/^https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/\d{12}\/[A-Za-z0-9_-]{1,80}(\.fifo)?$/, {
    message: "Not the URL of a queue such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders",
    abort: true,
  })
  .describe("For a FIFO queue, the message group is the resource, and the deduplication id is the id of the event.");

const sqsFields = { region, queueUrl: QueueUrl, ...keys };

export const Sqs = defineAuthentication({
  type: "Sqs",
  id: "SqsAuthentication",
  fields: sqsFields,
  secret: "secretAccessKey",
  check: {
    holds: ({ region, queueUrl }) => new URL(queueUrl).host === hostOf("sqs", region),
    message: "The region in the URL differs from the field region",
    path: "queueUrl",
  },
  derivesAddress: true,
  deliver: sendToSqs,
});

/** Sends the message to a queue. The body is unchanged, and the signature is in message attributes. */
export async function sendToSqs(
  to: z.output<z.ZodObject<typeof sqsFields>>,
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

/** A FIFO queue accepts an id only once in five minutes, so a message that is resent by hand gets another id. */
const inOrder = ({ id, orderKey, manualTimes = 0 }: Message) => ({
  MessageGroupId: orderKey,
  MessageDeduplicationId: manualTimes > 0 ? `${id}:m${manualTimes}` : id,
});

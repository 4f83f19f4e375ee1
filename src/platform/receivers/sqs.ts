import { faultOf, signRequest } from "./aws.ts";
import type { TransportContext, Message, TransportResult } from "./transport.ts";
import { hostOf, type AuthenticationOf } from "./shape.ts";

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

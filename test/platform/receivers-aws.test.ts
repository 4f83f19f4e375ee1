import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendToSqs, signRequest } from "../../src/platform/receivers/aws.ts";
import type { PostRequest } from "../../src/platform/receivers/transport.ts";
import {
  simulateInternet,
  type ReceivedRequest,
  type Receiver,
  type ReceiverResponse,
} from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { formBody, isSigned, published, vectors } from "../support/signed-by-aws.ts";
import { subscribe } from "../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const keys = { accessKeyId: "AKIALORRY", secretAccessKey: "wJalr/of+the/tests" };

describe("Signature Version 4", () => {
  const bodyOf = (headers: object) => ("content-type" in headers ? formBody : "");

  test.each(vectors)("of the published request $name is accepted, and any other is not", (vector) => {
    const { method, path, headers = {}, signature } = vector;
    const all: Record<string, string> = { host: "example.amazonaws.com", "x-amz-date": "20150830T123600Z", ...headers };
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${Object.keys(all).sort().join(";")}, Signature=${signature}`;
    const url = `https://example.amazonaws.com${path}`;
    const came = { method, url, body: bodyOf(headers), headers: { ...all, authorization } };
    expect(isSigned(came, published.secretAccessKey)).toBe(true);
    expect(isSigned({ ...came, body: `${came.body}x` }, published.secretAccessKey)).toBe(false);
    expect(isSigned(came, "another")).toBe(false);
  });

  test.each(vectors.filter(({ method }) => method === "POST"))("is computed as published: $name", async (vector) => {
    const { path, headers = {}, signature } = vector;
    const request = { url: `https://example.amazonaws.com${path}`, headers, body: bodyOf(headers) };
    const { headers: made } = await signRequest(request, published, published.at);
    expect(made["authorization"]).toMatch(new RegExp(`Signature=${signature}$`));
  });

  test.each(["", "{}", "Łódź 🚚\r\n", "x".repeat(300_000)])("is valid for any body", async (body) => {
    const url = "https://lambda.eu-central-1.amazonaws.com/2015-03-31/functions/a%3Ab%24c/invocations";
    const made = await signRequest({ url, body, headers: { "content-type": "application/json" } }, published);
    const headers = { ...made.headers, host: new URL(url).host };
    expect(isSigned({ ...made, headers, method: "POST" }, published.secretAccessKey)).toBe(true);
  });
});

/** Simulates an AWS service that refuses requests if they are not signed with the known secret. */
function aws(url: string, answer: (heard: ReceivedRequest) => ReceiverResponse): Receiver {
  const receiver = internet.address(url);
  receiver.respondWith((heard) => {
    const headers = { ...heard.headers, host: new URL(url).host };
    if (isSigned({ ...heard, url, headers }, keys.secretAccessKey)) return answer(heard);
    return {
      status: 403,
      body: JSON.stringify({ __type: "InvalidSignatureException", message: "It does not match." }),
    };
  });
  return receiver;
}

const functionUrl = (name: string, region = "eu-central-1", domain = "amazonaws.com") =>
  `https://lambda.${region}.${domain}/2015-03-31/functions/${encodeURIComponent(name)}/invocations`;

const lambda = (functionName: string, region = "eu-central-1") => ({
  authentication: { type: "Lambda", region, functionName, ...keys },
});

/** The payload with which a Lambda function is called. */
interface Payload {
  headers: Record<string, string>;
  body: string;
}

describe("an AWS Lambda function", () => {
  test.each([
    ["on-order", "eu-central-1", "amazonaws.com"],
    ["on-order:live", "eu-central-1", "amazonaws.com"],
    ["arn:aws:lambda:eu-west-1:123456789012:function:on-order:$LATEST", "eu-west-1", "amazonaws.com"],
    ["arn:aws-cn:lambda:cn-north-1:123456789012:function:on-order", "cn-north-1", "amazonaws.com.cn"],
  ])("named %s in %s is called with the event, with both signatures", async (name, region, domain) => {
    const called = aws(functionUrl(name, region, domain), () => ({ status: 200, body: "null" }));
    const { tell, arrived, subscription } = await subscribe(service, { ...lambda(name, region), payload: "Full" });
    const [id] = await tell({ data: 'Łódź 🚚 "\r\n' });
    await arrived();
    const [heard] = called.received;
    expect(heard!.headers).toMatchObject({
      "x-amz-invocation-type": "RequestResponse",
      "content-type": "application/json",
    });
    const { headers, body } = JSON.parse(heard!.body) as Payload;
    expect(new Webhook(subscription.secret!).verify(body, headers)).toMatchObject({ id, data: 'Łódź 🚚 "\r\n' });
    expect(headers["webhook-id"]).toBe(id);
  });

  test("that ends with an error has not received the event", async () => {
    aws(functionUrl("broken"), () => ({
      status: 200,
      headers: { "x-amz-function-error": "Unhandled" },
      body: JSON.stringify({ errorMessage: "Task timed out", errorType: "Sandbox.Timedout" }),
    }));
    const { tell, failed } = await subscribe(service, lambda("broken"));
    await tell({});
    expect(await failed()).toMatchObject({
      status: 200,
      error: "function",
      detail: "The function ended with an error (Unhandled).",
    });
  });

  test("whose call is only queued has not received the event either", async () => {
    aws(functionUrl("queued"), () => ({ status: 202 }));
    const { tell, failed } = await subscribe(service, lambda("queued"));
    await tell({});
    expect(await failed()).toMatchObject({ status: 202 });
  });

  test("that is throttled is reported as such, and is not called again at once", async () => {
    const called = aws(functionUrl("busy"), () => ({
      status: 429,
      headers: { "x-amzn-errortype": "TooManyRequestsException:http://internal.amazon.com/", "retry-after": "1" },
    }));
    const { tell, failed } = await subscribe(service, lambda("busy"));
    await tell({});
    expect(await failed()).toMatchObject({ status: 429, detail: "TooManyRequestsException" });
    expect(called.received).toHaveLength(1);
  });

  test("is not called with another secret", async () => {
    aws(functionUrl("guarded"), () => ({ status: 200 }));
    const { authentication } = lambda("guarded");
    const { tell, failed } = await subscribe(service, {
      authentication: { ...authentication, secretAccessKey: "another" },
    });
    await tell({});
    expect(await failed()).toMatchObject({ status: 403, detail: "InvalidSignatureException" });
  });
});

interface Enqueued {
  QueueUrl: string;
  MessageBody: string;
  MessageAttributes: Record<string, { DataType: string; StringValue: string }>;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

const queueIn = (region: string, name: string) => `https://sqs.${region}.amazonaws.com/123456789012/${name}`;
const sqs = (region: string, name: string) => ({
  authentication: { type: "Sqs", region, queueUrl: queueIn(region, name), ...keys },
});
const enqueued = ({ body }: ReceivedRequest) => JSON.parse(body) as Enqueued;
/** Simulates the SQS endpoint of a region. It has one host for all queues, so each test uses its own region. */
const queues = (region: string, answer: ReceiverResponse) => aws(`https://sqs.${region}.amazonaws.com/`, () => answer);
const taken: ReceiverResponse = { status: 200, body: JSON.stringify({ MessageId: "5fea7756" }) };

describe("an AWS SQS queue", () => {
  test("gets the body unchanged, and the signature as attributes", async () => {
    const queue = queues("eu-central-1", taken);
    const wanted = { ...sqs("eu-central-1", "orders"), payload: "Full" };
    const { tell, arrived, subscription } = await subscribe(service, wanted);
    const [id] = await tell({ data: "Łódź 🚚" });
    await arrived();
    expect(queue.received[0]!.headers).toMatchObject({
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.SendMessage",
    });
    const { MessageBody, MessageAttributes, ...message } = enqueued(queue.received[0]!);
    expect(message).toEqual({ QueueUrl: queueIn("eu-central-1", "orders") });
    const said = Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]);
    const { type, ...headers } = Object.fromEntries(said) as Record<string, string>;
    expect({ type, id: headers["webhook-id"] }).toEqual({ type: "OrderProcessed", id });
    expect(new Webhook(subscription.secret!).verify(MessageBody, headers)).toMatchObject({ id, data: "Łódź 🚚" });
  });

  test("of type FIFO keeps the order of each resource, and accepts an event once", async () => {
    const queue = queues("eu-west-1", taken);
    const { tell, arrived } = await subscribe(service, sqs("eu-west-1", "orders.fifo"));
    const ids = await tell({ to: "A" }, { to: "B" }, { to: "A" });
    await arrived();
    const said = queue.received.map(enqueued);
    expect(new Set(said.map(({ MessageDeduplicationId }) => MessageDeduplicationId))).toEqual(new Set(ids));
    const ofA = said.filter(({ MessageGroupId }) => MessageGroupId === "Order/A");
    expect(ofA.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).toEqual([ids[0], ids[2]]);
    expect(said).toHaveLength(3);
  });

  test("of type FIFO accepts a message that is resent by hand", async () => {
    const { authentication } = sqs("eu-west-1", "orders.fifo");
    const posts: PostRequest[] = [];
    const message = { id: "evt_1", body: "{}", headers: {}, type: "Test", orderKey: "Order/A" };
    for (const manualTimes of [undefined, 0, 1, 2])
      await sendToSqs(authentication, {
        url: "",
        tokens: undefined as never,
        message: { ...message, ...(manualTimes !== undefined && { manualTimes }) },
        post: async (request) => (posts.push(request), { status: 200, answer: "", milliseconds: 1 }),
        mayCallAgain: () => false,
      });
    expect(posts.map(({ body }) => (JSON.parse(body) as Enqueued).MessageDeduplicationId)).toEqual([
      "evt_1",
      "evt_1",
      "evt_1:m1",
      "evt_1:m2",
    ]);
  });

  test.each([
    ["eu-north-1", 400, "com.amazonaws.sqs#ThrottlingException", "ThrottlingException"],
    ["eu-south-1", 400, "com.amazonaws.sqs#QueueDoesNotExist", "QueueDoesNotExist"],
    ["us-east-1", 403, "com.amazon.coral.service#AccessDeniedException", "AccessDeniedException"],
  ])("in %s that responds with %i %s has not accepted the event", async (region, status, type, detail) => {
    const queue = queues(region, { status, body: JSON.stringify({ __type: type, message: "No." }) });
    const { tell, failed } = await subscribe(service, sqs(region, "orders"));
    await tell({});
    expect(await failed()).toMatchObject({ status, detail });
    expect(queue.received).toHaveLength(1);
  });
});

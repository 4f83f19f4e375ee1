import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { simulateInternet, type ReceivedRequest } from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { secret, startSigner } from "../support/signer.ts";
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

const aws = { region: "eu-central-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "not/really+a-secret" };
const queueUrl = "https://sqs.eu-central-1.amazonaws.com/123456789012/orders";
const oauth = { type: "OAuth2", tokenUrl: "https://id.beispiel.de/token", clientId: "lorry", clientSecret: "s3cret" };

describe("authentication toward a receiver", () => {
  test.each([
    [undefined, { type: "None" }],
    [{ type: "none" }, { type: "None" }],
    [
      { type: "APIKEY", headerName: "Authorization", apiKey: "Token 4711" },
      { type: "ApiKey", headerName: "Authorization", apiKey: "***" },
    ],
    [
      { type: "basic", username: "jörg", password: "päss:wörd" },
      { type: "Basic", username: "jörg", password: "***" },
    ],
    [oauth, { ...oauth, clientSecret: "***", clientAuthentication: "Basic" }],
    [
      { ...oauth, type: "oauth2", scope: "orders events", clientAuthentication: "POST" },
      { ...oauth, clientSecret: "***", scope: "orders events", clientAuthentication: "Post" },
    ],
    [
      { type: "lambda", functionName: "on-order:live", ...aws },
      { type: "Lambda", functionName: "on-order:live", ...aws, secretAccessKey: "***" },
    ],
    [
      { type: "SQS", queueUrl, ...aws },
      { type: "Sqs", queueUrl, ...aws, secretAccessKey: "***" },
    ],
  ])("sent as %j is returned as %j", async (authentication, shown) => {
    const { ask, id, subscription } = await subscribe(service, {
      callbackUrl: internet.address().url,
      ...(authentication && { authentication }),
    });
    expect(subscription.authentication).toEqual(shown);
    const { body: listed } = await ask<{ items: unknown[] }>("GET", "/api/v1/webhooks");
    const { body: read } = await ask("GET", `/api/v1/webhooks/${id}`);
    expect([read, ...listed.items]).toMatchObject([{ authentication: shown }, { authentication: shown }]);
  });

  test.each(["Lambda", "Sqs"])("of kind %s needs no URL, and stores none", async (type) => {
    const authentication = { type, ...(type === "Sqs" ? { queueUrl } : { functionName: "on-order" }), ...aws };
    const without = await subscribe(service, { authentication });
    const withOne = await subscribe(service, { authentication, callbackUrl: "https://receiver.beispiel.de/hooks" });
    expect([without.subscription, withOne.subscription].map(({ callbackUrl }) => callbackUrl)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    ["no type", {}, ["type"]],
    ["an unknown type", { type: "Digest" }, ["type"]],
    ["an API key without any field", { type: "ApiKey" }, ["headerName", "apiKey"]],
    ["a header name with a blank", { type: "ApiKey", headerName: "X Key", apiKey: "k" }, ["headerName"]],
    ["a header name that is too long", { type: "ApiKey", headerName: "x".repeat(65), apiKey: "k" }, ["headerName"]],
    ...[
      "Host",
      "content-length",
      "Content-Type",
      "Transfer-Encoding",
      "Connection",
      "TE",
      "Trailer",
      "Upgrade",
      "Cookie",
      "Webhook-Id",
      "webhook-signature",
      "CF-Connecting-IP",
      "X-Forwarded-For",
      "X-Amz-Date",
      "Proxy-Authorization",
      "User-Agent",
    ].map((headerName) => [`the header ${headerName}`, { type: "ApiKey", headerName, apiKey: "k" }, ["headerName"]]),
    ...["", "a\r\nX-Evil: 1", "schlüssel", " k", "k ", "k".repeat(4097), "a\0b"].map((apiKey) => [
      `the key ${JSON.stringify(apiKey).slice(0, 20)}`,
      { type: "ApiKey", headerName: "X-Key", apiKey },
      ["apiKey"],
    ]),
    ["a user name with a colon", { type: "Basic", username: "a:b", password: "p" }, ["username"]],
    ["a password with a line break", { type: "Basic", username: "a", password: "p\n" }, ["password"]],
    ["an unpaired surrogate", { type: "Basic", username: "a\ud800", password: "p" }, ["username"]],
    ["a token server without credentials", { type: "OAuth2", tokenUrl: oauth.tokenUrl }, ["clientId", "clientSecret"]],
    ["an unknown client authentication", { ...oauth, clientAuthentication: "Cookie" }, ["clientAuthentication"]],
    ["an unknown region", { type: "Lambda", functionName: "f", ...aws, region: "evil.com/" }, ["region"]],
    ["a function by its URL", { type: "Lambda", functionName: "https://evil.com", ...aws }, ["functionName"]],
    ["a function name with a path", { type: "Lambda", functionName: "../f", ...aws }, ["functionName"]],
    [
      "a function in another region",
      { type: "Lambda", functionName: "arn:aws:lambda:eu-west-1:123456789012:function:f", ...aws },
      ["functionName"],
    ],
    ["a queue without any field", { type: "Sqs" }, ["region", "queueUrl", "accessKeyId", "secretAccessKey"]],
    ...[
      "https://sqs.eu-west-1.amazonaws.com/123456789012/orders",
      "http://sqs.eu-central-1.amazonaws.com/123456789012/orders",
      "https://sqs.eu-central-1.amazonaws.com.evil.com/123456789012/orders",
      "https://sqs.eu-central-1.amazonaws.com/123456789012/orders?x",
      "https://evil.com/123456789012/orders",
      "https://sqs.eu-central-1.amazonaws.com/1/orders",
    ].map((wrong) => [`the queue ${wrong}`, { type: "Sqs", ...aws, queueUrl: wrong }, ["queueUrl"]]),
  ] as [string, object, string[]][])(
    "with %s is refused, and the error names the field",
    async (_, authentication, wrong) => {
      const ask = apiClient(service, company.key);
      const { status, body } = await ask<{ errorCode: string; errors: { field: string }[] }>(
        "POST",
        "/api/v1/webhooks",
        {
          json: { eventType: "All", callbackUrl: "https://receiver.beispiel.de/hooks", authentication },
        },
      );
      expect({ status, code: body.errorCode, fields: body.errors.map(({ field }) => field) }).toEqual({
        status: 400,
        code: "validation_failed",
        fields: wrong.map((name) => `authentication.${name}`),
      });
    },
  );

  test("that is wrong does not hide the error of a missing URL", async () => {
    const ask = apiClient(service, company.key);
    const { body } = await ask<{ errors: { field: string; code: string }[] }>("POST", "/api/v1/webhooks", {
      json: { eventType: "All", authentication: { type: "Basic", username: "a:b", password: "p" } },
    });
    expect(body.errors.map(({ field, code }) => [field, code])).toEqual([
      ["authentication.username", "invalid"],
      ["callbackUrl", "required"],
    ]);
  });

  test("errors name every forbidden URL", async () => {
    const ask = apiClient(service, company.key);
    const { status, body } = await ask<{ errors: { field: string }[] }>("POST", "/api/v1/webhooks", {
      json: {
        eventType: "All",
        callbackUrl: "https://user@receiver.beispiel.de/",
        authentication: { ...oauth, tokenUrl: "ftp://id.beispiel.de/token" },
      },
    });
    expect({ status, fields: body.errors.map(({ field }) => field) }).toEqual({
      status: 422,
      fields: ["callbackUrl", "authentication.tokenUrl"],
    });
  });

  let company: ReturnType<TestService["company"]>;
  beforeAll(() => void (company = service.company()));
});

describe("a receiver", () => {
  test("with an API key receives it, beside the signature", async () => {
    const address = internet.address();
    const key = 'k3y "with" \\ signs';
    address.respondWith(({ headers }) => ({ status: headers["x-tms-key"] === key ? 200 : 401 }));
    const { tell, arrived, subscription } = await subscribe(service, {
      callbackUrl: address.url,
      authentication: { type: "ApiKey", headerName: "X-TMS-Key", apiKey: key },
    });
    await tell({});
    await arrived();
    expect(verified(subscription.secret!, address.received[0]!)).toMatchObject({ eventType: "OrderProcessed" });
  });

  test("with Basic authentication receives name and password", async () => {
    const address = internet.address();
    const known = `Basic ${Buffer.from("jörg:päss:wörd").toString("base64")}`;
    address.respondWith(({ headers }) => ({ status: headers["authorization"] === known ? 200 : 401 }));
    const authentication = { type: "Basic", username: "jörg", password: "päss:wörd" };
    const { tell, arrived, subscription } = await subscribe(service, { callbackUrl: address.url, authentication });
    await tell({});
    await arrived();
    expect(verified(subscription.secret!, address.received[0]!)).toMatchObject({ eventType: "OrderProcessed" });

    const other = await subscribe(service, {
      callbackUrl: address.url,
      authentication: { ...authentication, password: "päss" },
    });
    await other.tell({});
    expect(await other.failed()).toMatchObject({ status: 401 });
  });

  test("gets a valid signature for bodies in every script and with every line ending", async () => {
    const address = internet.address();
    const { tell, arrived, subscription } = await subscribe(service, { callbackUrl: address.url, payload: "Full" });
    const texts = ["🚚🇵🇱", "a\r\nb\r", "Łódź — ул. Мира", "\u2028\u0000", "x".repeat(250_000)];
    await tell(...texts.map((data) => ({ data })));
    await arrived();
    expect(address.received).toHaveLength(texts.length);
    const said = address.received.map((heard) => verified(subscription.secret!, heard).data);
    expect(new Set(said)).toEqual(new Set(texts));
  });
});

/** Verifies the signature of a delivery and returns its body. @throws if the signature is invalid */
const verified = (secret: string, { body, headers }: ReceivedRequest) =>
  new Webhook(secret).verify(body, headers) as { eventType: string; data: unknown };

describe("the Standard Webhooks signature", () => {
  let signer: Awaited<ReturnType<typeof startSigner>>;

  beforeAll(async () => {
    signer = await startSigner();
  });
  afterAll(() => signer.stop());

  test("is the published one for the published test vector", async () => {
    expect(await signer.sign([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}', 1_614_265_330)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("is made with each secret, so that either of two verifies", async () => {
    const older = `whsec_${Buffer.from("an older secret of 24 by").toString("base64")}`;
    const headers = await signer.sign([secret, older], "evt_1", "{}");
    for (const one of [secret, older]) expect(new Webhook(one).verify("{}", headers)).toEqual({});
    expect(() => new Webhook(`${older.slice(0, -2)}AA`).verify("{}", headers)).toThrow("No matching signature");
  });
});

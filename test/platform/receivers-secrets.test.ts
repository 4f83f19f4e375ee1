import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { simulateInternet, type ReceiverBehaviour } from "../support/simulated-internet.ts";
import { openService } from "../support/service.ts";
import { subscribe } from "../support/webhooks.ts";

const basic = Buffer.from("lorry:Pa55-of-basic").toString("base64");
const secrets = [
  "K3y-of-the-receiver",
  "Pa55-of-basic",
  basic,
  "S3cret-of-the-client",
  "T0ken-of-the-server",
  "S3cret-of-lambda",
  "S3cret-of-sqs",
  "never/accepted-S3cret",
];

/** Responds with everything that it receives: unchanged, as JSON, and percent-encoded. */
const echoing: ReceiverBehaviour = ({ headers, body }) => ({
  status: 500,
  headers: { "retry-after": headers["x-key"] ?? headers["authorization"] ?? "1", "x-amzn-errortype": body },
  body: [
    ...Object.values(headers),
    JSON.stringify({ headers, body }),
    encodeURIComponent(JSON.stringify(headers)),
  ].join("\n"),
});

test("no secret is returned, logged or stored in plain text", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-secrets-"));
  const logs = join(state, "logs.jsonl");
  const internet = simulateInternet();
  const service = await openService({ internet: internet.answer, state, logs });
  const company = service.company();
  const ask = apiClient(service, company.key);
  const aws = { region: "eu-central-1", accessKeyId: "AKIALORRY" };
  const receivers = [
    { type: "ApiKey", headerName: "X-Key", apiKey: "K3y-of-the-receiver" },
    { type: "Basic", username: "lorry", password: "Pa55-of-basic" },
    { type: "OAuth2", tokenUrl: "", clientId: "lorry", clientSecret: "S3cret-of-the-client" },
    { type: "Lambda", functionName: "echo", ...aws, secretAccessKey: "S3cret-of-lambda" },
    {
      type: "Sqs",
      queueUrl: "https://sqs.eu-central-1.amazonaws.com/123456789012/echo",
      ...aws,
      secretAccessKey: "S3cret-of-sqs",
    },
  ];
  const server = internet.address();
  server.respondWith(() => ({ status: 200, body: JSON.stringify({ access_token: "T0ken-of-the-server" }) }));
  const lambda = internet.address("https://lambda.eu-central-1.amazonaws.com/2015-03-31/functions/echo/invocations");
  const sqs = internet.address("https://sqs.eu-central-1.amazonaws.com/");
  const address = internet.address();
  for (const receiver of [lambda, sqs, address]) receiver.respondWith(echoing);

  const seen: unknown[] = [];
  const look = async (...asked: Parameters<typeof ask>) => void seen.push(await ask(...asked));
  for (const [index, authentication] of receivers.entries()) {
    const wanted = { callbackUrl: address.url, authentication: { ...authentication, tokenUrl: server.url } };
    const { subscription, tell, failed, id } = await subscribe(service, wanted, company);
    await tell({});
    seen.push(subscription, await failed());
    const sending = { json: { eventType: "All", ...wanted }, headers: { "idempotency-key": `secret-${index}` } };
    for (const _ of [1, 2]) await look("POST", "/api/v1/webhooks", sending);
    await look("GET", `/api/v1/webhooks/${id}`);
    await look("GET", `/api/v1/webhooks/${id}/deliveries`);
  }
  await look("POST", "/api/v1/webhooks", {
    json: {
      authentication: { type: "Basic", username: "never/accepted-S3cret:", password: "never/accepted-S3cret\n" },
    },
  });
  await look("GET", "/api/v1/webhooks");
  await service.stop();
  internet.close();

  const heard = [...address.received, ...server.received, ...lambda.received, ...sqs.received];
  expect(heard.length).toBeGreaterThanOrEqual(6);
  const files = await contents(state);
  await rm(state, { recursive: true, force: true });
  // Control: the searched files do contain names, responses of the receivers and log lines.
  for (const known of ["AKIALORRY", "OrderProcessed", "authorization", '"what":"delivery"'])
    expect(files.includes(known), known).toBe(true);
  for (const secret of secrets)
    expect(JSON.stringify(seen).includes(secret) || files.includes(secret), secret).toBe(false);
});

/** Reads all files in a folder as one text with one character per byte. */
async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

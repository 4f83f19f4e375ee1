import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExternalErrorViewModel } from "../../src/http/openapi/problems.ts";
import { externalProblem } from "../../src/platform/external.ts";
import { simulateInternet, type ReceiverBehaviour, type ReceiverResponse } from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { subscribe } from "../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer, vars: { WEBHOOK_TIMEOUT_MS: "3000" } });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const json = (said: unknown, status = 200, headers: Record<string, string> = {}): ReceiverResponse => ({
  status,
  headers,
  body: JSON.stringify(said),
});

/** Creates a webhook whose receiver requires OAuth tokens, tests the webhook, and returns the response. */
async function tested(tokens: ReceiverBehaviour, receives: ReceiverBehaviour = () => ({ status: 204 })) {
  const [server, receiver] = [internet.address(), internet.address()];
  server.respondWith(tokens);
  receiver.respondWith(receives);
  const { ask, id } = await subscribe(service, {
    callbackUrl: receiver.url,
    authentication: { type: "OAuth2", tokenUrl: server.url, clientId: "lorry", clientSecret: "s3cret" },
  });
  const { status, headers, body } = await ask("POST", `/api/v1/webhooks/${id}/test`);
  return { status, headers, body, receiver };
}

const gives: ReceiverBehaviour = () => json({ access_token: "t", token_type: "Bearer" });

describe("the test of a webhook", () => {
  test.each<[string, ReceiverBehaviour, number, object]>([
    [
      "rejects the client",
      () => json({ error: "invalid_client" }, 401),
      502,
      {
        externalStatus: 401,
        externalErrors: [{ code: "token", message: "The token server failed: 401 invalid_client" }],
      },
    ],
    ["is broken", () => ({ status: 500, body: "s3cret" }), 502, { externalStatus: 500 }],
    ["is overloaded", () => json({}, 503, { "retry-after": "7" }), 503, { externalStatus: 503 }],
    ["does not answer", () => internet.silence(), 504, { externalErrors: [{ code: "timeout" }] }],
  ])("reports that the token server %s", async (_, tokens, status, said) => {
    const answer = await tested(tokens);
    expect(answer.status).toBe(status);
    expect(ExternalErrorViewModel.parse(answer.body)).toMatchObject({ status, source: "TokenServer", ...said });
    expect(answer.body).toMatchObject({ delivered: false, eventId: expect.stringMatching(/^evt_/) as string });
    expect(answer.headers.get("content-type")).toBe("application/problem+json; x-api-version=1.0");
    expect(answer.headers.get("retry-after")).toBe(status === 503 ? "30" : null);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
    expect(answer.receiver.received).toEqual([]);
  });

  test.each<[string, ReceiverBehaviour, number, object]>([
    ["does not answer", () => internet.silence(), 504, { externalErrors: [{ code: "timeout" }] }],
    ["cannot be reached by the edge", () => ({ status: 521 }), 502, { externalStatus: 521 }],
    ["times out at the edge", () => ({ status: 524 }), 504, { externalStatus: 524 }],
  ])("reports that the receiver %s", async (_, receives, status, said) => {
    const answer = await tested(gives, receives);
    expect(answer.status).toBe(status);
    expect(ExternalErrorViewModel.parse(answer.body)).toMatchObject({ status, source: "Receiver", ...said });
    expect(answer.body).toMatchObject({ delivered: false });
  });

  test.each([204, 400, 410, 500, 503])(
    "returns a result, not an error, if the receiver responds with %i",
    async (status) => {
      const answer = await tested(gives, () => ({ status }));
      expect(answer).toMatchObject({ status: 200, body: { status, delivered: status < 300 } });
    },
  );
});

describe("an error of an external system", () => {
  test.each([
    [{ status: 500 }, 502, "http_500"],
    [{ status: 502 }, 502, "http_502"],
    [{ status: 503 }, 503, "http_503"],
    [{ status: 429 }, 503, "http_429"],
    [{ status: 504 }, 504, "http_504"],
    [{ error: "timeout" }, 504, "timeout"],
    [{ error: "tls" }, 502, "tls"],
    [{ error: "connection" }, 502, "connection"],
    [{ status: 200, error: "unreadable_answer" }, 502, "unreadable_answer"],
  ])("with %j has the status %i", (how, status, code) => {
    const problem = externalProblem({ source: "ExchangeRates", message: "It failed.", ...how });
    expect(problem.status).toBe(status);
    expect(problem.extra["externalErrors"]).toEqual([{ code, message: "It failed." }]);
    expect(problem.headers["retry-after"]).toBe(status === 503 ? "30" : undefined);
  });

  test.each([
    ["120", "120"],
    ["Wed, 21 Oct 2026 07:28:00 GMT", "30"],
    ["-1\r\nX-Evil: 1", "30"],
  ])("has a retry time only if it is a number: %j", (retryAfter, expected) => {
    const { headers } = externalProblem({ source: "Receiver", status: 503, message: "Busy.", retryAfter });
    expect(headers["retry-after"]).toBe(expected);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient, type ApiClient, type ApiRequest } from "../support/api-client.ts";
import { openService, type TestService } from "../support/service.ts";

// An error text says which values would be accepted, and for which field.

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" } });
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

interface Unclear extends ApiRequest {
  what: string;
  method?: string;
  path: string;
  detail?: string | RegExp;
  errors?: { field: string; pointer: string; message: string | RegExp }[];
  status?: number;
}

const csv = "4711;05.10.2026;WGM 12345\n";
const day = "Not a date and time with an offset, such as 2026-11-24T08:00:00Z.";
const refusals: Unclear[] = [
  {
    what: "a string instead of an object in a list",
    path: "/api/v1/vehicles",
    json: { licensePlate: "WGM 12345", cards: ["7002"] },
    detail: "1 field is wrong.",
    errors: [
      {
        field: "cards[0]",
        pointer: "/cards/0",
        message: /^cards\[0\]: It must be an object \{ provider, number\b.* \}, not a string\.$/,
      },
    ],
  },
  {
    what: "a list instead of an object",
    method: "PUT",
    path: "/api/v1/company",
    json: [],
    errors: [
      { field: "", pointer: "", message: /^body: It must be an object \{ name, .*vatCodes.* \}, not an array\.$/ },
    ],
  },
  {
    what: "a date instead of a time",
    path: "/api/v1/keys",
    json: { scopes: ["orders:read"], expiresAt: "2026-11-21" },
    errors: [{ field: "expiresAt", pointer: "/expiresAt", message: `expiresAt: ${day}` }],
  },
  {
    what: "a date instead of the end of a block",
    method: "PUT",
    path: "/api/v1/accounts/block",
    json: { email: "anna@trans.example", until: "2026-11-22" },
    errors: [{ field: "until", pointer: "/until", message: `until: ${day}` }],
  },
  {
    what: "a name instead of the number of a table",
    method: "GET",
    path: "/api/v1/automations?status=NeedsReview",
    errors: [{ field: "status", pointer: "/status", message: /Not one of 0 \(Queued\), .*4 \(NeedsReview\)/ }],
  },
  {
    what: "an operation without its area",
    method: "GET",
    path: "/api/v1/audit?operation=block",
    errors: [
      { field: "operation", pointer: "/operation", message: /Not the name of an operation such as accounts\.block/ },
    ],
  },
  {
    what: "retention of unknown kinds",
    method: "PUT",
    path: "/api/v1/privacy/retention",
    json: { invoices: 30 },
    errors: [{ field: "invoices", pointer: "/invoices", message: /The kinds are orders, opportunities, documents, / }],
  },
  {
    what: "a statement with curl's default content type",
    path: "/api/v1/transactions-feed?provider=Beispielkarte",
    body: csv,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    detail: /own media type, such as text\/csv\. The media type was application\/x-www-form-urlencoded\.$/,
  },
  {
    what: "JSON with another content type",
    path: "/api/v1/vehicles",
    body: "{}",
    headers: { "content-type": "text/plain" },
    status: 415,
    detail: "The body must be application/json. The media type was text/plain.",
  },
  { what: "an empty mail", path: "/dev/mail/in", body: "", detail: "The mail is empty." },
  { what: "a mail without a header", path: "/dev/mail/in", body: "hello", detail: /^The body is not a mail/ },
  {
    what: "a mail to an unknown address",
    path: "/dev/mail/in?to=nobody@x.example",
    body: "From: a@sender.example\r\nSubject: Hello\r\n\r\nHello",
    status: 404,
    detail: /Send X-Api-Key, or a valid address in \?to=/,
  },
];

const like = (wanted: string | RegExp): unknown =>
  typeof wanted === "string" ? wanted : expect.stringMatching(wanted);

test.each(refusals)("$what", async ({ method = "POST", path, status = 400, detail, errors, ...sending }) => {
  const reply = await ask(method, path, sending);
  expect(reply).toMatchObject({
    status,
    body: {
      ...(detail && { detail: like(detail) }),
      ...(errors && { errors: errors.map(({ message, ...place }) => ({ ...place, message: like(message) })) }),
    },
  });
});

test("unknown types beside a supported one are ignored, and a body without types removes every period", async () => {
  const put = async (json: object) => (await ask("PUT", "/api/v1/privacy/retention", { json })).body;
  expect(await put({ invoices: 30, mails: 90 })).toEqual({ mails: 90 });
  expect((await ask("PUT", "/api/v1/privacy/retention", { json: { invoices: 30 } })).status).toBe(400);
  expect((await ask("GET", "/api/v1/privacy/retention")).body).toEqual({ mails: 90 });
  expect(await put({})).toEqual({});
});

test("an API key in the path is not echoed, and the error asks for the key's id", async () => {
  const { body: made } = await ask<{ key: string; keyId: string }>("POST", "/api/v1/keys", {
    json: { scopes: ["orders:read"] },
  });
  const secret = made.key.slice(made.keyId.length + 1);
  for (const [method, path] of [
    ["POST", `/api/v1/keys/${made.key}/rotate`],
    ["DELETE", `/api/v1/keys/${made.key}`],
  ] as const) {
    const { status, body } = await ask(method, path);
    expect(status).toBe(404);
    expect(body["detail"]).toMatch(/^Send only the id of the key/);
    expect(body["instance"]).toContain(made.keyId);
    expect(JSON.stringify(body)).not.toContain(secret);
  }
});

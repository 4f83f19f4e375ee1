import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { takesIdempotencyKey } from "../../../src/http/openapi/row.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, refusalIn, type ErrorBody } from "./conform.ts";
import { createCompany, type TestCompany } from "./company.ts";
import { goodRequest, send, reusableRequest, uploadForm, type Request } from "./requests.ts";

let service: TestService;
let firm: TestCompany;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  firm = await createCompany(service);
});

afterAll(() => service.stop());

const asked = async (named: NamedOperation, request: Request) => expectConforming(named, await send(service, request));
const keyed = ({ headers, ...request }: Request, key: string): Request => ({
  ...request,
  headers: { ...headers, "idempotency-key": key },
});

/** Fields that a repeated response may leave out. */
const secrets = new Set(["key", "secret"]);
const open = (body: unknown) =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !secrets.has(name)));

/** Makes a valid request with another body. */
function otherOf(named: NamedOperation, request: Request): Request {
  if (named.operation.takesFile) return { ...request, body: uploadForm(named.operation.example?.body) };
  const body = JSON.parse(request.body as string) as Record<string, unknown>;
  return { ...request, body: JSON.stringify(changed(body)) };
}

/** Changes the free texts of a body or, if it has none, those of its list items. */
function changed(body: Record<string, unknown>): Record<string, unknown> {
  const isText = ([name, value]: [string, unknown]) => name in texts && typeof value === "string";
  const entries = Object.entries(body);
  const hasOwn = entries.some(isText);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (isText([name, value])) return [name, texts[name]];
      return [name, !hasOwn && Array.isArray(value) ? value.map(changedItem) : value];
    }),
  );
}

const changedItem = (item: unknown) =>
  typeof item === "object" && item !== null ? changed(item as Record<string, unknown>) : item;

/** Other values for the fields with free text. */
const texts: Record<string, string> = {
  inputText: "Another order",
  subject: "Another",
  description: "Another",
  callbackUrl: "https://another.beispiel.de/hooks",
  name: "Another GmbH",
  comments: "Another",
  rating: "Good",
  provider: "Another",
  internalComments: "Another",
  reason: "Another",
  message: "Another",
  reference: "Another",
  comment: "Another",
};

describe.each(operations.filter(({ operation }) => takesIdempotencyKey(operation)))("$id", (named) => {
  test("is executed once when it is repeated with its key, with the same response", async () => {
    const request = keyed(await goodRequest(named, service, firm), `once-${named.id}`);
    const first = await asked(named, request);
    const second = await asked(named, request);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.status).toBe(first.status);
    expect(open(second.body)).toEqual(open(first.body));
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
  });

  test("creates one record when it is requested eight times at once", async () => {
    const request = keyed(await goodRequest(named, service, firm), `together-${named.id}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => asked(named, request)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(open(body)))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
    const shown = answers.flatMap(({ body }) => Object.entries(body as object).filter(([name]) => secrets.has(name)));
    expect(new Set(shown.map(([, secret]) => secret as string)).size, "secrets shown").toBeLessThan(2);
  });

  test("creates two records for two keys, and a key of another company is independent", async () => {
    const other = await createCompany(service);
    const request = await goodRequest(named, service, firm);
    const answers = [await asked(named, keyed(request, "a")), await asked(named, keyed(request, "b"))];
    for (const { headers } of answers) expect(headers.get("idempotency-replayed")).toBeNull();
    if (named.operation.access === "operator") return;
    const theirs = { ...request, headers: { ...request.headers, authorization: `Bearer ${other.key}` } };
    expect((await asked(named, keyed(theirs, "a"))).headers.get("idempotency-replayed")).toBeNull();
  });

  test.each(["x".repeat(256), "with blanks"])("refuses %.20j as a key", async (key) => {
    const refused = await asked(named, keyed(await reusableRequest(named, service, firm), key));
    expect((refused.body as ErrorBody).errors).toMatchObject([{ field: "Idempotency-Key" }]);
  });
});

describe.each(operations.filter(({ operation }) => takesIdempotencyKey(operation) && operation.body))(
  "$id",
  (named) => {
    test("refuses the key with another body", async () => {
      const request = keyed(await goodRequest(named, service, firm), `other-${named.id}`);
      await asked(named, request);
      expect(refusalIn(await asked(named, otherOf(named, request)))).toEqual({
        status: 422,
        code: "idempotency_key_reused",
      });
    });
  },
);

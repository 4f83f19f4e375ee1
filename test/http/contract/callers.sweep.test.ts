import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Response as Answer } from "miniflare";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { readScopes, scopes, type Scope } from "../../../src/platform/credential.ts";
import { neededScopes } from "../../../src/http/operation.ts";
import { isScoped, pathNames } from "../../../src/http/openapi/row.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, refusalIn, type ErrorBody } from "./conform.ts";
import { createCompany, keyWith, credentialsOf, withCredentials, type TestCompany } from "./company.ts";
import { fillPath, goodRequest, requestFor, send, reusableRequest, type Request } from "./requests.ts";

let service: TestService;
let ours: TestCompany;
/** A company whose requests are all refused, so that its records do not change. */
let closed: TestCompany;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  ours = await createCompany(service);
  closed = await createCompany(service);
});

afterAll(() => service.stop());

const asked = async (named: NamedOperation, request: Request) => expectConforming(named, await send(service, request));
/**
 * Limits the scopes in the body to the given one, because a key can only create keys with scopes that it has itself.
 */
const within = (request: Request, scope: string): Request =>
  typeof request.body === "string" && request.body.includes('"scopes"')
    ? { ...request, body: JSON.stringify({ ...JSON.parse(request.body), scopes: [scope] }) }
    : request;

const scoped = operations.filter(({ operation }) => isScoped(operation));
const aboutAThing = scoped.filter(({ operation }) => pathNames(operation.path).length > 0);
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Further scopes that some operations need because of their examples. */
const ofExample: Record<string, Scope[]> = {
  "webhooks.events": ["orders:read"],
  "webhooks.resend": ["orders:read"],
  "webhooks.update": [...readScopes],
  "feedback.list": ["orders:read"],
  "feedback.metrics": ["orders:read"],
};

describe.each(scoped)("$id", (named) => {
  test("accepts the key in every form of authentication", async () => {
    await Promise.all(
      Object.entries(credentialsOf(ours)).map(async ([way, headers]) => {
        const { status } = await asked(named, withCredentials(await goodRequest(named, service, ours), headers));
        expect(status, way).toBeLessThan(300);
      }),
    );
  });

  const [first, ...others] = neededScopes(named.operation) as [Scope, ...Scope[]];

  test.each([first, ...others])("is refused without %s, and the error names it", async (needed) => {
    const [area, verb] = needed.split(":") as [string, string];
    const rest = scopes.filter(
      (scope) => !scope.startsWith(`${area}:`) || (verb === "write" && scope === `${area}:read`),
    );
    const key = await keyWith(service, closed, rest);
    const refused = await asked(
      named,
      withCredentials(await reusableRequest(named, service, closed), { "x-api-key": key }),
    );
    expect(refusalIn(refused)).toEqual({ status: 403, code: "missing_scope" });
    expect((refused.body as ErrorBody).scope).toBe(needed);
  });

  test.each(first.endsWith(":read") ? [first, first.replace(":read", ":write")] : [first])(
    "needs only %s and the scopes of its example",
    async (scope) => {
      const key = await keyWith(service, ours, [scope, ...others, ...(ofExample[named.id] ?? [])]);
      const request = within(await goodRequest(named, service, ours), scope);
      const { status } = await asked(named, withCredentials(request, { "x-api-key": key }));
      expect(status).toBeLessThan(300);
    },
  );
});

describe.each(aboutAThing)("$id", (named) => {
  test("returns 404 for an unknown id", async () => {
    const nothing = Object.fromEntries(
      pathNames(named.operation.path).map((name) => [name, "0193a5f2-0000-7000-8000-000000000000"]),
    );
    const path = fillPath(named.operation.path, nothing);
    expect(refusalIn(await asked(named, requestFor(named, path, ours)))).toEqual({ status: 404, code: "not_found" });
  });
});

describe.each(aboutAThing.filter(({ operation }) => /:\w+Id\b/.test(operation.path)))("$id", (named) => {
  const ids = pathNames(named.operation.path).filter((name) => name.endsWith("Id"));

  test.each(["4711", "..%2F..", "%00", "x".repeat(2000), "0193a5f2-0000-7000-8000-000000000000%20"])(
    "refuses the malformed id %.40s",
    async (id) => {
      const path = fillPath(named.operation.path, Object.fromEntries(ids.map((name) => [name, id])));
      const refused = await asked(named, requestFor(named, path, ours));
      expect(refusalIn(refused)).toEqual({ status: 400, code: "invalid_id" });
      expect((refused.body as ErrorBody).errors).toMatchObject([{ field: ids[0], pointer: `/${ids[0]}` }]);
    },
  );
});

describe.each(aboutAThing.filter(({ operation }) => /:\w+Id\b/.test(operation.path)))("$id", (named) => {
  test("accepts ids in capitals, and returns them in lower case", async () => {
    const request = await goodRequest(named, service, ours);
    const path = request.path.replace(uuid, (id) => id.toUpperCase());
    expect(path).not.toBe(request.path);
    const { status, headers, body } = await asked(named, { ...request, path });
    expect(status).toBeLessThan(300);
    for (const id of path.match(uuid)!) {
      expect(JSON.stringify(body)).not.toContain(id);
      expect(headers.get("location") ?? "").not.toContain(id);
    }
  });
});

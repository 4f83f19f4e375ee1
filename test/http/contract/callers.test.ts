import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Response as Answer } from "miniflare";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { isScoped, pathNames } from "../../../src/http/openapi/row.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, refusalIn } from "./conform.ts";
import { createCompany, withCredentials, type TestCompany } from "./company.ts";
import { fillPath, requestFor, send, createPathParameters, type Request } from "./requests.ts";

let service: TestService;
let ours: TestCompany;
let theirs: TestCompany;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  ours = await createCompany(service);
  theirs = await createCompany(service);
});

afterAll(() => service.stop());

const asked = async (named: NamedOperation, request: Request) => expectConforming(named, await send(service, request));

const scoped = operations.filter(({ operation }) => isScoped(operation));
const guarded = operations.filter(({ operation }) => operation.access !== "public");
const aboutAThing = scoped.filter(({ operation }) => pathNames(operation.path).length > 0);
/**
 * Whether the path contains a number that each company assigns itself, so that the same number means another company's
 * record.
 */
const isNumbered = ({ operation }: NamedOperation) => pathNames(operation.path).includes("source");

describe.each(guarded)("$id", (named) => {
  test("is refused without valid credentials", async () => {
    // Credentials are checked before the record is looked up.
    const nobodys = Object.fromEntries(pathNames(named.operation.path).map((name) => [name, randomUUID()]));
    const request = requestFor(named, fillPath(named.operation.path, nobodys), theirs);
    const wrongly: Record<string, string>[] = [
      {},
      { "x-api-key": "nobody" },
      { authorization: "Basic bm9ib2R5Om5vYm9keQ==" },
      { authorization: "Bearer nobody" },
    ];
    await Promise.all(
      wrongly.map(async (headers) => {
        const refused = await asked(named, withCredentials(request, headers));
        expect(refusalIn(refused), JSON.stringify(headers)).toEqual({ status: 401, code: "unauthenticated" });
        expect(refused.headers.get("www-authenticate")).toMatch(/ApiKey.*Basic.*Bearer/);
      }),
    );
  });
});

describe.each(aboutAThing.filter((named) => !isNumbered(named)))("$id", (named) => {
  test("does not find a record of another company, and leaves it unchanged", async () => {
    const path = fillPath(named.operation.path, await createPathParameters(named, service, theirs));
    expect(refusalIn(await asked(named, requestFor(named, path, ours)))).toEqual({ status: 404, code: "not_found" });
    expect((await asked(named, requestFor(named, path, theirs))).status).toBeLessThan(300);
  });
});

test("lists and searches return no records of another company", async () => {
  const newcomer = await createCompany(service);
  for (const named of scoped.filter(
    ({ operation }) => operation.method === "GET" && pathNames(operation.path).length === 0,
  )) {
    const { body } = await asked(named, requestFor(named, named.operation.path, newcomer));
    const text = JSON.stringify(body);
    for (const { companyId, keyId } of [ours, theirs]) {
      expect(text, named.id).not.toContain(companyId);
      expect(text, named.id).not.toContain(keyId);
    }
    const listed = named.operation.query?.shape.cursor ? (body as { items: unknown[] }).items : [];
    // A company's audit log contains its own creation. The board and the event types are the same for everyone.
    const own = [newcomer.companyId, newcomer.keyId, '"builtIn":true', '"schema":'];
    const isOwn = (item: unknown) => own.some((one) => JSON.stringify(item).includes(one));
    const foreign = listed.filter((item) => !isOwn(item));
    expect(foreign, named.id).toEqual([]);
  }
});

import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { jsonLimit } from "../../../src/http/body.ts";
import { base64Limit } from "../../../src/http/uploads/read-upload.ts";
import { fileLimit } from "../../../src/http/uploads/uploads.ts";
import { refusesUnknownMembers, takesJson } from "../../../src/http/openapi/row.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, refusalIn, type ErrorBody } from "./conform.ts";
import { createCompany, type TestCompany } from "./company.ts";
import { goodRequest, send, reusableRequest, uploadForm, type Request } from "./requests.ts";

let service: TestService;
let firm: TestCompany;
/** A company whose requests are all refused, so that its records do not change. */
let mistaken: TestCompany;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
  firm = await createCompany(service);
  mistaken = await createCompany(service);
});

afterAll(() => service.stop());

const asked = async (named: NamedOperation, request: Request) => expectConforming(named, await send(service, request));
const good = (named: NamedOperation) => goodRequest(named, service, firm);
/** Makes a valid request, which the tests modify. */
const standing = (named: NamedOperation) => reusableRequest(named, service, mistaken);
const bytes = (text: string) => new TextEncoder().encode(text);
const pointers = (reply: { body: unknown }) => (reply.body as ErrorBody).errors?.map(({ pointer }) => pointer);

const json = operations.filter(({ operation }) => takesJson(operation));
const uploads = operations.filter(({ operation }) => operation.takesFile);
const asking = operations.filter(({ operation }) => operation.query);

describe.each(operations)("$id", (named) => {
  test.each(["1.0", " 1.0 "])("accepts the version %j in a header", async (version) => {
    const { headers, ...request } = await good(named);
    const { status } = await asked(named, { ...request, headers: { ...headers, "x-api-version": version } });
    expect(status).toBeLessThan(300);
  });

  test.each(["2.0", "1", "1.0.0", "latest"])("refuses the version %s", async (version) => {
    const { headers, ...request } = await standing(named);
    const refused = await asked(named, { ...request, headers: { ...headers, "x-api-version": version } });
    expect(refusalIn(refused)).toEqual({ status: 415, code: "unsupported_api_version" });
  });

  test("returns the requested version, and refuses others", async () => {
    const { headers, ...request } = await good(named);
    const wanting = (accept: string) => asked(named, { ...request, headers: { ...headers, accept } });
    expect((await wanting("application/json; x-api-version=1.0, */*;q=0.1")).status).toBeLessThan(300);
    const refused = await wanting('text/html, application/json; charset=utf-8; X-Api-Version="2.0"');
    expect(refusalIn(refused)).toEqual({ status: 415, code: "unsupported_api_version" });
  });

  test("refuses an unknown query parameter", async () => {
    const { path, ...request } = await standing(named);
    const refused = await asked(named, { ...request, path: `${path}${path.includes("?") ? "&" : "?"}colour=red` });
    expect(refusalIn(refused)).toEqual({ status: 400, code: "unknown_parameter" });
    expect(pointers(refused)).toEqual(["/colour"]);
  });
});

describe.each(json)("$id", (named) => {
  const accepted = [
    "application/json",
    "application/json; x-api-version=1.0",
    'Application/JSON;X-API-Version="1.0"',
    "application/json; charset=utf-8; x-api-version = 1.0",
    "application/merge-patch+json",
    undefined,
  ];
  test.each(accepted)("accepts a body of the type %s", async (type) => {
    const { headers, body, ...request } = await good(named);
    const { "content-type": _, ...rest } = headers;
    const { status } = await asked(named, {
      ...request,
      headers: { ...rest, ...(type && { "content-type": type }) },
      body: bytes(body as string),
    });
    expect(status).toBeLessThan(300);
  });

  test.each([
    ["application/json; x-api-version=2.0", "unsupported_api_version"],
    ["text/plain", "unsupported_media_type"],
    ["application/xml", "unsupported_media_type"],
    ["application/jsonp", "unsupported_media_type"],
    ["multipart/form-data; boundary=x", "unsupported_media_type"],
    ["json", "unsupported_media_type"],
  ])("refuses a body of the type %s", async (type, errorCode) => {
    const { headers, ...request } = await standing(named);
    expect(refusalIn(await asked(named, { ...request, headers: { ...headers, "content-type": type } }))).toEqual({
      status: 415,
      code: errorCode,
    });
  });

  test.each([
    ...(named.operation.optionalBody ? [] : ["", " "]),
    "{",
    "[1,]",
    "{'a':1}",
    "\u0000",
    '{"a":1}}',
    "NaN",
    "[".repeat(5000),
  ])("refuses %j as invalid JSON", async (body) => {
    const refused = await asked(named, { ...(await standing(named)), body });
    expect(refusalIn(refused)).toEqual({ status: 400, code: "invalid_json" });
  });

  test.each(["[]", "null", "7", '"text"', "true"])("refuses %s as its body", async (body) => {
    expect(refusalIn(await asked(named, { ...(await standing(named)), body }))).toEqual({
      status: 400,
      code: "validation_failed",
    });
  });

  test.each(fieldsOf(named))("names the field %s if it is wrong", async (field) => {
    const request = await standing(named);
    const wrong = {
      ...(JSON.parse(request.body as string) as object),
      [field]: [{ not: { what: ["was", "wanted"] } }],
    };
    const refused = await asked(named, { ...request, body: JSON.stringify(wrong) });
    expect(refusalIn(refused)).toEqual({ status: 400, code: "validation_failed" });
    expect(pointers(refused)).toContainEqual(expect.stringMatching(new RegExp(`^/${field}(/|$)`)));
  });

  test.each(requiredOf(named))("names the field %s if it is missing", async (field) => {
    const request = await standing(named);
    const { [field]: _, ...rest } = JSON.parse(request.body as string) as Record<string, unknown>;
    const refused = await asked(named, { ...request, body: JSON.stringify(rest) });
    expect((refused.body as ErrorBody).errors).toContainEqual(
      expect.objectContaining({ code: "required", field, pointer: `/${field}` }),
    );
  });

  test("ignores unknown members, and refuses them where they might be meant as filters", async () => {
    const strict = refusesUnknownMembers(named.operation);
    const request = await (strict ? standing(named) : good(named));
    const more = { ...(JSON.parse(request.body as string) as object), colour: "red", "": { deep: [1, { x: null }] } };
    const answer = await asked(named, { ...request, body: JSON.stringify(more) });
    expect(answer.status < 300).toBe(!strict);
    expect(pointers(answer)).toEqual(strict ? ["/colour", "/"] : undefined);
  });

  test("limits its body, with or without Content-Length", async () => {
    const request = await standing(named);
    const limit = named.operation.filesInJson ? base64Limit : jsonLimit;
    expect([jsonLimit, base64Limit]).toContain(limit);
    const tooMuch = bytes(`${request.body as string}${" ".repeat(limit)}`);
    expect(refusalIn(await asked(named, { ...request, body: tooMuch }))).toEqual({
      status: 413,
      code: "payload_too_large",
    });
    const unsized = { ...request, body: new Blob([tooMuch]).stream(), duplex: "half" } as Request;
    expect(refusalIn(await asked(named, unsized))).toEqual({ status: 413, code: "payload_too_large" });
  });
});

describe.each(uploads)("$id", (named) => {
  const plain = ({ headers, path, ...request }: Request, type: string | undefined, body: BodyInit): Request => {
    const query = new URLSearchParams(withoutForm(named));
    return {
      ...request,
      path: query.size > 0 ? `${path}?${query.toString()}` : path,
      headers: { ...headers, ...(type && { "content-type": type }) },
      body,
    };
  };

  test.each(["text/plain", "application/octet-stream", "application/pdf", undefined])(
    "accepts the raw bytes as %s",
    async (type) => {
      expect(
        (await asked(named, plain(await good(named), type, bytes(`Transport order ${Math.random()}`)))).status,
      ).toBeLessThan(300);
    },
  );

  test.each([
    [
      "JSON",
      "application/json",
      bytes("{}"),
      ...(named.operation.takesBase64 ? ([400, "file_missing"] as const) : ([415, "unsupported_media_type"] as const)),
    ],
    ["nothing", undefined, bytes(""), 400, "file_missing"],
    ["an empty file", "application/pdf", bytes(""), 400, "file_empty"],
    ["a truncated form", "multipart/form-data; boundary=x", bytes("--x\r\n"), 400, "validation_failed"],
    ["a form without a boundary", "multipart/form-data", bytes("file"), 400, "validation_failed"],
    [
      "a program",
      "application/pdf",
      new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      400,
      "unsupported_file_type",
    ],
  ])("refuses %s", async (_, type, body, status, errorCode) => {
    expect(refusalIn(await asked(named, plain(await standing(named), type, body)))).toEqual({
      status,
      code: errorCode,
    });
  });

  test.each(fieldsOf(named))("names the field %s if it is wrong", async (field) => {
    const value = field === "metadata" ? { a: "x".repeat(600) } : "\u0001";
    const refused = await asked(named, {
      ...(await standing(named)),
      body: uploadForm({ ...named.operation.example?.body, [field]: value }),
    });
    expect(refusalIn(refused)).toEqual({ status: 400, code: "validation_failed" });
    expect(pointers(refused)?.[0]).toMatch(new RegExp(`^/${field}(/|$)`));
  });

  test("limits its file, with or without Content-Length", async () => {
    const tooMuch = new Uint8Array(fileLimit + 1).fill(0x20);
    expect(refusalIn(await asked(named, plain(await standing(named), "text/plain", tooMuch)))).toEqual({
      status: 413,
      code: "payload_too_large",
    });
    const form = uploadForm();
    form.set("file", new File([tooMuch], "order.txt"));
    expect(refusalIn(await asked(named, plain(await standing(named), undefined, form as unknown as BodyInit)))).toEqual(
      {
        status: 413,
        code: "payload_too_large",
      },
    );
  });
});

describe.each(asking)("$id", (named) => {
  const names = Object.keys(named.operation.query!.shape as object);

  test.each(names)("names the parameter %s if it is wrong or given twice", async (name) => {
    const request = await standing(named);
    const [bare] = request.path.split("?");
    const query = new URLSearchParams({ ...requiredIn(named), [name]: "?".repeat(600) });
    const wrong = await asked(named, { ...request, path: `${bare}?${query.toString()}` });
    expect(wrong.status).toBe(400);
    expect(pointers(wrong)).toEqual([`/${name}`]);
    const twice = await asked(named, { ...request, path: `${bare}?${name}=1&${name}=1` });
    expect(refusalIn(twice)).toEqual({ status: 400, code: "unknown_parameter" });
  });
});

describe.each(asking.filter(({ operation }) => operation.query?.shape.cursor))("$id", (named) => {
  test.each(["abc", "e30", "W10", "%00", "WyJ4IiwieSIsInoiXQ"])("refuses %s as a cursor", async (cursor) => {
    const request = await standing(named);
    const [bare] = request.path.split("?");
    expect(refusalIn(await asked(named, { ...request, path: `${bare}?cursor=${cursor}` }))).toEqual({
      status: 400,
      code: "invalid_cursor",
    });
  });
});

/** Returns the required query parameters, with the values of the example. */
function requiredIn({ operation: { example, query } }: NamedOperation): Record<string, string> {
  const { required = [] } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  const given = (example?.query ?? {}) as Record<string, string>;
  return Object.fromEntries(required.map((name) => [name, given[name]!]));
}

/** Returns the form fields of the example that a request with raw bytes sends in the query instead. */
const withoutForm = ({ operation: { example, query } }: NamedOperation): Record<string, string> =>
  Object.fromEntries(
    Object.entries((example?.body ?? {}) as Record<string, string>).filter(([name]) => name in (query?.shape ?? {})),
  );

const fieldsOf = ({ operation }: NamedOperation): string[] => Object.keys(shapeOf(operation.body));

function requiredOf({ operation }: NamedOperation): string[] {
  const shape = shapeOf(operation.body);
  return Object.keys(shape).filter((name) => !shape[name]!.safeParse(undefined).success);
}

/** Returns the fields of a body. A union has no `shape`, so its fields are not tested. */
const shapeOf = (body: unknown) => ((body as Partial<z.ZodObject>).shape ?? {}) as unknown as Record<string, z.ZodType>;

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { operations } from "../../src/api.ts";
import { events } from "../../src/events.ts";
import { pathNames, refusesUnknownMembers } from "../../src/http/openapi/row.ts";
import { problemMedia } from "../../src/platform/problem.ts";
import { openapi } from "../../src/http/openapi.ts";
import { ErrorViewModel, ExternalErrorViewModel, ProblemDetails } from "../../src/http/openapi/problems.ts";
import { resolveReference } from "./contract/conform.ts";
import { clientRoutes, golden } from "./contract/golden.ts";

describe.each([golden(), clientRoutes()])("the golden copy in $path", ({ path, text }) => {
  test("is generated from the list of operations", async () => {
    expect(await readFile(path, "utf8"), "The contract has changed. Look at the change, then: npm run contract").toBe(
      text,
    );
  });
});

test("every reference in the contract resolves", () => {
  const contract = openapi();
  const refs = [...JSON.stringify(contract).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  expect(refs.length).toBeGreaterThan(100);
  for (const ref of new Set(refs)) expect(() => resolveReference({ $ref: ref })).not.toThrow();
});

const models = { ErrorViewModel, ExternalErrorViewModel, ProblemDetails };

test("every example of an error has the documented form", () => {
  const contract = openapi() as { paths: Record<string, Record<string, { responses: Record<string, object> }>> };
  const responses = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap((row) => Object.values(row.responses ?? {})),
  );
  const told = new Set<string>();
  for (const response of responses) {
    const { content } = resolveReference(response as Record<string, unknown>) as {
      content?: Record<string, Announced>;
    };
    const { schema, examples = {} } = content?.[problemMedia] ?? {};
    for (const [code, example] of Object.entries(examples)) {
      const { value } = resolveReference(example) as { value: unknown };
      const names = (schema!.anyOf ?? [schema!]).map(({ $ref }) => $ref.split("/").at(-1) as keyof typeof models);
      expect(
        names.some((name) => models[name].safeParse(value).success),
        `${code} as ${names.join(", ")}`,
      ).toBe(true);
      told.add(code);
    }
  }
  expect(told).toContain("overloaded");
  expect(told).toContain("external_unavailable");
});

interface Ref {
  $ref: string;
}
interface Announced {
  schema: Ref & { anyOf?: Ref[] };
  examples?: Record<string, Record<string, unknown>>;
}

test("links are absolute if the deployment's address is configured", () => {
  const contract = openapi("https://lorry.beispiel.de") as {
    servers: unknown;
    components: { securitySchemes: { Oauth2Authentication: unknown } };
  };
  expect(contract.servers).toEqual([{ url: "https://lorry.beispiel.de" }]);
  expect(JSON.stringify(contract.components.securitySchemes.Oauth2Authentication)).toContain(
    '"https://lorry.beispiel.de/oauth2/token"',
  );
});

test("no two operations have the same id, or the same method and path", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const doors = operations.map(({ operation: { method, path } }) => `${method} ${path.replace(/:\w+/g, ":")}`);
  expect(new Set(doors).size).toBe(operations.length);
});

test("the body of a query refuses unknown members at any depth", () => {
  const selecting = operations.filter(({ operation }) => refusesUnknownMembers(operation));
  expect(selecting.map(({ id }) => id)).toContain("carrierOrders.query");
  for (const { id, operation } of selecting)
    expect(tolerantObjects(z.toJSONSchema(operation.body, { io: "input", unrepresentable: "any" })), id).toEqual([]);
});

/** Finds the objects of a JSON schema that accept members which it does not name. */
function tolerantObjects(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  const isTolerant = "properties" in node && (node as z.core.JSONSchema.BaseSchema).additionalProperties !== false;
  return [...(isTolerant ? [node] : []), ...Object.values(node).flatMap(tolerantObjects)];
}

describe.each(operations)("the operation $id", ({ operation }) => {
  const { example, query, body, ok, status, returnsFile } = operation;

  test("has a summary, and examples that match its schemas", () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(body?.safeParse(example?.body).error, "body").toBeUndefined();
    expect(example?.query && query?.safeParse(example.query).error, "query").toBeUndefined();
    const says = status !== 204 && !returnsFile;
    expect(says ? ok.parse(example?.reply) : undefined, "reply").toEqual(example?.reply);
  });

  test("names the resource that it is about", () => {
    const { param } = operation.owner;
    const names = pathNames(operation.path);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(!operation.handle && param && names.length > 0 ? [param] : []));
  });
});

test.each(Object.entries(events as Record<string, z.ZodType>))(
  "the event %s is documented, with an example",
  (_, data) => {
    const [example] = (data.meta()?.["examples"] ?? []) as unknown[];
    expect(data.description).toMatch(/\.$/);
    expect(data.parse(example)).toEqual(example);
  },
);

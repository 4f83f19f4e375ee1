import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { operations } from "../src/api.ts";
import { events } from "../src/events.ts";
import { pathNames, refusesUnknownMembers } from "../src/openapi/row.ts";
import { openapi } from "../src/openapi.ts";
import { resolved } from "./contract/conform.ts";
import { clientRoutes, golden } from "./contract/golden.ts";

describe.each([golden(), clientRoutes()])("the copy in $path", ({ path, text }) => {
  test("is what the list of operations makes", async () => {
    expect(await readFile(path, "utf8"), "The contract has changed. Look at the change, then: npm run contract").toBe(
      text,
    );
  });
});

test("every reference in the contract leads somewhere", () => {
  const contract = openapi();
  const refs = [...JSON.stringify(contract).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  expect(refs.length).toBeGreaterThan(100);
  for (const ref of new Set(refs)) expect(() => resolved({ $ref: ref })).not.toThrow();
});

test("links are absolute where the deployment's address is known", () => {
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

test("a body that selects what is meant knows all its members, however deep", () => {
  const selecting = operations.filter(({ operation }) => refusesUnknownMembers(operation));
  expect(selecting.map(({ id }) => id)).toContain("carrierOrders.query");
  for (const { id, operation } of selecting)
    expect(tolerantObjects(z.toJSONSchema(operation.body, { io: "input", unrepresentable: "any" })), id).toEqual([]);
});

/** Objects of a JSON schema that take members they do not name. */
function tolerantObjects(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  const isTolerant = "properties" in node && (node as z.core.JSONSchema.BaseSchema).additionalProperties !== false;
  return [...(isTolerant ? [node] : []), ...Object.values(node).flatMap(tolerantObjects)];
}

describe.each(operations)("the row $id", ({ operation }) => {
  const { example, query, body, ok, status, givesFile } = operation;

  test("is explained by a summary and by examples that are what they show", () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(body?.safeParse(example?.body).error, "body").toBeUndefined();
    expect(example?.query && query?.safeParse(example.query).error, "query").toBeUndefined();
    const says = status !== 204 && !givesFile;
    expect(says ? ok.parse(example?.reply) : undefined, "reply").toEqual(example?.reply);
  });

  test("names the thing it is about", () => {
    const { param } = operation.owner;
    const names = pathNames(operation.path);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(operation.decide && param && names.length > 0 ? [param] : []));
  });
});

test.each(Object.entries(events as Record<string, z.ZodType>))(
  "the event %s is explained, with an example",
  (_, data) => {
    const [example] = (data.meta()?.["examples"] ?? []) as unknown[];
    expect(data.description).toMatch(/\.$/);
    expect(data.parse(example)).toEqual(example);
  },
);

import { describe, expect, test } from "vitest";
import { openapi } from "../../../src/http/openapi.ts";
import { resolveReference } from "./conform.ts";
import specification from "./specification.json" with { type: "json" };

type Tree = Record<string, unknown>;

const { paths, components } = openapi() as {
  paths: Record<string, Record<string, Tree>>;
  components: { schemas: Tree; securitySchemes: Tree };
};

test.each(specification.models)("the model %s of the specification is described and used", (name) => {
  const ref = `"#/components/schemas/${name}"`;
  const isUsed = JSON.stringify([paths, components]).includes(ref);
  expect(name in components.schemas ? isUsed : name in components.securitySchemes).toBe(true);
});

test.each(Object.entries(specification.operations))("%s of the specification exists", (path, methods) => {
  expect(Object.keys(paths[path] ?? {})).toEqual(expect.arrayContaining(methods));
  expect(Object.keys(paths[path] ?? {})).not.toEqual([]);
});

describe.each(Object.entries(specification.fields))("the body of %s", (where, fieldsAt) => {
  test.each(Object.entries(fieldsAt as Record<string, string>))(
    "has the fields of the specification at %j",
    (at, names) => {
      const steps = at === "" ? [] : at.split(".");
      const node = steps.reduce((within, step) => propertiesOf(within)[step]!, bodyOf(where));
      const found = Object.keys(propertiesOf(node));
      expect(found).toEqual(expect.arrayContaining(names.split(" ")));
    },
  );
});

/** Returns the JSON schema of the body of a request (`put /path request`) or of a response (`get /path 200`). */
function bodyOf(where: string): Tree {
  const [method = "", path = "", which = ""] = where.split(" ");
  const row = paths[path]![method]! as { requestBody: Tree; responses: Record<string, Tree> };
  const { content } = resolveReference(which === "request" ? row.requestBody : row.responses[which]!) as {
    content: Record<string, { schema: Tree }>;
  };
  return Object.entries(content).find(([media]) => media.startsWith("application/json"))![1].schema;
}

/** Returns the properties of an object, of the items of a list, or of all variants of a union. */
function propertiesOf(node: Tree): Record<string, Tree> {
  const schema = resolveReference(node) as { properties?: Record<string, Tree>; items?: Tree } & Record<string, Tree[]>;
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((name) => schema[name] ?? []);
  return Object.assign(
    {},
    ...[...parts, ...(schema.items ? [schema.items] : [])].map(propertiesOf),
    schema.properties,
  ) as Record<string, Tree>;
}

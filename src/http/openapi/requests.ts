import type * as z from "zod";
import { mediaType } from "../responses.ts";
import type { Operation } from "../operation.ts";
import { Id } from "../../domain/shapes.ts";
import { Base64File } from "../uploads/read-upload.ts";
import { requestHeaderRef, type RequestHeader } from "./headers.ts";
import { pathNames, takesIdempotencyKey, takesIfMatch, takesIfNoneMatch } from "./row.ts";
import type { JsonSchema, Schemas } from "./components.ts";

/** Documents the path parameters, query parameters and headers of a request. */
export function parameters(row: Operation, schemas: Schemas): object[] {
  const inPath = pathNames(row.path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: idSchema(name, schemas),
  }));
  const inQuery = Object.entries((row.query?.shape ?? {}) as Record<string, z.ZodType>).map(([name, shape]) =>
    queryParameter(name, shape, schemas),
  );
  const headers: [boolean, RequestHeader][] = [
    [takesIdempotencyKey(row), "IdempotencyKey"],
    [takesIfMatch(row), "IfMatch"],
    [takesIfNoneMatch(row), "IfNoneMatch"],
    [Boolean(row.waits), "Prefer"],
    [Boolean(row.returnsFile), "Range"],
  ];
  return [...inPath, ...inQuery, ...headers.flatMap(([applies, name]) => (applies ? [requestHeaderRef(name)] : []))];
}

const idSchema = (name: string, schemas: Schemas): JsonSchema =>
  name.endsWith("Id") ? schemas.of(Id, "input") : { type: "string" };

/** Documents a number as a number, although it is sent as text. */
function queryParameter(name: string, shape: z.ZodType, schemas: Schemas): object {
  const read = schemas.of(shape, "output");
  const { description, deprecated, "x-alias-of": aliasOf, ...schema } = read.type ? read : schemas.of(shape, "input");
  return {
    name,
    in: "query",
    required: !shape.safeParse(undefined).success,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    ...(aliasOf !== undefined && { "x-alias-of": aliasOf }),
    schema,
  };
}

/** Documents the request body, with every supported media type. */
export function requestBody(row: Operation, schemas: Schemas): object | undefined {
  if (!row.body && !row.takesFile) return undefined;
  return {
    required: !row.optionalBody,
    content: row.takesFile
      ? uploadContent(row, schemas)
      : row.media
        ? formContent(row, schemas)
        : jsonContent(row, schemas),
  };
}

const bytes = { type: "string", format: "binary" };

const jsonContent = (row: Operation, schemas: Schemas) => ({
  [mediaType]: {
    schema: schemas.of(row.body, "input"),
    ...(row.example?.body !== undefined && { example: row.example.body }),
  },
  ...(row.rawMedia && { [row.rawMedia]: { schema: bytes } }),
  ...(row.orFile && {
    "multipart/form-data": {
      schema: { type: "object", properties: { file: bytes, ...besideFile(row) }, required: ["file"] },
    },
    "application/octet-stream": { schema: bytes },
  }),
});

/** Fields of a form that is sent instead of JSON. */
const besideFile = ({ body }: Operation) => ({
  ...("provider" in body.shape && { provider: { type: "string" } }),
  metadata: { type: "object", additionalProperties: { type: "string" } },
});

const formContent = (row: Operation, schemas: Schemas) =>
  Object.fromEntries(row.media!.map((type) => [type, { schema: formSchema(row, schemas) }]));

function uploadContent(row: Operation, schemas: Schemas): object {
  const form = formSchema(row, schemas, {
    file: row.takesMany ? { type: "array", items: bytes, maxItems: 50 } : bytes,
  });
  const encoding = "metadata" in form.properties && { encoding: { metadata: { contentType: "application/json" } } };
  return {
    "multipart/form-data": { schema: form, ...encoding },
    ...(row.takesBase64 && { [mediaType]: { schema: formSchema(row, schemas, base64Fields(schemas)) } }),
    "application/octet-stream": { schema: bytes },
  };
}

const base64Fields = (schemas: Schemas) => schemas.of(Base64File, "input")["properties"] as Record<string, JsonSchema>;

/** Each field has its own example, because documentation tools show forms field by field. */
function formSchema(row: Operation, schemas: Schemas, more: Record<string, JsonSchema> = {}) {
  const fields = Object.entries<z.ZodType>(row.body?.shape ?? {});
  const example = (row.example?.body ?? {}) as Record<string, unknown>;
  const described = fields.map(([name, shape]) => [
    name,
    { ...schemas.of(shape, "input"), ...(name in example && { examples: [example[name]] }) },
  ]);
  const required = fields.filter(([, shape]) => !shape.safeParse(undefined).success).map(([name]) => name);
  return {
    type: "object",
    properties: { ...more, ...Object.fromEntries(described) } as Record<string, JsonSchema>,
    required: [...Object.keys(more).filter((name) => name === "file"), ...required],
  };
}

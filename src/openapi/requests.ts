import type * as z from "zod";
import { mediaType } from "../kit/http.ts";
import type { Operation } from "../kit/operation.ts";
import { Id } from "../kit/shapes.ts";
import { askedRef, type AskedHeader } from "./headers.ts";
import { pathNames, takesIdempotencyKey, takesIfMatch, takesIfNoneMatch } from "./row.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

/** Everything a request says beside its body. */
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
  const headers: [boolean, AskedHeader][] = [
    [takesIdempotencyKey(row), "IdempotencyKey"],
    [takesIfMatch(row), "IfMatch"],
    [takesIfNoneMatch(row), "IfNoneMatch"],
    [Boolean(row.waits), "Prefer"],
    [Boolean(row.givesFile), "Range"],
  ];
  return [...inPath, ...inQuery, ...headers.flatMap(([applies, name]) => (applies ? [askedRef(name)] : []))];
}

const idSchema = (name: string, schemas: Schemas): JsonSchema =>
  name.endsWith("Id") ? { ...schemas.of(Id, "input"), format: "uuid" } : { type: "string" };

/** A number is a number to whoever asks, though on the wire it is text: so the shape is told as it is read. */
function queryParameter(name: string, shape: z.ZodType, schemas: Schemas): object {
  const read = schemas.of(shape, "output");
  const { description, ...schema } = read.type ? read : schemas.of(shape, "input");
  return {
    name,
    in: "query",
    required: !shape.safeParse(undefined).success,
    ...(description !== undefined && { description }),
    schema,
  };
}

/** The body with every media type it may have. */
export function requestBody(row: Operation, schemas: Schemas): object | undefined {
  if (row.takesFile) return { required: true, content: uploadContent(row, schemas) };
  if (!row.body) return undefined;
  const schema = schemas.of(row.body, "input");
  const media = { schema, ...(row.example?.body !== undefined && { example: row.example.body }) };
  return { required: true, content: Object.fromEntries((row.media ?? [mediaType]).map((type) => [type, media])) };
}

const bytes = { type: "string", format: "binary" };

function uploadContent(row: Operation, schemas: Schemas): object {
  const fields = ((row.body as z.ZodObject | undefined)?.shape ?? {}) as Record<string, z.ZodType>;
  const example = (row.example?.body ?? {}) as Record<string, unknown>;
  const property = (name: string, shape: z.ZodType) => ({
    ...schemas.of(shape, "input"),
    ...(name in example && { examples: [example[name]] }),
  });
  const properties = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, property(name, shape)]));
  const maps = Object.keys(fields).filter((name) => name === "metadata");
  return {
    "multipart/form-data": {
      schema: { type: "object", properties: { file: bytes, ...properties }, required: ["file"] },
      ...(maps.length > 0 && {
        encoding: Object.fromEntries(maps.map((name) => [name, { contentType: "application/json" }])),
      }),
    },
    "application/octet-stream": { schema: bytes },
  };
}

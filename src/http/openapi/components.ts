import * as z from "zod";

export type JsonSchema = Record<string, unknown>;

/** `input`: what clients send. `output`: what they receive. */
type Side = "input" | "output";

/** Converts shapes to JSON Schema. Named shapes become components; others are inlined. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** @throws Error if two different shapes have the same name */
  of(shape: z.ZodType, side: Side): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...schema
    } = z.toJSONSchema(shape, { io: side, unrepresentable: "any", override: (node) => plain(node, side) });
    for (const [name, definition] of Object.entries($defs)) this.add(name, pointed(definition));
    return pointed(schema);
  }

  private add(name: string, definition: JsonSchema): void {
    const existing = this.components[name];
    if (existing && JSON.stringify(existing) !== JSON.stringify(definition)) {
      throw new Error(`${name} has different schemas as input and as output. Give the input shape a name of its own.`);
    }
    this.components[name] = definition;
  }
}

/**
 * Removes patterns that a format implies, the default range of integers, and `additionalProperties: false` in
 * responses.
 */
function plain({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }, side: Side): void {
  const schema = jsonSchema;
  if (schema.format) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (side === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

const pointed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** The components that operations share, collected while the document is built. */
export class Components {
  readonly schemas = new Schemas();
  readonly responses: Record<string, unknown> = {};
  readonly examples: Record<string, unknown> = {};
  /** Public URL of the deployment without a trailing slash. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }
}

import * as z from "zod";

export type JsonSchema = Record<string, unknown>;

/** Which side of a shape is meant: what a client sends, or what it gets. */
type Side = "input" | "output";

/** Gathers the shapes of the contract as JSON Schema: those with a name once, the others where they are used. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** @throws Error when a name stands for two different things */
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
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(
        `${name} is not the same when it is sent and when it is answered: give the one that is sent a name of its own.`,
      );
    }
    this.components[name] = definition;
  }
}

/** Says less: what follows from a format, the range of whole numbers, and that answers never gain a field. */
function plain({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }, side: Side): void {
  const schema = jsonSchema;
  if (schema.format) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (side === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

const pointed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

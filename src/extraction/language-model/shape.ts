import * as z from "zod";

/** A value and the ids of the lines that contain it, as the model returns them. */
export interface Cited {
  value: string | number | boolean;
  lines: string[];
}

const mostItems = 100;
const longestValue = 4_000;
const mostLines = 30;

/** Fields that the service computes or encodes. Documents do not print them. */
const ours = new RegExp(
  `^(?:normalized[A-Z]\\w*|${[
    "sequence",
    "group",
    "internalId",
    "coordinates",
    "links",
    "kind",
    "category",
    "offenceType",
    "trailerTypes",
    "vehicleTypes",
    "capabilities",
    "documentSubmissionMethods",
    "missing",
    "checks",
    "metadata",
  ].join("|")})$`,
);

/**
 * Creates the schema of the model's answer: a list of items with the fields of the view, and `{ value, lines }` in
 * place of each value. Enumerations and booleans, which are not printed and cannot be verified, are included only if
 * the view requires them.
 */
export function answerShape(view: z.ZodType): z.ZodType<{ found: unknown[] }> {
  const known = shapes.get(view);
  if (known) return known;
  const item = citedShape(view, true) ?? z.object({});
  const shape = z.object({ found: z.array(item).max(mostItems) });
  shapes.set(view, shape);
  return shape;
}

const shapes = new WeakMap<z.ZodType, z.ZodType<{ found: unknown[] }>>();

/**
 * Converts the answer schema to JSON Schema, for providers that enforce it. Length limits are left out, because they
 * are expensive for providers; answers are checked against them after they arrive.
 */
export function schemaOf(shape: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override({ jsonSchema }) {
      delete jsonSchema.maxLength;
      delete jsonSchema.maxItems;
      delete jsonSchema.description;
    },
  });
  return schema;
}

/**
 * Writes a short outline of the schema, such as `{ orderNumber, locations: [{ type, city }] }`, for models that do not
 * enforce a schema.
 */
export function outlineOf(shape: z.ZodType): string {
  const bare = bareOf(shape);
  if (bare instanceof z.ZodArray) return `[${outlineOf(bare.element as z.ZodType)}]`;
  if (!(bare instanceof z.ZodObject) || isLeafShape(bare)) return "";
  const fields = Object.entries(bare.shape).map(([name, field]) => {
    const inner = outlineOf(field);
    return inner ? `${name}: ${inner}` : name + noteOf(bareOf(field), field);
  });
  return `{ ${fields.join(", ")} }`;
}

function noteOf(leaf: z.ZodType, field: z.ZodType): string {
  const value = leaf instanceof z.ZodObject ? (leaf.shape["value"] as z.ZodType | undefined) : undefined;
  const description = value instanceof z.ZodEnum ? value.options.join(" or ") : (leaf.description ?? field.description);
  return description ? ` (${description})` : "";
}

const isLeafShape = ({ shape }: z.ZodObject) =>
  Object.keys(shape).length === 2 && "lines" in shape && !(bareOf(shape["value"] as z.ZodType) instanceof z.ZodObject);

/** Whether a node of an answer is a cited value. Otherwise, it is an object of the view. */
export function isCited(node: object): node is Cited {
  return "value" in node && typeof node.value !== "object" && "lines" in node && Object.keys(node).length === 2;
}

function citedShape(view: z.ZodType, required: boolean): z.ZodType | undefined {
  const bare = bareOf(view);
  if (bare instanceof z.ZodArray) {
    const item = citedShape(bare.element as z.ZodType, false);
    return item && z.array(item).max(mostItems);
  }
  if (bare instanceof z.ZodObject) return citedObject(bare);
  const value = valueShape(bare, required);
  if (!value) return undefined;
  const cited = z.object({ value, lines: z.array(z.string().max(20)).max(mostLines) });
  const description = view.description ?? bare.description;
  return description ? cited.describe(description) : cited;
}

function citedObject({ shape }: z.ZodObject): z.ZodType | undefined {
  const fields = Object.entries(shape as Record<string, z.ZodType>).flatMap(([name, field]): [string, z.ZodType][] => {
    if (ours.test(name)) return [];
    const required = !field.safeParse(undefined).success;
    const cited = citedShape(field, required);
    return cited ? [[name, required ? cited : cited.optional()]] : [];
  });
  return fields.length > 0 ? z.object(Object.fromEntries(fields)) : undefined;
}

function valueShape(leaf: z.ZodType, required: boolean): z.ZodType | undefined {
  if (leaf instanceof z.ZodString) return z.string().max(longestValue);
  if (leaf instanceof z.ZodNumber) return z.number();
  return required && isChoice(leaf) ? leaf : undefined;
}

const isChoice = (leaf: z.ZodType): boolean =>
  leaf instanceof z.ZodEnum || leaf instanceof z.ZodLiteral || leaf instanceof z.ZodBoolean;

/** Returns the schema of a list's items, or of an object's field. */
export function innerShape(shape: z.ZodType, field: string): z.ZodType {
  const bare = bareOf(shape);
  if (bare instanceof z.ZodArray) return bare.element as z.ZodType;
  return bare instanceof z.ZodObject ? ((bare.shape[field] as z.ZodType | undefined) ?? z.never()) : z.never();
}

/** Whether a required field of the schema is not among `fields`. */
export function lacks(shape: z.ZodType, fields: ReadonlySet<string>): boolean {
  const bare = bareOf(shape);
  if (!(bare instanceof z.ZodObject)) return false;
  const needed = Object.entries(bare.shape as Record<string, z.ZodType>).filter(
    ([, field]) => !(field instanceof z.ZodOptional),
  );
  return needed.some(([name]) => !fields.has(name));
}

/** Whether a field's value is chosen from a fixed set (enumeration, boolean). It need not occur in the document. */
export const isChosen = (shape: z.ZodType, field: string): boolean =>
  field === "type" || isChoice(bareOf(innerShape(shape, "value")));

/** Returns the schema without optional, nullable and similar wrappers. */
export function bareOf(view: z.ZodType): z.ZodType {
  if (view instanceof z.ZodOptional || view instanceof z.ZodNullable || view instanceof z.ZodDefault)
    return bareOf(view.unwrap() as z.ZodType);
  if (view instanceof z.ZodPipe) return bareOf(view.out as z.ZodType);
  return view;
}

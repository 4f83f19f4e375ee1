import * as z from "zod";

/** A value and the lines it stands in, as the model is to answer each of them. */
export interface Cited {
  value: string | number | boolean;
  lines: string[];
}

const mostItems = 100;
const longestValue = 4_000;
const mostLines = 30;

/** What the service makes itself, or tells by codes of its own: no document has it in its words. */
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
 * The shape in which a model answers: for each thing it finds the view, where instead of each value stands `{ value, lines }`.
 * A choice among words of ours (an enumeration, a yes or no) is asked for only where a view cannot be without it: it does not
 * stand in the document, so nobody could look it up.
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

/** The same as JSON Schema, for those who hold a model to it: without limits, which cost them much and are looked at here. */
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

/** The same in a few words, for models that are held to nothing: `{ orderNumber, locations: [{ type, city }] }`. */
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
  const said = value instanceof z.ZodEnum ? value.options.join(" or ") : (leaf.description ?? field.description);
  return said ? ` (${said})` : "";
}

const isLeafShape = ({ shape }: z.ZodObject) =>
  Object.keys(shape).length === 2 && "lines" in shape && !(bareOf(shape["value"] as z.ZodType) instanceof z.ZodObject);

/** Whether a part of an answer is a value with its lines, and not an object of the view. */
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
  const said = view.description ?? bare.description;
  return said ? cited.describe(said) : cited;
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

/** The shape of a list's items, or of a field of an object. */
export function innerShape(shape: z.ZodType, field: string): z.ZodType {
  const bare = bareOf(shape);
  if (bare instanceof z.ZodArray) return bare.element as z.ZodType;
  return bare instanceof z.ZodObject ? ((bare.shape[field] as z.ZodType | undefined) ?? z.never()) : z.never();
}

/** Whether a view cannot be without one of the fields that are missing. */
export function lacks(shape: z.ZodType, fields: ReadonlySet<string>): boolean {
  const bare = bareOf(shape);
  if (!(bare instanceof z.ZodObject)) return false;
  const needed = Object.entries(bare.shape as Record<string, z.ZodType>).filter(
    ([, field]) => !(field instanceof z.ZodOptional),
  );
  return needed.some(([name]) => !fields.has(name));
}

/** Whether a value is a word of ours that says what the words of the document mean. */
export const isChosen = (shape: z.ZodType, field: string): boolean =>
  field === "type" || isChoice(bareOf(innerShape(shape, "value")));

/** What is behind "may be absent", "may be null" and the like. */
export function bareOf(view: z.ZodType): z.ZodType {
  if (view instanceof z.ZodOptional || view instanceof z.ZodNullable || view instanceof z.ZodDefault)
    return bareOf(view.unwrap() as z.ZodType);
  if (view instanceof z.ZodPipe) return bareOf(view.out as z.ZodType);
  return view;
}

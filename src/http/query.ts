import type * as z from "zod";
import { invalid, itemsOf, Problem, wrongField } from "../platform/problem.ts";
import { unknownNameMessage } from "../platform/validation-messages.ts";

/**
 * Parses the query string. Without a shape, no parameter is allowed.
 * @throws Problem `unknown_parameter`, `validation_failed`
 */
export function readQuery<Shape extends z.ZodObject>(shape: Shape | undefined, url: URL): z.output<Shape> | undefined {
  if (!url.search && !shape) return undefined;
  const values: Record<string, string> = {};
  const names = Object.keys(shape?.shape ?? {});
  for (const [name, value] of url.searchParams) {
    if (!names.includes(name) || name in values) {
      const detail = names.includes(name) ? `${name} is repeated. Send it once.` : unknownNameMessage(name, names);
      throw new Problem("unknown_parameter", detail, { errors: [wrongField([name], "unknown_parameter", detail)] });
    }
    values[name] = value;
  }
  return shape && parsed(shape, values);
}

/**
 * Parses a value by a shape.
 * @throws Problem `validation_failed` that names all invalid fields
 */
export function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(itemsOf(result.error));
  return result.data;
}

import type * as z from "zod";
import { invalid, itemsOf, Problem, wrongField } from "../platform/problem.ts";
import { unknownName } from "../platform/unknown-name.ts";

/**
 * The parameters of a query string, read by a shape. Without one there are none.
 * @throws Problem `unknown_parameter`, `validation_failed`
 */
export function readQuery<Shape extends z.ZodObject>(shape: Shape | undefined, url: URL): z.output<Shape> | undefined {
  if (!url.search && !shape) return undefined;
  const given: Record<string, string> = {};
  const known = Object.keys(shape?.shape ?? {});
  for (const [name, value] of url.searchParams) {
    if (!known.includes(name) || name in given) {
      const detail = known.includes(name) ? `${name} is given twice.` : unknownName(name, known);
      throw new Problem("unknown_parameter", detail, { errors: [wrongField([name], "unknown_parameter", detail)] });
    }
    given[name] = value;
  }
  return shape && parsed(shape, given);
}

/** @throws Problem `validation_failed` that names every field that is wrong */
export function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(itemsOf(result.error));
  return result.data;
}

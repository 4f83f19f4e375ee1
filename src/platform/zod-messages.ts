import * as z from "zod";

/** Most fields of an object that a message names. */
const maxNamed = 12;

const examples: Partial<Record<string, string>> = {
  date: "Not a date (2026-11-24)",
  datetime: "Not a date and time with offset (2026-11-24T08:00:00Z)",
};

const separator = ", ";

/** The known names in a message of {@link zodMessageOf} about unknown members. */
export const namesIn = (message: string): string[] => message.split(separator);

/**
 * Default messages of shapes: an example of a date, the field names of an object. For unknown members it lists the known names:
 * zod reports them as one issue, and `itemsOf` makes one error of each.
 */
export function zodMessageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_format") return examples[issue.format];
  if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject)
    return Object.keys(issue.inst.shape).join(separator);
  if (issue.code !== "invalid_type" || !(issue.inst instanceof z.ZodObject)) return undefined;
  const names = Object.keys(issue.inst.shape);
  const named = [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ["…"] : [])].join(", ");
  return `Not an object { ${named} } but ${kindOf(issue.input)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return `a ${typeof value}`;
}

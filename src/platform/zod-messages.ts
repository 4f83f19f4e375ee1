import * as z from "zod";

/** Fields of an object that are named; of a larger one the first. */
const mostNamed = 12;

const examples: Partial<Record<string, string>> = {
  date: "Not a date (2026-11-24)",
  datetime: "Not a date and time with offset (2026-11-24T08:00:00Z)",
};

const separator = ", ";

/** The known names in what {@link zodMessageOf} says of members that a shape does not know. */
export const namesIn = (message: string): string[] => message.split(separator);

/**
 * What a shape wants where it says nothing itself: a date has an example, an object the names of its fields. Of unknown
 * members it lists the known ones: zod reports all of them as one issue, and each gets a sentence of its own later.
 */
export function zodMessageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_format") return examples[issue.format];
  if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject)
    return Object.keys(issue.inst.shape).join(separator);
  if (issue.code !== "invalid_type" || !(issue.inst instanceof z.ZodObject)) return undefined;
  const names = Object.keys(issue.inst.shape);
  const named = [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ["…"] : [])].join(", ");
  return `Not an object { ${named} } but ${kindOf(issue.input)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return `a ${typeof value}`;
}

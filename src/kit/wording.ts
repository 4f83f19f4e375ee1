import * as z from "zod";

/** Fields of an object that are named; of a larger one the first. */
const mostNamed = 12;

const examples: Partial<Record<string, string>> = {
  date: "Not a date (2026-11-24)",
  datetime: "Not a date and time with offset (2026-11-24T08:00:00Z)",
};

/** What a shape wants where it says nothing itself: a date has an example, an object the names of its fields. */
export function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_format") return examples[issue.format];
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

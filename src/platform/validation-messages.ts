import * as z from "zod";
import { editDistance } from "../extraction/lexicon/near-words.ts";

const maxNamed = 12;

const examples: Partial<Record<string, string>> = {
  date: "Not a date such as 2026-11-24",
  datetime: "Not a date and time with an offset, such as 2026-11-24T08:00:00Z",
};

const separator = ", ";

/** Parses the known names from a message of {@link zodMessageOf} about unknown members. */
export const namesIn = (message: string): string[] => message.split(separator);

/**
 * Writes the messages of shapes that have none of their own: an example of a date, or the field names of an object. For
 * unknown members, the message lists the known names; `itemsOf` makes one error for each unknown member.
 */
export function zodMessageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_format") return examples[issue.format];
  if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject)
    return Object.keys(issue.inst.shape).join(separator);
  if (issue.code !== "invalid_type" || !(issue.inst instanceof z.ZodObject)) return undefined;
  const names = Object.keys(issue.inst.shape);
  const named = [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ["…"] : [])].join(", ");
  return `It must be an object { ${named} }, not ${kindOf(issue.input)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return `a ${typeof value}`;
}

/** Writes the error text for an unknown name, with the known names and the closest of them. */
export function unknownNameMessage(name: string, names: readonly string[]): string {
  const shortened = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const nearest = nearestOf(name, names);
  return `${shortened} is not allowed here.${nearest ? ` Did you mean ${nearest}?` : ""} Allowed: ${names.join(", ") || "none"}.`;
}

/** A similar name may differ in a quarter of its letters, but in no more than three. Case is ignored. */
function nearestOf(name: string, names: readonly string[]): string | undefined {
  const limit = Math.min(3, Math.floor(name.length / 4));
  const ranked = names
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase(), limit) }))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0] && ranked[0].distance <= limit ? ranked[0].candidate : undefined;
}

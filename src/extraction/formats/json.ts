import type { StructuredPart } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import { decode } from "./encoding.ts";
import { requireValueLimit, layOutOutline, type OutlineLine } from "./page-builder.ts";
import type { ReaderContext, Reader } from "./reader.ts";

export const readJson: Reader = (file, context) => {
  const text = decode(file.bytes);
  requireValueLimit(valuesIn(text), context);
  const value = parse(text);
  return {
    pages: layOutOutline(outlineOf(value, context), context),
    structured: structuredPart(value, file.name, text),
  };
};

/** Computes an upper bound for the number of values. Each value follows a bracket, a brace or a comma. */
function valuesIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (",[{".includes(text[at]!)) count++;
  return count;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExtractionProblem("file_unreadable", "The JSON is damaged.");
  }
}

/** Detects the Open Trip Model, in which each entity declares its type or its association with other entities. */
function structuredPart(value: unknown, name: string, text: string): StructuredPart[] {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const isEntity = typeof first === "object" && first !== null;
  const isTrip = isEntity && ("entityType" in first || /"associationType"\s*:\s*"(?:inline|reference)"/.test(text));
  return isTrip ? [{ format: "Otm", name, text }] : [];
}

/** Iterative, so that deep nesting cannot overflow the stack. */
function outlineOf(value: unknown, context: ReaderContext): OutlineLine[] {
  const lines: OutlineLine[] = [];
  const waiting: { name: string; value: unknown; depth: number }[] = [{ name: "", value, depth: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (lines.length % 1000 === 0) context.budget.check();
    const { name, depth } = next;
    if (next.value === null) continue;
    if (typeof next.value !== "object") {
      lines.push({ depth, name, value: `${next.value as string | number | boolean}` });
      continue;
    }
    if (name !== "") lines.push({ depth, name, value: "" });
    const numbered = Array.isArray(next.value);
    for (const [key, child] of Object.entries(next.value).toReversed()) {
      const childName = numbered ? `${name.replace(/ ?\d+$/, "")} ${Number(key) + 1}`.trim() : key;
      waiting.push({ name: childName, value: child as unknown, depth: depth + 1 });
    }
  }
  return lines;
}

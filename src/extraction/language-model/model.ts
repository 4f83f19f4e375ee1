import * as z from "zod";
import type { CompanyFacts } from "../document/extraction-result.ts";
import type { Kind } from "../kinds/kind.ts";
import { ModelProblem, type LanguageModel, type Opinion, type SeenDocument } from "./engine.ts";
import { numberedLines, shownLines } from "../fields/find-value/numbered-lines.ts";
import { questionOf, repairOf } from "./prompt.ts";
import { answerShape, innerShape, outlineOf, schemaOf } from "./shape.ts";
import { verified } from "./verify.ts";

/**
 * Extracts a document with a language model, and keeps only the values that the document contains.
 * @throws ModelProblem
 */
export async function readByModel<View>(
  document: SeenDocument,
  kind: Kind<View>,
  company: CompanyFacts,
  { ask, limitMilliseconds }: LanguageModel,
): Promise<Opinion<View>> {
  const all = numberedLines(document.layout);
  const lines = shownLines(all);
  const shape = answerShape(kind.view);
  const schema = schemaOf(shape);
  const signal = AbortSignal.timeout(limitMilliseconds);
  const question = questionOf({ name: kind.description, outline: outlineOf(shape), company, lines });
  const first = await ask(question, schema, signal);
  let answer = answerIn(first, shape);
  if (typeof answer === "string")
    answer = answerIn(await ask(repairOf(question, first, answer), schema, signal), shape);
  if (typeof answer === "string")
    throw new ModelProblem("model_malformed", "The model's answer does not have the required structure.");
  const item = innerShape(innerShape(shape, "found"), "");
  const items = answer.found.map((found) => verified<View>(found, item, lines, document));
  return { items, warnings: lines.length < all.length ? [partly(lines.length, all.length)] : [] };
}

const partly = (shown: number, all: number) => `model_read_in_part: The model was shown ${shown} of ${all} lines.`;

/** @returns a description of the error if the answer is not as required */
function answerIn(text: string, shape: z.ZodType<{ found: unknown[] }>): { found: unknown[] } | string {
  const given = parsed(text);
  if (given === undefined) return "it is not JSON.";
  if ((text.match(/"lines"/g)?.length ?? 0) > mostValues) return `it has more than ${mostValues} values.`;
  const { success, data, error } = shape.safeParse(withoutNothing(given));
  return success ? data : z.prettifyError(error).slice(0, 2_000);
}

/** Models may enclose JSON in code fences or sentences. */
function parsed(text: string): unknown {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  try {
    return JSON.parse(text.slice(Math.max(0, from), to + 1));
  } catch {
    return undefined;
  }
}

const deepest = 20;
/** The document is searched for each value of the answer, which takes time. */
const mostValues = 2_000;

/** Removes empty and null values, and objects and lists that are nested more deeply than in any view. */
function withoutNothing(node: unknown, depth = 0): unknown {
  if (typeof node !== "object") return node;
  if (node === null || depth > deepest) return undefined;
  const inner = (part: unknown) => withoutNothing(part, depth + 1);
  if (Array.isArray(node)) return node.map(inner).filter((item) => item !== undefined);
  if ("value" in node && "lines" in node && (node.value === null || node.value === "")) return undefined;
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, field]) => {
      const left = inner(field);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}

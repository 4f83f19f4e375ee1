import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { parseAst } from "vitest/node";

const root = join(import.meta.dirname, "../../..");

/** A regular expression and its place in the code, such as `src/http/router.ts:12:8`. */
export interface Pattern {
  source: string;
  flags: string;
  place: string;
}

interface SyntaxNode {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

/** Lists the source files of the product. */
export async function sourceFiles(): Promise<string[]> {
  const files = await Array.fromAsync(glob("{src,durable-objects,workers}/**/*.{ts,js}", { cwd: root }));
  return files.filter((file) => !file.endsWith(".d.ts")).toSorted();
}

/** Finds the literals in all files, and the places where patterns are composed. */
export async function patternsInSources(): Promise<{ literals: Pattern[]; composed: string[] }> {
  const literals: Pattern[] = [];
  const composed: string[] = [];
  for (const file of await sourceFiles()) {
    const code = readFileSync(join(root, file), "utf8");
    const place = ({ start }: SyntaxNode) => {
      const above = code.slice(0, start).split("\n");
      return `${file}:${above.length}:${above.at(-1)!.length + 1}`;
    };
    for (const node of nodesOf(parseAst(code, { lang: file.endsWith(".ts") ? "ts" : "js" }))) {
      if (node.regex) literals.push({ source: node.regex.pattern, flags: node.regex.flags, place: place(node) });
      if (node.callee?.name === "RegExp") composed.push(place(node));
    }
  }
  return { literals, composed };
}

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value) yield value as SyntaxNode;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

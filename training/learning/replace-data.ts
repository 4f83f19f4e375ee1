import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { env } from "node:process";

/**
 * Replaces JSON files of the engine. The keys of `data` are the ends of their paths; the values are their new contents.
 * Call this before the engine is imported. For a script that imports the engine statically, run `node --import
 * ./training/learning/replace-data.ts SCRIPT` and name the replacement files in the environment variable REPLACED_DATA,
 * as JSON: `{"languages/pl.json": "empty.json"}`.
 */
export function replaceData(data: Readonly<Record<string, string>>): void {
  registerHooks({
    load(url, context, next) {
      const file = Object.keys(data).find((end) => new URL(url).pathname.endsWith(`/${end}`));
      return file === undefined ? next(url, context) : { format: "json", shortCircuit: true, source: data[file]! };
    },
  });
}

const named = Object.entries(JSON.parse(env.REPLACED_DATA ?? "{}") as Record<string, string>);
if (named.length > 0) replaceData(Object.fromEntries(named.map(([end, file]) => [end, readFileSync(file, "utf8")])));

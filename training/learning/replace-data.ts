import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { env } from "node:process";

/**
 * Lets the engine run with other data than its own: keys are the ends of its JSON files, values what is in them instead.
 * To be called before the engine is imported. For scripts that import it at once:
 * `node --import ./training/learning/replace-data.ts SCRIPT`, with REPLACED_DATA naming the files to take, as JSON:
 * `{"languages/pl.json": "empty.json"}`.
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

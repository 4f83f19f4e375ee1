import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const patterns = ["{src,durable-objects,workers,scripts,bench,training,test}/**/*.{ts,mjs}", "migrations/*.sql"];
/** Matches the files that every area has, which are described in a separate table. */
const ofEveryArea = /^src\/areas\/[^/]+\/(index|model|input|views|commands|operations|search|jobs|examples)\.ts$/;
const [begin, end] = ["<!-- files -->", "<!-- /files -->"];

/** Makes the list at the end of CONTRIBUTING.md: each folder with the names of its files, without their endings. */
function fileMap() {
  const byFolder = new Map();
  for (const path of globSync(patterns).toSorted()) {
    if (/\.d\.m?ts$/.test(path) || ofEveryArea.test(path)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/(\.test)?\.(m?[jt]s|sql)$/, "");
    byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), name]);
  }
  return [...byFolder].map(([folder, names]) => `- \`${folder}\`: ${names.join(", ")}`).join("\n");
}

/** Replaces the list of files in `text`. */
export function withFileMap(text) {
  const [before, rest] = text.split(begin);
  return `${before}${begin}\n\n${fileMap()}\n\n${end}${rest.split(end)[1]}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync("CONTRIBUTING.md", withFileMap(readFileSync("CONTRIBUTING.md", "utf8")));

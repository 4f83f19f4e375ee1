import { writeFile } from "node:fs/promises";
import { clientRoutes, golden } from "../test/http/contract/golden.ts";

for (const { path, text } of [golden(), clientRoutes()]) {
  await writeFile(path, text);
  console.log(`Wrote ${path}.`);
}

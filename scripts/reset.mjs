import { rm } from "node:fs/promises";

/** Everything a local Lorry remembers; the fetched gazetteer stays. */
for (const path of [".data/state", ".data/dev", ".data/logs", ".data/secrets.json", ".dev.vars"])
  await rm(path, { recursive: true, force: true });
console.log("Forgotten: orders, files, logs and local secrets.");

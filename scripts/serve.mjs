import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { assertFree, freePorts } from "./address.mjs";
import { openJournal } from "./journal.mjs";
import { withLifeline } from "./lifeline.mjs";
import { migrate, migrationsIn } from "./migrate.mjs";
import { quietWrangler } from "./quiet.mjs";

quietWrangler();
const { unstable_getMiniflareWorkerOptions: workerOptionsOf, unstable_readConfig: readConfig } =
  await import("wrangler");

/**
 * Serves the built Worker (`dist/worker`, `dist/assets`) with its objects, archive, files and queues in a child process. The
 * Worker has its own socket without a proxy, so requests are as fast as the runtime allows.
 *
 * @param {import("./serve.mjs").ServeOptions} options
 * @returns {Promise<import("./serve.mjs").Service>}
 * @throws {import("./address.mjs").AddressUnavailable}
 */
export async function serve({
  host = "127.0.0.1",
  port = 0,
  state,
  vars = {},
  logs,
  outbound,
  beside,
  assets,
  ocr = false,
  inspector = false,
  cronSeconds = 60,
} = {}) {
  if (port) await assertFree(host, port);
  const journal = openJournal(logs);
  const directory = state ?? (await mkdtemp(join(tmpdir(), "lorry-")));
  await prepareArchive(directory);
  let recognisers = [];
  let mf;
  let clock;
  let stopping;
  const close = async () => {
    clearInterval(clock);
    await Promise.all([mf?.dispose(), ...recognisers.map((each) => each.stop())]);
    if (!state) await rm(directory, { recursive: true, force: true });
    journal.close();
  };
  const stop = () => (stopping ??= close());
  try {
    if (ocr) recognisers = await serveOcr(journal);
    mf = runtimeOf(journal, {
      host,
      unsafeTriggerHandlers: true,
      ...(inspector && { inspectorPort: 0 }),
      resourcePersistencePath: directory,
      workers: await workers({
        host,
        port,
        vars,
        outbound,
        beside,
        assets,
        ocr: recognisers.map(({ address }) => address),
      }),
    });
    await Promise.all([withLifeline(() => mf.ready), ...recognisers.map(({ ready }) => ready)]);
    const archive = await mf.getD1Database("ARCHIVE", "lorry");
    clock = setInterval(ticker(mf, journal), cronSeconds * 1000);
    clock.unref();
    return { url: (await mf.unsafeGetDirectURL("lorry")).href.replace(/\/$/, ""), mf, archive, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Migrates the archive in this folder before the service starts, in a runtime of its own. Calls to the database block this process
 * until they are answered. The service's runtime cannot be used for this: it waits for this process to read its logs, which would
 * be a deadlock. A file in the folder records the applied migrations, so no runtime is started if the archive is up to date.
 *
 * @param {string} directory
 */
export async function prepareArchive(directory) {
  const ledger = join(directory, "d1", "migrations.json");
  const wanted = JSON.stringify(migrationsIn());
  if (existsSync(ledger) && readFileSync(ledger, "utf8") === wanted) return;
  const { d1Databases } = workerOptionsOf(readConfig({ config: "wrangler.toml" })).workerOptions;
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      resourcePersistencePath: directory,
      modules: true,
      script: "export default {}",
      d1Databases,
    }),
  );
  try {
    await withLifeline(() => mf.ready);
    await migrate(await mf.getD1Database("ARCHIVE"));
  } finally {
    await mf.dispose();
  }
  writeFileSync(ledger, wanted);
}

/**
 * Configures the product's Worker, and a second Worker that only serves static files. A Worker that has static assets itself would
 * get a proxy.
 */
async function workers({ host, port, vars, outbound, beside = {}, assets: folder, ocr }) {
  const config = readConfig({ config: "wrangler.toml" });
  const { modulesRules: _, assets, ...worker } = workerOptionsOf(config).workerOptions;
  const { OCR: _inTheCloud, ...services } = worker.serviceBindings ?? {};
  return [
    {
      ...worker,
      name: "lorry",
      modulesRoot: "dist/worker",
      modules: await builtModules("dist/worker"),
      bindings: { ...config.vars, ...(ocr.length > 0 && { OCR_AT_ONCE: `${ocr.length}` }), ...vars },
      serviceBindings: {
        ...services,
        ...(ocr.length > 0 && { OCR: "ocr" }),
        ASSETS: "static",
        ...Object.fromEntries(Object.keys(beside).map((name) => [name, { name: besideName(name), entrypoint: name }])),
      },
      unsafeDirectSockets: [{ host, port }],
      ...(outbound && { outboundService: outbound }),
    },
    filesOnly("static", worker.compatibilityDate, { ...assets, ...(folder && { directory: folder }) }),
    ...(ocr.length > 0 ? [sharedOcr(worker.compatibilityDate, ocr)] : []),
    ...Object.entries(beside).map(([name, script]) => ({
      name: besideName(name),
      compatibilityDate: worker.compatibilityDate,
      modules: true,
      script,
      ...(outbound && { outboundService: outbound }),
    })),
  ];
}

/** Starts a runtime on a free port. Its log lines are written to the journal. */
const runtimeOf = (journal, settings) =>
  new Miniflare(
    convertV4MiniflareOptions({
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ level, message, timestamp }) => journal.write({ level, message, at: timestamp }),
      handleUncaughtError: (error) =>
        journal.write({ level: "error", message: error.stack ?? String(error), at: Date.now() }),
      ...settings,
    }),
  );

const filesOnly = (name, compatibilityDate, assets) => ({
  name,
  compatibilityDate,
  script: 'addEventListener("fetch", (event) => event.respondWith(new Response(null, { status: 404 })))',
  assets: { ...assets, binding: undefined, run_worker_first: false, routerConfig: { has_user_worker: false } },
});

/**
 * Returns how many pages can be recognised at the same time. Cores and memory limit this, because each page takes one core and up
 * to half a gigabyte.
 */
export const pagesAtOnce = () =>
  Math.max(1, Math.min(mostPagesAtOnce, availableParallelism(), Math.floor(totalmem() / 3e9)));
const mostPagesAtOnce = 3;

/** Makes a Worker that sends each page to an idle runtime, or else to the runtime whose current page started first. */
const sharedOcr = (compatibilityDate, addresses) => ({
  name: "ocr",
  compatibilityDate,
  modules: true,
  script: `
    const since = Array(${addresses.length}).fill(0);
    export default {
      async fetch(request, env) {
        const at = since.indexOf(Math.min(...since));
        since[at] = Date.now();
        try {
          return await env["OCR" + at].fetch(request);
        } finally {
          since[at] = 0;
        }
      },
    };`,
  serviceBindings: Object.fromEntries(
    addresses.map((address, at) => [`OCR${at}`, { external: { address, http: {} } }]),
  ),
});

/**
 * Starts the OCR Worker in runtimes of its own. A runtime has one thread, and a page takes seconds, so in a shared runtime all
 * other requests would have to wait.
 */
async function serveOcr(journal) {
  const host = "127.0.0.1";
  const modules = await builtModules(resolve("dist/ocr"));
  const ports = await freePorts(host, pagesAtOnce());
  return ports.map((port) => serveOcrAt(host, port, modules, journal));
}

function serveOcrAt(host, port, modules, journal) {
  const {
    modulesRules: _,
    assets,
    ...worker
  } = workerOptionsOf(readConfig({ config: "workers/ocr/wrangler.toml" })).workerOptions;
  const mf = runtimeOf(journal, {
    host,
    workers: [
      {
        ...worker,
        name: "ocr",
        modulesRoot: resolve("dist/ocr"),
        modules,
        serviceBindings: { MODELS: "models" },
        unsafeDirectSockets: [{ host, port }],
      },
      filesOnly("models", worker.compatibilityDate, assets),
    ],
  });
  const ready = withLifeline(() => mf.ready);
  // The caller awaits `ready` later. Until then a rejection would be reported as unhandled.
  ready.catch(() => {});
  return { address: `${host}:${port}`, ready, stop: () => mf.dispose() };
}

const besideName = (binding) => `beside-${binding.toLowerCase()}`;

const moduleTypes = {
  js: "ESModule",
  mjs: "ESModule",
  wasm: "CompiledWasm",
  txt: "Text",
  html: "Text",
  sql: "Text",
  bin: "Data",
};

async function builtModules(directory) {
  const typed = (await readdir(directory)).map((file) => ({ file, type: moduleTypes[file.split(".").pop()] }));
  return typed
    .filter(({ type }) => type)
    .sort((a, b) => Number(b.file === "index.js") - Number(a.file === "index.js"))
    .map(({ file, type }) => ({ type, path: join(directory, file) }));
}

/** Makes a function that fires the Worker's cron by a request, because nothing else fires it locally. */
function ticker(mf, journal) {
  const { crons } = readConfig({ config: "wrangler.toml" }).triggers;
  const complain = (cron, what) => journal.write({ level: "error", message: `cron ${cron}: ${what}`, at: Date.now() });
  const fire = async (cron) => {
    const query = new URLSearchParams({ cron, time: String(Date.now()) });
    const answer = await mf.dispatchFetch(`http://lorry/cdn-cgi/local/scheduled?${query}`);
    const outcome = await answer.text();
    if (outcome !== "ok") complain(cron, outcome);
  };
  return () => {
    for (const cron of crons ?? []) fire(cron).catch((error) => complain(cron, error.message));
  };
}

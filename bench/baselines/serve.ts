import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

const bindings: Record<string, object> = {
  constant: {},
  object: { durableObjects: { ROWS: { className: "Row", useSQLite: true } } },
  sender: { durableObjects: { SENDERS: { className: "Sender", useSQLite: true } } },
  archive: { d1Databases: ["ARCHIVE"] },
  files: { r2Buckets: ["FILES"] },
};

/** Serves each baseline as a Worker with its own socket, like the product. */
export async function serveBaselines(state: string) {
  const names = Object.keys(bindings);
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      resourcePersistencePath: state,
      workers: await Promise.all(names.map(workerOf)),
    }),
  );
  await mf.ready;
  const urls: Record<string, string> = {};
  for (const name of names) urls[name] = (await mf.unsafeGetDirectURL(name)).href.replace(/\/$/, "");
  return { urls, stop: () => mf.dispose() };
}

async function workerOf(name: string) {
  const script = await readFile(join(import.meta.dirname, `${name}.js`), "utf8");
  return {
    name,
    compatibilityDate: "2026-11-17",
    modules: true as const,
    script,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    ...bindings[name],
  };
}

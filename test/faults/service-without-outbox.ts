import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { KillableRuntime, type KillableService } from "./killable-service.ts";

/**
 * Starts a Worker that sends webhooks without an outbox (`service-without-outbox.js`), on the same runtime as the
 * product.
 */
export const serviceWithoutOutbox = (folder: string): Promise<KillableService> =>
  KillableRuntime.of(async () => {
    const mf = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        log: new Log(LogLevel.NONE),
        handleStructuredLogs: () => undefined,
        resourcePersistencePath: folder,
        name: "forgetful",
        compatibilityDate: "2026-11-17",
        modules: true,
        script: await readFile(join(import.meta.dirname, "service-without-outbox.js"), "utf8"),
        durableObjects: { COMPANIES: { className: "Company", useSQLite: true } },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      }),
    );
    const url = (await mf.unsafeGetDirectURL("forgetful")).href.replace(/\/$/, "");
    return { url, stop: () => mf.dispose() };
  });

// Runs one measured server in a process of its own: `node bench/host.ts lorry`, `scanning` or `baselines`. The process
// sends the server's addresses in a message, and exits together with the process that started it.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { serve } from "../scripts/serve.mjs";
import { serveBaselines } from "./baselines/serve.ts";

/** The message that a host sends when it is ready. */
export interface HostReady {
  /** Address of each server, by name. */
  urls: Record<string, string>;
  operatorKey?: string;
}

interface Hosted extends HostReady {
  stop: () => Promise<void>;
}

const hosts: Record<string, (state: string) => Promise<Hosted>> = {
  lorry: (state) => serveLorry(state, false),
  scanning: (state) => serveLorry(state, true),
  baselines: serveBaselines,
};

/** Serves the product as `npm start` does, and writes its log lines to a file. `ocr` adds the OCR Worker. */
async function serveLorry(state: string, ocr: boolean): Promise<Hosted> {
  const operatorKey = randomBytes(24).toString("base64url");
  const vars = {
    OPERATOR_KEY: operatorKey,
    SEAL_KEY: randomBytes(32).toString("base64"),
    ALLOW_PRIVATE_WEBHOOKS: "true",
    RATE_LIMIT_CEILING_PER_SECOND: "100000",
  };
  const { url, stop } = await serve({ state: join(state, "state"), logs: join(state, "lorry.jsonl"), vars, ocr });
  return { urls: { lorry: url }, operatorKey, stop };
}

const state = await mkdtemp(join(tmpdir(), "lorry-bench-"));
const { stop, ...ready } = await hosts[process.argv[2]!]!(state);
process.once("disconnect", () => {
  void stop()
    .then(() => rm(state, { recursive: true, force: true }))
    .then(() => process.exit(0));
});
process.send!(ready satisfies HostReady);

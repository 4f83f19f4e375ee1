import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { portFrom } from "./address.mjs";
import { build } from "./build.mjs";
import { whenOrphaned } from "./lifeline.mjs";
import { dataDirectory, localVars } from "./local.mjs";
import { serve } from "./serve.mjs";

const logs = join(dataDirectory, "logs", "lorry.jsonl");
const host = process.env.HOST || "127.0.0.1";

try {
  const port = portFrom(process.env.PORT || "8787");
  const { gazetteer } = await build();
  const service = await serve({ host, port, state: join(dataDirectory, "state"), vars: localVars(), logs, ocr: true });
  stopWhenTold(service);
  await wake(service.url);
  console.log(greeting(service.url, gazetteer));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/**
 * Stops the service on a signal or when npm exits. Replaces miniflare's signal handlers, which exit before the logs are written.
 */
function stopWhenTold(service) {
  const stop = () => void service.stop().then(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.removeAllListeners(signal);
    process.once(signal, stop);
  }
  if (process.env.npm_lifecycle_event) whenOrphaned(stop);
}

/** Extracts a sample order, so that everything is loaded before a user's first order. Failures are ignored. */
async function wake(url) {
  await readFile("docs/sample-order.pdf")
    .then((body) => fetch(`${url}/dev/awake`, { method: "POST", body }))
    .catch(() => {});
}

function greeting(url, gazetteer) {
  return `Lorry listens on ${url}
  key        demo (another company's: demo2)
  operator   ${process.env.OPERATOR_KEY ? "OPERATOR_KEY" : `the OPERATOR_KEY in ${join(dataDirectory, "secrets.json")}`}
  docs       ${url}/docs
  places     ${gazetteer}
  logs       ${logs}

Read a transport order:
  curl -s ${url}/api/v1/orders/file -H 'X-Api-Key: demo' -H 'Prefer: wait=10' -F file=@docs/sample-order.pdf`;
}

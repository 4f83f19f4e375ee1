import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { simulateDns, resolverAddress } from "../support/simulated-dns.ts";
import { portOf } from "../support/hostile-receivers.ts";
import { openService } from "../support/service.ts";

let connections = 0;
/** A server on this machine that the service must not reach. It counts connections, with or without TLS. */
const canary = createServer((socket) => {
  connections++;
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
});
const names = simulateDns();
const resolver = createHttpServer((request, response) => {
  const answer = Promise.resolve(names.answer({ url: new URL(request.url ?? "/", resolverAddress).href }));
  void answer.then(async (said) => response.end(await said?.text()));
});
/** The path of the runtime's executable. */
const workerd = (createRequire(import.meta.url)("workerd") as { default: string }).default;

const listening = async (server: Server, host: string) => {
  server.listen(0, host);
  await once(server, "listening");
};

beforeAll(async () => {
  await listening(canary, "::");
  await listening(resolver, "127.0.0.1");
});

afterAll(() => {
  canary.close();
  resolver.close();
});

beforeEach(() => {
  connections = 0;
});

/** This machine's addresses in different spellings. */
const hosts = [
  ..."127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 0 127.0.0.1. localhost localhost. a.localhost 127%2e0%2e0%2e1".split(
    " ",
  ),
  ..."[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] canary.beispiel.de canary6.beispiel.de".split(
    " ",
  ),
];

describe("the service, on real sockets", () => {
  test("never reaches a server on this machine, under any spelling", async () => {
    names.lead("canary.beispiel.de", "127.0.0.1");
    names.lead("canary6.beispiel.de", "::1");
    const strict = await openService({
      internet: "sockets",
      vars: { ALLOW_PRIVATE_WEBHOOKS: "", DNS_RESOLVER: `http://127.0.0.1:${portOf(resolver)}/dns-query` },
    });
    const ask = apiClient(strict, strict.company().key);
    for (const host of hosts) {
      for (const scheme of ["http", "https"]) {
        const json = { eventType: "All", callbackUrl: `${scheme}://${host}:${portOf(canary)}/` };
        const { status, body } = await ask("POST", "/api/v1/webhooks", { json });
        expect({ host, status, code: body["errorCode"] }).toEqual({
          host,
          status: 422,
          code: "webhook_target_refused",
        });
      }
    }
    await strict.stop();
    expect(names.asked).toContain("canary6.beispiel.de");
    expect(connections).toBe(0);
  });

  test("reaches it if private networks are allowed", async () => {
    const lenient = await openService({ internet: "sockets" });
    const ask = apiClient(lenient, lenient.company().key);
    const json = { eventType: "All", callbackUrl: `http://127.0.0.1:${portOf(canary)}/` };
    expect((await ask("POST", "/api/v1/webhooks", { json })).status).toBe(201);
    await ask("POST", "/api/v1/orders", { json: { inputText: "Nothing to carry." } });
    await vi.waitFor(() => expect(connections).toBe(1), { timeout: 50_000 });
    await lenient.stop();
  });
});

/** A Worker that fetches the address in the header `x-url` and reports whether a response came. */
const fetcher = `export default {
  fetch: (request) => fetch(request.headers.get("x-url")).then(() => new Response("reached"), () => new Response("barred")) }`;

/**
 * Starts a bare runtime whose configuration allows these networks, as docs/contract.md recommends to operators. Returns
 * the URLs that it reaches.
 */
async function reachedBy(allow: string[], urls: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "lorry-network-"));
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (modules = [(name = "main", esModule = ${JSON.stringify(fetcher)})], compatibilityDate = "2026-11-17")),
        (name = "internet", network = (allow = ${JSON.stringify(allow)})) ],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);`;
  await writeFile(join(folder, "config.capnp"), config);
  const runtime = spawn(workerd, ["serve", join(folder, "config.capnp"), "--control-fd=3"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  try {
    const [said] = (await once(runtime.stdio[3]!, "data")) as [Buffer];
    const { port } = JSON.parse(said.toString()) as { port: number };
    const asked = urls.map((url) => fetch(`http://127.0.0.1:${port}/`, { headers: { "x-url": url } }));
    const answers = await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    return urls.filter((_, index) => answers[index] === "reached");
  } finally {
    const gone = once(runtime, "exit");
    runtime.kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  }
}

describe("a runtime that may reach the public network only", () => {
  const urls = () =>
    hosts.filter((host) => !host.includes("beispiel")).map((host) => `http://${host}:${portOf(canary)}/`);

  test("reaches no address of this machine, under any spelling", async () => {
    expect(await reachedBy(["public"], urls())).toEqual([]);
    expect(connections).toBe(0);
  });

  test("reaches this machine if private networks are allowed", async () => {
    expect(await reachedBy(["public", "private"], urls())).toContain(`http://127.0.0.1:${portOf(canary)}/`);
    expect(connections).toBeGreaterThan(0);
  });
});

import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request as Sent } from "miniflare";
import { Response as Answer } from "miniflare";
import { inject } from "vitest";
import { serve } from "../../scripts/serve.mjs";

/** What stands outside the service: receivers of webhooks, sources of files. */
export type Internet = (request: Sent) => Answer | Promise<Answer>;

export interface Company {
  id: string;
  /** May do everything in this company and nothing in another. */
  key: string;
}

const companiesEach = 200;

/**
 * The whole built product on the real runtime, in an empty state of its own; only the internet outside it is false.
 * Open one in each test file (it takes half a second) and give every test its own `company()`.
 * `logs` is the file its log lines go to, `state` a folder
 * that outlives it. Without an `internet`, whatever the service fetches from outside is refused and `stop()` fails, naming it;
 * with "sockets" it is fetched as it would be outside of tests, for tests with servers of their own on this machine.
 * `ocr` has pictures read, which starts a second runtime; `assets` is a folder of static files and gazetteer of its own.
 * `beside` are bindings that only the cloud has, each played by a module.
 */
export async function openService({
  internet,
  vars,
  logs,
  state,
  beside,
  assets,
  ocr,
}: {
  internet?: Internet | "sockets";
  vars?: Record<string, string>;
  logs?: string;
  state?: string;
  beside?: Record<string, string>;
  assets?: string;
  ocr?: boolean;
} = {}) {
  const reached: string[] = [];
  const refuse: Internet = ({ method, url }) => {
    reached.push(`${method} ${url}`);
    return new Answer("There is no internet here.", { status: 502 });
  };
  const companies = Array.from({ length: companiesEach }, (): Company => ({
    id: randomUUID(),
    key: `test-${randomUUID()}`,
  }));
  const outbound = internet === "sockets" ? undefined : (internet ?? refuse);
  const folder = state ?? (await mkdtemp(join(tmpdir(), "lorry-")));
  if (!existsSync(join(folder, "d1"))) await cp(inject("emptyState"), folder, { recursive: true });
  const service = await serve({
    outbound,
    logs,
    beside,
    assets,
    ocr,
    state: folder,
    vars: { ...testVars(companies), ...vars },
  });

  return {
    url: service.url,
    mf: service.mf,
    archive: service.archive,
    fetch: (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, service.url), init),
    /** A company nobody has used yet. */
    company(): Company {
      const company = companies.pop();
      if (!company) throw new Error(`A service has ${companiesEach} companies; open another.`);
      return company;
    },
    async stop(): Promise<void> {
      await service.stop();
      if (!state) await rm(folder, { recursive: true });
      if (reached.length) throw new Error(`The service reached for the internet:\n${reached.join("\n")}`);
    },
  };
}

export type TestService = Awaited<ReturnType<typeof openService>>;

const testVars = (companies: Company[]): Record<string, string> => ({
  LOCAL_KEYS: JSON.stringify(Object.fromEntries(companies.map(({ id, key }) => [key, id]))),
  ALLOW_PRIVATE_WEBHOOKS: "true",
  SEAL_KEY: randomBytes(32).toString("base64"),
  OPERATOR_KEY: "operator-of-the-tests",
  RATE_LIMIT_PER_SECOND: "100000",
  WRONG_KEYS_PER_MINUTE: "100000",
  PRIVACY_SETTLE_MS: "0",
});

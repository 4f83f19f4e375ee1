import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request as Sent } from "miniflare";
import { Response as Answer } from "miniflare";
import { inject } from "vitest";
import { serve } from "../../scripts/serve.mjs";

/** Responds to the requests that the service sends to the outside, such as webhooks. */
export type Internet = (request: Sent) => Answer | Promise<Answer>;

export interface Company {
  id: string;
  /** An API key with all scopes in this company. */
  key: string;
}

export interface ServiceSettings {
  /**
   * The network outside the service. By default, every request to the outside is refused, and `stop()` throws an error
   * that names it. With "sockets", requests leave the service as in production, for tests that have their own servers
   * on this machine.
   */
  internet?: Internet | "sockets";
  vars?: Record<string, string>;
  /** The file to which log lines are written. */
  logs?: string;
  /** The folder for the service's data, which is kept after the test. */
  state?: string;
  /** Replacements for bindings that exist only in the cloud. Each is the source of a module. */
  beside?: Record<string, string>;
  /** A folder with static files and a gazetteer, which replaces the built one. */
  assets?: string;
  /** Whether OCR is enabled, which starts further runtimes. */
  ocr?: boolean;
  /** Whether the service is not shared with other test files. Tests of data that all companies share need this. */
  own?: boolean;
}

/** Number of companies in the service of one test file, and in a shared service. */
const [companiesOfOne, companiesOfMany] = [200, 1500];

/**
 * Starts the built product on the Workers runtime; only the internet is simulated. Each test file opens one service,
 * and each test uses its own `company()`. Starting a service takes about two seconds of CPU time, so test files with
 * the same settings share one.
 */
export const openService = (settings: ServiceSettings = {}) =>
  isShareable(settings) ? joinService(settings) : startService(settings);

type ShareableSettings = { internet?: Internet; vars?: Record<string, string> };

function isShareable(settings: ServiceSettings): settings is ShareableSettings {
  const { internet, vars = {}, ...own } = settings;
  return (
    internet !== "sockets" &&
    Object.keys(vars).every((name) => name === "LOCAL_MAIL") &&
    Object.values(own).every((value) => value === undefined)
  );
}

interface SharedService {
  service: RunningService;
  /** The simulated internet of the test file that is now running. */
  internet: Internet;
}

/** The shared services, by their settings. They end with the test process. */
const sharedServices = new Map<string, Promise<SharedService>>();

async function joinService({ internet, vars = {} }: ShareableSettings): Promise<RunningService> {
  const name = JSON.stringify([Boolean(internet), vars]);
  const shared = await (sharedServices.get(name) ?? startShared(name, Boolean(internet), vars));
  const { service } = shared;
  if (!internet) return { ...service, stop: async () => service.expectNothingReached() };
  shared.internet = internet;
  return {
    ...service,
    stop: async () => void (shared.internet = nobody),
  };
}

const nobody: Internet = () => new Answer("Nobody is here.", { status: 404 });

function startShared(name: string, hasInternet: boolean, vars: Record<string, string>): Promise<SharedService> {
  const start = async () => {
    const shared = { internet: nobody } as SharedService;
    const internet: Internet | undefined = hasInternet ? (request) => shared.internet(request) : undefined;
    shared.service = await startService({ internet, vars }, companiesOfMany);
    return shared;
  };
  const starting = start();
  sharedServices.set(name, starting);
  return starting;
}

async function startService({ internet, vars, state, ...settings }: ServiceSettings, companiesEach = companiesOfOne) {
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
    ...settings,
    outbound,
    state: folder,
    vars: { ...testVars(companies), ...vars },
  });

  /** @throws Error that names the outside URLs that the service has requested since the last call */
  function expectNothingReached(): void {
    const all = reached.splice(0);
    if (all.length) throw new Error(`The service reached for the internet:\n${all.join("\n")}`);
  }

  return {
    url: service.url,
    mf: service.mf,
    archive: service.archive,
    fetch: (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, service.url), init),
    /** Returns a company that no other test has used. */
    company(): Company {
      const company = companies.pop();
      if (!company) throw new Error(`A service has ${companiesEach} companies; open another.`);
      return company;
    },
    expectNothingReached,
    stop: async (): Promise<void> => {
      await service.stop();
      if (!state) await rm(folder, { recursive: true });
      expectNothingReached();
    },
  };
}

type RunningService = Awaited<ReturnType<typeof startService>>;

export type TestService = RunningService;

const testVars = (companies: Company[]): Record<string, string> => ({
  LOCAL_KEYS: JSON.stringify(Object.fromEntries(companies.map(({ id, key }) => [key, id]))),
  ALLOW_PRIVATE_WEBHOOKS: "true",
  SEAL_KEY: randomBytes(32).toString("base64"),
  OPERATOR_KEY: "operator-of-the-tests",
  RATE_LIMIT_PER_SECOND: "100000",
  WRONG_KEYS_PER_MINUTE: "100000",
  PRIVACY_SETTLE_MS: "0",
});

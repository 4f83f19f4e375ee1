import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import { simulateInternet, type Receiver } from "../support/simulated-internet.ts";
import { simulateDns, noSuchName, resolverAddress } from "../support/simulated-dns.ts";
import { openService, type Company, type Internet, type TestService } from "../support/service.ts";
import { addresses, forbiddenNames, publicAddresses, spellings } from "../support/forbidden-addresses.ts";

const publicAddress = "93.184.216.34";
const internet = simulateInternet();
const names = simulateDns();
/** The URLs of all requests that the service has sent, except to the DNS resolver. */
const reached: string[] = [];
const outside: Internet = (request) => {
  const named = names.answer(request);
  if (named) return named;
  reached.push(request.url);
  return internet.answer(request);
};
const strict = {
  ALLOW_PRIVATE_WEBHOOKS: "false",
  DNS_RESOLVER: resolverAddress,
  BASE_URL: "https://lorry.spedition.workers.dev",
};

let service: TestService;
/** A company whose requests are all refused. */
let refusedCompany: Company;

beforeAll(async () => {
  service = await openService({ internet: outside, vars: strict });
  refusedCompany = service.company();
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

interface Subscription {
  subscriptionId: string;
  callbackUrl: string;
  failureCount: number;
  pending: number;
  lastFailure?: { status?: number; error?: string };
}

interface Refused {
  errorCode: string;
  detail: string;
  errors: unknown[];
}

const subscribe = (ask: ApiClient, callbackUrl: string, headers: Record<string, string> = {}) =>
  ask<Subscription & Refused>("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl }, headers });

const newAsking = (company: Company = service.company()) => apiClient(service, company.key);

let posted = 0;

/** Causes an event that every webhook of the company receives. */
const happens = (ask: ApiClient) =>
  ask("POST", "/api/v1/orders", {
    json: { inputText: `Nothing to carry, number ${++posted}.` },
    headers: { prefer: "wait=15" },
  });

async function webhooks(ask: ApiClient): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for (let query = "?limit=200"; query;) {
    const { body } = await ask<{ items: Subscription[]; nextCursor?: string }>("GET", `/api/v1/webhooks${query}`);
    found.push(...body.items);
    query = body.nextCursor ? `?limit=200&cursor=${body.nextCursor}` : "";
  }
  return found;
}

/** Waits until each webhook of the company has failed at least once, and returns the webhooks. */
const failed = (ask: ApiClient, count: number): Promise<Subscription[]> => ended(ask, count, () => true);

/**
 * Waits until a delivery of each webhook was refused because of its address. After a timeout of DNS, the attempt is
 * repeated.
 */
const refused = (ask: ApiClient, count: number): Promise<Subscription[]> =>
  ended(ask, count, ({ error }) => error === "refused");

async function ended(
  ask: ApiClient,
  count: number,
  as: (failure: NonNullable<Subscription["lastFailure"]>) => boolean,
): Promise<Subscription[]> {
  return vi.waitFor(
    async () => {
      const found = await webhooks(ask);
      expect(found.filter(({ lastFailure }) => lastFailure && as(lastFailure))).toHaveLength(count);
      return found;
    },
    { timeout: 80_000, interval: 1_000 },
  );
}

/** Creates a receiver with its own public name. */
function publicReceiver(): Receiver & { name: string } {
  const receiver = internet.address();
  const name = new URL(receiver.url).hostname;
  names.lead(name, publicAddress);
  return Object.assign(receiver, { name });
}

/** Companies with webhooks to addresses that have become forbidden. Each company may have 100 webhooks. */
const keepers = ["keeper-1", "keeper-2", "keeper-3", "keeper-4"];

const targets = [
  ...Object.entries(spellings).flatMap(([what, hosts]) =>
    hosts.map((host) => ({ what, address: `https://${host}/hook` })),
  ),
  ...addresses.map((address) => ({ what: "complete URLs", address })),
];

describe("a forbidden address", () => {
  test.each(targets)("is refused when a webhook is created: $what, $address", async ({ address }) => {
    const asked = names.asked.length;
    const { status, body } = await subscribe(apiClient(service, refusedCompany.key), address);
    expect({ status, code: body.errorCode }).toEqual({ status: 422, code: "webhook_target_refused" });
    expect(body.errors).toEqual([
      { code: "webhook_target_refused", field: "callbackUrl", pointer: "/callbackUrl", message: body.detail },
    ]);
    expect(names.asked).toHaveLength(asked);
  });

  test("leaves no webhook and was never called", async () => {
    expect(new Set(targets.map(({ address }) => address)).size).toBeGreaterThan(250);
    expect(await webhooks(apiClient(service, refusedCompany.key))).toEqual([]);
    expect(reached.filter((url) => !url.includes("receiver-"))).toEqual([]);
  });

  test("is not called by a webhook that was created when it was allowed", async () => {
    const state = await mkdtemp(join(tmpdir(), "lorry-egress-"));
    const kept = {
      LOCAL_KEYS: JSON.stringify(Object.fromEntries(keepers.map((key) => [key, crypto.randomUUID()]))),
      SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    try {
      const lenient = await openService({ state, vars: kept });
      const counts = await Promise.all(
        keepers.map(async (key, index) => {
          const some = targets.filter((_, number) => number % keepers.length === index);
          const made = some.map(({ address }) => subscribe(apiClient(lenient, key), address));
          return (await Promise.all(made)).filter(({ status }) => status === 201).length;
        }),
      );
      await lenient.stop();
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(200);

      const before = reached.length;
      const later = await openService({ state, internet: outside, vars: { ...strict, ...kept } });
      const found = await Promise.all(
        keepers.map(async (key, index) => {
          await happens(apiClient(later, key));
          return refused(apiClient(later, key), counts[index]!);
        }),
      );
      await later.stop();
      expect(found.flat().filter(({ lastFailure }) => lastFailure?.error !== "refused")).toEqual([]);
      expect(reached.slice(before)).toEqual([]);
    } finally {
      await rm(state, { recursive: true, force: true });
    }
  });
});

describe("a name that resolves to a non-public address", () => {
  test.each(forbiddenNames)("is refused when a webhook is created: %s, %s", async (name, ...where) => {
    names.lead(name, ...where);
    const { status, body } = await subscribe(apiClient(service, refusedCompany.key), `https://${name}/hook`);
    expect({ status, code: body.errorCode }).toEqual({ status: 422, code: "webhook_target_refused" });
    expect(body.detail).toBe("The host name has an IP address that is not public.");
  });

  test("but was public when the webhook was created is not called", async () => {
    const ask = newAsking();
    for (const [name] of forbiddenNames) {
      names.lead(`later-${name}`, publicAddress, "2606:2800:220:1::1");
      expect((await subscribe(ask, `https://later-${name}/hook`)).status).toBe(201);
    }
    for (const [name, ...where] of forbiddenNames) names.lead(`later-${name}`, ...where);
    await happens(ask);
    await refused(ask, forbiddenNames.length);
    expect(reached.filter((url) => url.includes("later-"))).toEqual([]);
  });
});

describe("a host name", () => {
  test.each(publicAddresses)("that resolves to a public address is accepted: %s", async (address) => {
    names.lead(new URL(address).hostname.replace(/\.$/, ""), publicAddress, "2606:2800:220:1::1");
    const ask = newAsking();
    const { status, body } = await subscribe(ask, address);
    expect(status).toBe(201);
    await happens(ask);
    await vi.waitFor(() => expect(reached).toContain(body.callbackUrl), { timeout: 50_000 });
  });

  test.each([
    "https://lorry.spedition.workers.dev/",
    "https://other.spedition.workers.dev/",
    "https://spedition.workers.dev/",
  ])("of this deployment's own account is refused: %s", async (address) => {
    names.lead(new URL(address).hostname, publicAddress);
    expect((await subscribe(newAsking(), address)).status).toBe(422);
  });

  test("of another account is accepted", async () => {
    names.lead("lorry.carrier.workers.dev", publicAddress);
    expect((await subscribe(newAsking(), "https://lorry.carrier.workers.dev/")).status).toBe(201);
  });

  const notKnown = "The host name of the address does not exist.";
  const notSaid = "The lookup of the host name failed. Try again later.";

  const html = { headers: { "content-type": "text/html" } };
  test.each<[string, () => Answer | Promise<Answer>, number, string, string?]>([
    ["does not exist", noSuchName, 422, notKnown],
    ["has no address", () => Answer.json({ Status: 0 }), 422, notKnown],
    ["cannot be resolved", () => Answer.json({ Status: 2 }), 502, notSaid, "dns"],
    [
      "is not looked up, since the resolver is down",
      () => new Answer("Down.", { status: 502 }),
      502,
      notSaid,
      "http_502",
    ],
    [
      "is not looked up, since the resolver is busy",
      () => new Answer("Busy.", { status: 503 }),
      503,
      notSaid,
      "http_503",
    ],
    ["gets a page as the answer", () => new Answer("<html>", html), 502, notSaid, "unreadable_answer"],
    ["gets JSON of another shape as the answer", () => Answer.json({ Answer: "1" }), 502, notSaid, "unreadable_answer"],
    [
      "gets a redirect as the answer",
      () => Answer.redirect(`${resolverAddress}?name=x&type=A`, 302),
      502,
      notSaid,
      "http_302",
    ],
    ["gets no answer", () => new Promise<Answer>(() => undefined), 504, notSaid, "timeout"],
  ])("that %s is refused, and is a failure for an existing webhook", async (_, said, expected, sentence, code) => {
    const receiver = publicReceiver();
    const ask = newAsking();
    expect((await subscribe(ask, receiver.url)).status).toBe(201);
    names.says(receiver.name, said);
    const { status, body } = await subscribe(ask, receiver.url);
    expect({ status, detail: body.detail }).toEqual({ status: expected, detail: sentence });
    const named = { source: "NameServer", externalErrors: [{ code, message: sentence }] };
    expect(body).toMatchObject(code ? named : { errorCode: "webhook_target_refused" });
    await happens(ask);
    const [webhook] = await failed(ask, 1);
    expect(webhook).toMatchObject({ pending: 1, lastFailure: { error: "dns" } });
    expect(receiver.received).toEqual([]);
  });

  test("that no longer resolves does not change the response to a repeated request", async () => {
    const receiver = publicReceiver();
    const ask = newAsking();
    const first = await subscribe(ask, receiver.url, { "idempotency-key": "subscribe" });
    names.lead(receiver.name, "127.0.0.1");
    const second = await subscribe(ask, receiver.url, { "idempotency-key": "subscribe" });
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });
});

test("a DNS answer is cached for its TTL", async () => {
  const patient = simulateDns(300);
  const keeping = await openService({
    internet: (request) => patient.answer(request) ?? internet.answer(request),
    vars: strict,
  });
  patient.lead("kept.beispiel.de", publicAddress);
  const ask = apiClient(keeping, keeping.company().key);
  for (let i = 0; i < 3; i++) expect((await subscribe(ask, "https://kept.beispiel.de/")).status).toBe(201);
  await keeping.stop();
  expect(patient.asked).toEqual(["kept.beispiel.de", "kept.beispiel.de"]);
});

test("redirects of a receiver are not followed", async () => {
  const places = [
    "https://127.0.0.1/",
    "https://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:6379/",
    "https://metadata.google.internal/",
    "//10.0.0.1/",
    "https://elsewhere.beispiel.de/",
    "/hooks",
    "file:///etc/passwd",
  ];
  names.lead("elsewhere.beispiel.de", publicAddress);
  const ask = newAsking();
  const sent = [301, 302, 303, 307, 308].flatMap((status) => places.map((location) => ({ status, location })));
  const receivers = sent.map((answer) => {
    const receiver = publicReceiver();
    receiver.respondWith(() => ({ status: answer.status, headers: { location: answer.location } }));
    return { ...answer, receiver };
  });
  for (const { receiver } of receivers) expect((await subscribe(ask, receiver.url)).status).toBe(201);
  const before = reached.length;
  await happens(ask);
  // On a busy machine, a first attempt may time out. It is then repeated.
  const found = await ended(ask, sent.length, ({ status }) => status !== undefined);
  // Webhooks of earlier tests may be retried meanwhile.
  const earlier = new Set(reached.slice(0, before));
  const statusOf = (url: string) => found.find(({ callbackUrl }) => callbackUrl === url)?.lastFailure?.status;
  expect(receivers.map(({ receiver }) => statusOf(receiver.url))).toEqual(sent.map(({ status }) => status));
  const called = new Set(reached.slice(before).filter((url) => !earlier.has(url)));
  expect([...called].sort()).toEqual(receivers.map(({ receiver }) => receiver.url).sort());
});

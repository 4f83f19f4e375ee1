import type { TestService } from "../../support/service.ts";

/** A company with its first key, in every form of authentication. */
export interface TestCompany {
  companyId: string;
  keyId: string;
  key: string;
  basic: string;
  bearer: string;
}

export const operatorKey = "operator-of-the-tests";

/** Creates a company whose keys have no effective rate limit. */
export async function createCompany(service: TestService): Promise<TestCompany> {
  const facts = { name: "Trans Beispiel", requestsPerSecond: 100_000 };
  const made = await postJson<{ companyId: string; keyId: string; key: string }>(
    service,
    "/api/v1/companies",
    operatorKey,
    facts,
  );
  return { ...made, ...(await otherWays(service, made.keyId, made.key)) };
}

async function otherWays(service: TestService, keyId: string, key: string): Promise<{ basic: string; bearer: string }> {
  const basic = btoa(`${keyId}:${key.slice(keyId.length + 1)}`);
  const response = await service.fetch("/oauth2/token", {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return { basic, bearer: (await response.json<{ access_token: string }>()).access_token };
}

/** Returns the headers of each form of authentication. */
export const credentialsOf = ({ key, basic, bearer }: TestCompany): Record<string, Record<string, string>> => ({
  "X-Api-Key": { "x-api-key": key },
  Basic: { authorization: `Basic ${basic}` },
  Bearer: { authorization: `Bearer ${bearer}` },
});

/** Created keys, by company and scopes. */
const keys = new Map<string, Promise<{ key: string }>>();

/** Returns a key with exactly these scopes. A company can have only a hundred keys, so each is created only once. */
export async function keyWith(service: TestService, firm: TestCompany, scopes: string[]): Promise<string> {
  const name = [firm.keyId, ...scopes].join(" ");
  const made = keys.get(name) ?? postJson<{ key: string }>(service, "/api/v1/keys", firm.key, { scopes });
  keys.set(name, made);
  return (await made).key;
}

/** Posts JSON. @throws Error if the response has an error status */
export async function postJson<Body>(
  service: TestService,
  path: string,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Body> {
  const response = await service.fetch(path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Replaces the credentials of a request; with empty `credentials`, removes them. */
export const withCredentials = <Sent extends { headers: Record<string, string> }>(
  { headers, ...request }: Sent,
  credentials: Record<string, string>,
) => ({
  ...request,
  headers: {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "authorization")),
    ...credentials,
  },
});

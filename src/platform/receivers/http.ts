import type { Means } from "./means.ts";
import { isGood, json, type Posted, type Tried } from "./posting.ts";
import type { Of } from "./shape.ts";

/** To an address that asks for nothing, or that does not know us. */
export const plain = (_: Of<"None">, means: Means): Promise<Tried> => posted(means, {});

export const withApiKey = ({ headerName, apiKey }: Of<"ApiKey">, means: Means): Promise<Tried> =>
  posted(means, { [headerName.toLowerCase()]: apiKey });

export const withBasic = ({ username, password }: Of<"Basic">, means: Means): Promise<Tried> =>
  posted(means, { authorization: `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}` });

/**
 * With a token of the server the receiver trusts. When the receiver answers 401 the token is dropped, and one more try is
 * made at once with a new one: at most two calls to each. Not when the first took long, so that an attempt ends in time, and
 * not when both calls are made.
 */
export async function withToken(server: Of<"OAuth2">, means: Means): Promise<Tried> {
  const began = Date.now();
  const first = await tryWithToken(server, means);
  if (first.sent.status !== 401 || !first.token) return first;
  if (!means.mayCallAgain() || Date.now() - began > secondTryWithinMilliseconds) {
    means.tokens.drop(first.token);
    return first;
  }
  const second = await tryWithToken(server, means, first.token);
  if (second.sent.status === 401 && second.token) means.tokens.drop(second.token);
  return second;
}

const secondTryWithinMilliseconds = 5_000;

async function tryWithToken(server: Of<"OAuth2">, means: Means, refused?: string): Promise<Tried & { token?: string }> {
  const taken = await means.tokens.take(server, refused);
  if ("token" in taken) return { ...(await posted(means, { authorization: `Bearer ${taken.token}` })), ...taken };
  return { request: requestOf(means, {}), sent: taken.failed, delivered: false };
}

async function posted(means: Means, proof: Record<string, string>): Promise<Tried> {
  const request = requestOf(means, proof);
  const sent = await means.post(request);
  return {
    request,
    sent,
    delivered: isGood(sent),
    hides: { headers: Object.keys(proof), secrets: Object.values(proof).map((value) => value.replace(/^\w+ /, "")) },
  };
}

const requestOf = ({ url, message: { headers, body } }: Means, proof: Record<string, string>): Posted => ({
  url,
  headers: { "content-type": json, ...headers, ...proof },
  body,
});

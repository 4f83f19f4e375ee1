import { type TransportContext, isGood, json, type PostRequest, type TransportResult } from "./transport.ts";
import type { AuthenticationOf } from "./shape.ts";

/** To a receiver without authentication. */
export const postPlain = (_: AuthenticationOf<"None">, means: TransportContext): Promise<TransportResult> =>
  post(means, {});

export const postWithApiKey = (
  { headerName, apiKey }: AuthenticationOf<"ApiKey">,
  means: TransportContext,
): Promise<TransportResult> => post(means, { [headerName.toLowerCase()]: apiKey });

export const postWithBasic = (
  { username, password }: AuthenticationOf<"Basic">,
  means: TransportContext,
): Promise<TransportResult> =>
  post(means, { authorization: `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}` });

/**
 * With a token of the receiver's token server. After a 401 the token is dropped and the call is repeated once with a new one, unless
 * the first call took long or no call is left.
 */
export async function postWithToken(
  server: AuthenticationOf<"OAuth2">,
  means: TransportContext,
): Promise<TransportResult> {
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

async function tryWithToken(
  server: AuthenticationOf<"OAuth2">,
  means: TransportContext,
  refused?: string,
): Promise<TransportResult & { token?: string }> {
  const taken = await means.tokens.take(server, refused);
  if ("token" in taken) return { ...(await post(means, { authorization: `Bearer ${taken.token}` })), ...taken };
  return { request: requestOf(means, {}), sent: taken.failed, delivered: false };
}

async function post(means: TransportContext, proof: Record<string, string>): Promise<TransportResult> {
  const request = requestOf(means, proof);
  const sent = await means.post(request);
  return {
    request,
    sent,
    delivered: isGood(sent),
    hides: { headers: Object.keys(proof), secrets: Object.values(proof).map((value) => value.replace(/^\w+ /, "")) },
  };
}

const requestOf = (
  { url, message: { headers, body } }: TransportContext,
  proof: Record<string, string>,
): PostRequest => ({
  url,
  headers: { "content-type": json, ...headers, ...proof },
  body,
});

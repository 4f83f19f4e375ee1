import * as z from "zod";
import { choice, LineText } from "../../domain/shapes.ts";
import { defineAuthentication, HeaderValue } from "./define-authentication.ts";
import { post, requestOf, type TransportContext, type TransportResult } from "./transport.ts";

const fields = {
  tokenUrl: z
    .string()
    .max(2048)
    .describe("The token endpoint for the grant `client_credentials`: https and a public address."),
  clientId: LineText(512).min(1),
  clientSecret: LineText(4096).min(1),
  scope: HeaderValue(1024).optional(),
  clientAuthentication: choice(["Basic", "Post"])
    .default("Basic")
    .describe("`Basic`, the default, sends id and secret in the header Authorization; `Post` sends them in the form."),
};

/** A token server, and our credentials at the server. */
export type TokenServer = z.output<z.ZodObject<typeof fields>>;

export const OAuth2 = defineAuthentication({
  type: "OAuth2",
  id: "Oauth2Authentication",
  fields,
  secret: "clientSecret",
  deliver: postWithToken,
});

/**
 * After a 401, the call is repeated once with a new token, unless the first call took long or no further call is
 * allowed.
 */
async function postWithToken(server: TokenServer, context: TransportContext): Promise<TransportResult> {
  const began = Date.now();
  const first = await tryWithToken(server, context);
  if (first.sent.status !== 401 || !first.token) return first;
  if (!context.mayCallAgain() || Date.now() - began > secondTryWithinMilliseconds) {
    context.tokens.drop(first.token);
    return first;
  }
  const second = await tryWithToken(server, context, first.token);
  if (second.sent.status === 401 && second.token) context.tokens.drop(second.token);
  return second;
}

const secondTryWithinMilliseconds = 5_000;

async function tryWithToken(
  server: TokenServer,
  context: TransportContext,
  refused?: string,
): Promise<TransportResult & { token?: string }> {
  const taken = await context.tokens.take(server, refused);
  if ("token" in taken) return { ...(await post(context, { authorization: `Bearer ${taken.token}` })), ...taken };
  return { request: requestOf(context, {}), sent: taken.failed, delivered: false };
}

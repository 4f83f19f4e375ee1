import * as z from "zod";
import { send, type Sent } from "../egress/index.ts";
import type { Env } from "../env.ts";
import { seal, unseal } from "../seal.ts";
import { isGood, type TransportResult } from "./transport.ts";
import type { TokenServer } from "./oauth2.ts";

/** Stores the sealed token of a receiver between attempts. */
export interface TokenStore {
  get(): string | undefined;
  /** Undefined deletes the token. */
  put(sealed: string | undefined): void;
}

interface Token {
  token: string;
  /** Time after which the token is no longer used, in milliseconds since 1970. */
  until: number;
}

type Taken = { token: string } | { failed: TransportResult["sent"] };

const limitMilliseconds = 10_000;
const answerBytes = 64 * 1024;
/** A token is used until a minute before it expires, but for at least half a minute and at most an hour. */
const lastSeconds = 60;
const minSeconds = 30;
const maxSeconds = 3600;
/** If the server states no lifetime. When the token expires earlier, the receiver responds with a 401. */
const defaultSeconds = 300;

/**
 * The access token of a receiver, obtained with the grant `client_credentials` and cached. Concurrent attempts share
 * one request to the token server.
 *
 * OAuth libraries are not used: strict ones reject usable responses of real servers (`"expires_in": -1`, or null), and
 * requests must use `send`, which checks the target and limits the response.
 */
export class Tokens {
  private readonly store: TokenStore;
  private readonly env: Env;
  private readonly about: string;
  private kept: (Token & { of: string }) | undefined;
  private pending: Promise<Taken> | undefined;

  /** @param about the record that the token belongs to */
  constructor(store: TokenStore, env: Env, about: string) {
    this.store = store;
    this.env = env;
    this.about = about;
  }

  /**
   * Returns a cached or a new token.
   * @param refused a token that the receiver refused, so that another one is needed
   */
  async take(server: TokenServer, refused?: string): Promise<Taken> {
    if (refused !== undefined) this.drop(refused);
    await this.recall(server);
    const { kept } = this;
    if (kept && kept.token !== refused && kept.until > Date.now()) return { token: kept.token };
    this.pending ??= this.ask(server).finally(() => (this.pending = undefined));
    return this.pending;
  }

  /** Discards a refused token, unless it has been replaced in the meantime. */
  drop(token: string): void {
    if (this.kept?.token !== token) return;
    this.kept = undefined;
    this.store.put(undefined);
  }

  private async ask(server: TokenServer): Promise<Taken> {
    const sent = await send({ url: server.tokenUrl, method: "POST", ...formOf(server) }, this.env, {
      limitMilliseconds,
      answerBytes,
    });
    const answer = answerOf(sent);
    if (!isGood(sent) || !answer.access_token) return { failed: failureOf(sent, answer) };
    await this.keep(server, {
      token: answer.access_token,
      until: Date.now() + secondsOf(answer.expires_in) * 1000,
    });
    return { token: answer.access_token };
  }

  private async keep(server: TokenServer, token: Token): Promise<void> {
    this.kept = { ...token, of: this.name(server) };
    this.store.put(await seal(this.env, this.name(server), JSON.stringify(token)));
  }

  /** A stored token that cannot be unsealed belongs to other credentials or another key, and is ignored. */
  private async recall(server: TokenServer): Promise<void> {
    const of = this.name(server);
    if (this.kept?.of === of) return;
    this.kept = undefined;
    const sealed = this.store.get();
    const opened = sealed && (await unseal(this.env, of, sealed).catch(() => undefined));
    if (opened) this.kept ??= { ...(JSON.parse(opened) as Token), of };
  }

  /** A token can be unsealed only with the credentials (apart from the secret) for which it was obtained. */
  private name({ tokenUrl, clientId, scope = "" }: TokenServer): string {
    return [`${this.about}/token`, tokenUrl, clientId, scope].join("\n");
  }
}

function formOf({ clientId, clientSecret, scope, clientAuthentication }: TokenServer) {
  const inForm = clientAuthentication === "Post" && { client_id: clientId, client_secret: clientSecret };
  const form = { grant_type: "client_credentials", ...(scope && { scope }), ...inForm };
  return {
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(!inForm && { authorization: `Basic ${btoa(`${formed(clientId)}:${formed(clientSecret)}`)}` }),
    },
    body: new URLSearchParams(form).toString(),
  };
}

/** RFC 6749 requires id and secret to be encoded as in a form. */
const formed = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);

const Answer = z.object({
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]{1,8192}$/)
    .optional(),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z.unknown().optional(),
});
/** Accepts only error codes in the form of RFC 6749. Any other text of the server is dropped. */
const Fault = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

type Answered = Partial<z.output<typeof Answer>> & { error?: string };

function answerOf({ answer }: Sent): Answered {
  try {
    const body: unknown = JSON.parse(answer);
    return { ...Answer.safeParse(body).data, ...Fault.safeParse(body).data };
  } catch {
    return {};
  }
}

function secondsOf(expiresIn: unknown): number {
  const seconds = typeof expiresIn === "string" ? Number.parseFloat(expiresIn) : expiresIn;
  if (typeof seconds !== "number" || Number.isNaN(seconds)) return defaultSeconds;
  return Math.min(maxSeconds, Math.max(minSeconds, seconds - lastSeconds));
}

const tokenServer = "The token server failed: ";

/** Extracts status and error from the error text of a token server, which is all that the delivery log stores. */
export function faultOfTokenServer(detail: string): { status?: number; error?: string } {
  // Earlier releases wrote "The token server: ".
  const why = detail.replace(/^The token server(?: failed)?: /, "");
  const status = /^\d{3}\b/.exec(why)?.[0];
  if (status) return { status: Number(status), error: "token" };
  return { error: /^(?:timeout|tls|connection)$/.test(why) ? why : "dns" };
}

/** The response body is dropped, because it may contain a token. */
function failureOf(
  { status, error, detail, retryAfter, milliseconds }: Sent,
  answer: Answered,
): TransportResult["sent"] {
  const why = detail ?? error ?? (answer.error ? `${status} ${answer.error}` : `${status}, without a usable token`);
  return {
    error: error === "refused" ? error : "token",
    detail: `${tokenServer}${why}`,
    ...(retryAfter && { retryAfter }),
    answer: "",
    milliseconds,
  };
}

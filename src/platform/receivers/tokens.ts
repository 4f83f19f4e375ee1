import * as z from "zod";
import { send, type Sent } from "../egress/index.ts";
import type { Env } from "../env.ts";
import { seal, unseal } from "../seal.ts";
import { isGood, type TransportResult } from "./posting.ts";
import type { AuthenticationOf } from "./shape.ts";

/** Where the owner of a receiver keeps its token between attempts. It sees it sealed only. */
export interface TokenStore {
  get(): string | undefined;
  /** Nothing forgets it. */
  put(sealed: string | undefined): void;
}

interface Token {
  token: string;
  /** Milliseconds since 1970. */
  until: number;
}

type Taken = { token: string } | { failed: TransportResult["sent"] };

const limitMilliseconds = 10_000;
const answerBytes = 64 * 1024;
/** A token is not used in its last minute, is used half a minute at least, and for an hour at most. */
const lastSeconds = 60;
const leastSeconds = 30;
const mostSeconds = 3600;
/** When the server does not say how long a token is good for; one that was not is found out by a 401. */
const unsaidSeconds = 300;

/**
 * The token of one receiver, got by the grant `client_credentials` and kept until shortly before it expires. However many
 * attempts want one, the server is asked once at a time.
 *
 * The exchange is our own, because servers in the field say things that a strict client of OAuth throws away a good token
 * for (`"expires_in": -1`, or null), and because so the answer goes through the gate, which limits it.
 */
export class Tokens {
  private readonly store: TokenStore;
  private readonly env: Env;
  private readonly about: string;
  private kept: (Token & { of: string }) | undefined;
  private asked: Promise<Taken> | undefined;

  /** @param about what the token belongs to, down to the record */
  constructor(store: TokenStore, env: Env, about: string) {
    this.store = store;
    this.env = env;
    this.about = about;
  }

  /** @param refused the token that was not taken: another is wanted */
  async take(server: AuthenticationOf<"OAuth2">, refused?: string): Promise<Taken> {
    if (refused !== undefined) this.drop(refused);
    await this.recall(server);
    const { kept } = this;
    if (kept && kept.token !== refused && kept.until > Date.now()) return { token: kept.token };
    this.asked ??= this.ask(server).finally(() => (this.asked = undefined));
    return this.asked;
  }

  /** It was refused: nobody shall use it again. What has come in its place stays. */
  drop(token: string): void {
    if (this.kept?.token !== token) return;
    this.kept = undefined;
    this.store.put(undefined);
  }

  private async ask(server: AuthenticationOf<"OAuth2">): Promise<Taken> {
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

  private async keep(server: AuthenticationOf<"OAuth2">, token: Token): Promise<void> {
    this.kept = { ...token, of: this.name(server) };
    this.store.put(await seal(this.env, this.name(server), JSON.stringify(token)));
  }

  /** What does not open was got for other credentials, or under another key. */
  private async recall(server: AuthenticationOf<"OAuth2">): Promise<void> {
    const of = this.name(server);
    if (this.kept?.of === of) return;
    this.kept = undefined;
    const sealed = this.store.get();
    const opened = sealed && (await unseal(this.env, of, sealed).catch(() => undefined));
    if (opened) this.kept ??= { ...(JSON.parse(opened) as Token), of };
  }

  /** Bound into the seal: a token goes to nobody but those it was got for. */
  private name({ tokenUrl, clientId, scope = "" }: AuthenticationOf<"OAuth2">): string {
    return [`${this.about}/token`, tokenUrl, clientId, scope].join("\n");
  }
}

function formOf({ clientId, clientSecret, scope, clientAuthentication }: AuthenticationOf<"OAuth2">) {
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

/** As a value stands in a form, which is how RFC 6749 has it for id and secret. */
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
/** The words of RFC 6749, and nothing else that a server may have put there. */
const Fault = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

type Answered = Partial<z.output<typeof Answer>> & { error?: string };

function answerOf({ answer }: Sent): Answered {
  try {
    const said: unknown = JSON.parse(answer);
    return { ...Answer.safeParse(said).data, ...Fault.safeParse(said).data };
  } catch {
    return {};
  }
}

function secondsOf(expiresIn: unknown): number {
  const said = typeof expiresIn === "string" ? Number.parseFloat(expiresIn) : expiresIn;
  if (typeof said !== "number" || Number.isNaN(said)) return unsaidSeconds;
  return Math.min(mostSeconds, Math.max(leastSeconds, said - lastSeconds));
}

const tokenServer = "The token server: ";

/** What the sentence of a failure tells of the token server: the log of deliveries keeps no more of it. */
export function faultOfTokenServer(detail: string): { status?: number; error?: string } {
  const why = detail.slice(tokenServer.length);
  const status = /^\d{3}\b/.exec(why)?.[0];
  if (status) return { status: Number(status), error: "token" };
  return { error: /^(?:timeout|tls|connection)$/.test(why) ? why : "dns" };
}

/** Nothing of the answer itself is kept: there may be a token in it. */
function failureOf(
  { status, error, detail, retryAfter, milliseconds }: Sent,
  answer: Answered,
): TransportResult["sent"] {
  const why =
    detail ?? error ?? (answer.error ? `${status} ${answer.error}` : `${status}, and no token that can be used`);
  return {
    error: error === "refused" ? error : "token",
    detail: `${tokenServer}${why}`,
    ...(retryAfter && { retryAfter }),
    answer: "",
    milliseconds,
  };
}

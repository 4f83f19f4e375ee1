import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import {
  deliver,
  openAuthentication,
  Tokens,
  type AttemptResult,
  type Receiver,
} from "../../platform/receivers/index.ts";
import { unseal } from "../../platform/seal.ts";
import { signatureHeaders } from "../../platform/sign.ts";
import type { Source } from "../companies/model.ts";
import type { Call } from "./model.ts";
import { sealsOf, commands } from "./commands.ts";

/** A call to a source about one freight. */
export interface ConnectorCall {
  action: Call;
  freightId: string;
  /** Incremented by each change for which sources are called. */
  version: number;
  /** The public view of the freight, with alternative locations if the source is to receive them. */
  freight: object;
}

/** The result of a call. An error is `final` if the same call would fail again. */
export type CallResult = "NotConfigured" | { url?: string } | { error: string; final: boolean };

/**
 * Calls a company's source once, within half a minute. A source that is not registered for this action is not called,
 * which counts as a success. Failures of the source are returned, not thrown.
 */
export async function callConnector(
  env: Env,
  company: string,
  number: number,
  tellingTo: (source: Pick<Source, "alternativeLocations">) => ConnectorCall,
): Promise<CallResult> {
  const { reply } = await executeCommand(env, commands.look, { company, id: company }, { source: number });
  const { source } = reply;
  if (!source) return "NotConfigured";
  const telling = tellingTo(source);
  if (!source.calls.includes(telling.action)) return {};
  return sendCall(env, company, source, telling).then(toCallResult, (error: unknown) =>
    failBeforeCall(company, number, error),
  );
}

/** The secret was sealed with a key that the deployment no longer has. */
function failBeforeCall(company: string, source: number, error: unknown): CallResult {
  logFault("sources.tell", error, { company, source });
  return { error: "The credentials of the source cannot be decrypted. Register the source again.", final: true };
}

async function sendCall(
  env: Env,
  company: string,
  source: Source,
  { action, freightId, version, freight }: ConnectorCall,
): Promise<AttemptResult> {
  const about = sealsOf(company, source.record);
  const id = `src_${freightId.replaceAll("-", "")}_${source.source}_${version}`;
  const body = JSON.stringify({ action, source: source.source, version, freight });
  const headers = await signatureHeaders([await unseal(env, about.secret, source.sealed)], id, body);
  const message = { id, body, headers, type: `Freight${action}`, orderKey: `${source.source}/${freightId}` };
  const authentication = await openAuthentication(env, about.authentication, source.authentication);
  const receiver: Receiver = { url: source.endpoint, authentication };
  return withTokens(env, company, source, receiver, (tokens) => deliver(receiver, message, tokens, env));
}

async function withTokens(
  env: Env,
  company: string,
  { record }: Source,
  { authentication }: Receiver,
  call: (tokens: Tokens) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const keeper = objectOf(env, "COMPANIES", company, company);
  const before = authentication.type === "OAuth2" ? await keeper.sourceToken(record) : undefined;
  let sealed = before;
  const store = { get: () => sealed, put: (next: string | undefined) => void (sealed = next) };
  const attempted = await call(new Tokens(store, env, sealsOf(company, record).authentication));
  if (sealed !== before) await keeper.keepSourceToken(record, sealed);
  return attempted;
}

function toCallResult({ delivered, status, error, detail, answer }: AttemptResult): CallResult {
  if (delivered) return urlIn(answer);
  const said = detail ?? (error ? failures[error] : `The source answered ${status}.`);
  return { error: said.slice(0, 300), final: error ? error === "refused" : isFinal(status!) };
}

/** Redirects are not followed, so they count as final. */
const isFinal = (status: number) => status >= 300 && status < 500 && ![408, 409, 425, 429].includes(status);

const failures: Record<NonNullable<AttemptResult["error"]>, string> = {
  refused: "The address is not allowed.",
  dns: "The host name of the address cannot be resolved.",
  tls: "The TLS connection failed.",
  connection: "The connection failed or was interrupted.",
  timeout: "The source did not answer in time.",
  token: "No access token could be obtained.",
  function: "The function ended with an error.",
};

function urlIn(answer: string): { url?: string } {
  const url = parseAnswer(answer)?.url;
  if (typeof url !== "string" || url.length > 500 || !URL.canParse(url)) return {};
  const { protocol, username, password, href } = new URL(url);
  return protocol === "https:" && !username && !password ? { url: href } : {};
}

function parseAnswer(answer: string): { url?: unknown } | null | undefined {
  try {
    return JSON.parse(answer) as { url?: unknown } | null;
  } catch {
    return undefined;
  }
}

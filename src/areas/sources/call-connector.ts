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

/** What a source is told of one freight. */
export interface ConnectorCall {
  action: Call;
  freightId: string;
  /** Greater with each change that sources are told of. */
  version: number;
  /** As others may see it; alternative locations are in it for sources that allow them only. */
  freight: object;
}

/** What came of it. A refusal is `final` when the same call would be refused again. */
export type CallResult = "NotConfigured" | { url?: string } | { error: string; final: boolean };

/**
 * Calls a company's source once, within half a minute. A call it does not want is as good as made. Does not throw for
 * anything that a source does.
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

/** Nothing left us, since a secret did not open: it was sealed with another key. */
function failBeforeCall(company: string, source: number, error: unknown): CallResult {
  logFault("sources.tell", error, { company, source });
  return { error: "The source's credentials cannot be decrypted: register the source again.", final: true };
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

/** A token is kept with the company, sealed, and only of sources that want one. */
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

/** Redirects are not followed, and of what is refused only this may be taken another time. */
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

/** Where the freight can be seen there, if it said so: https, and short. */
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

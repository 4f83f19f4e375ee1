import { Router } from "itty-router";
import type * as z from "zod";
import { operations, type NamedOperation } from "../api.ts";
import type { Actor } from "../platform/audit.ts";
import { drain, isJson, jsonLimit, mediaTypeOf, namedAs, readJson } from "./body.ts";
import { callerOf, requireScope, unauthenticated } from "./caller.ts";
import type { Caller } from "../platform/credential.ts";
import type { Env } from "../platform/env.ts";
import { idIn, newId, sha256 } from "../platform/ids.ts";
import { sameDigest } from "../platform/key-format.ts";
import { logFault } from "../platform/log.ts";
import type { CommandOutcome, JsonText } from "../platform/command.ts";
import { neededScopes, type Context, type Operation } from "./operation.ts";
import {
  executeForJson,
  executeCommand,
  objectOf,
  takeClaim,
  type CommandCall,
  type Idempotency,
} from "../platform/aggregates.ts";
import { invalid, Problem, wrongField } from "../platform/problem.ts";
import { parsed, readQuery } from "./query.ts";
import { spend } from "./rate-limit.ts";
import { checkSecret } from "./check-secret.ts";
import { hasKeys } from "../platform/key-ring.ts";
import { derived } from "../platform/seal.ts";
import { readFilesInJson, readJsonUpload, readUpload, readUploads } from "./uploads/doors.ts";
import { Uploads } from "./uploads/uploads.ts";
import {
  addressOf,
  Answer,
  checkVersion,
  conditional,
  corsHeaders,
  jsonAnswer,
  plainly,
  preferredWait,
  wantsJson,
  type WireAnswer,
} from "./responses.ts";

/** What the Worker knows of a request before anything of it is read, and what the log will tell of it. */
export interface Visit {
  env: Env;
  request: Request;
  requestId: string;
  url: URL;
  operation?: string;
  company?: string;
  /** Headers every answer to this caller carries. */
  headers: Record<string, string>;
}

/** What a path is matched by; the router looks at the method once for each row. */
interface Sought {
  method: string;
  url: string;
  params: Record<string, string>;
}

const router = Router<Sought, [Visit]>();
for (const named of literalFirst(operations)) {
  (router as unknown as Record<string, (path: string, handler: unknown) => void>)[
    named.operation.method.toLowerCase()
  ]!(named.operation.path, ({ params }: Sought, visit: Visit) => answer(named, params, visit));
}

/** "/orders/archive" must be tried before "/orders/:orderId", whatever order the areas list them in. */
function literalFirst(list: NamedOperation[]): NamedOperation[] {
  const rank = ({ operation }: NamedOperation) => operation.path.replace(/:\w+/g, "~");
  return [...list].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Every answer of the API, refusals and faults included. @throws only what is a bug */
export async function route(visit: Visit): Promise<Response> {
  const { request, url } = visit;
  const cors = corsHeaders(request, visit.env);
  if (request.method === "OPTIONS" && cors) return new Response(null, { status: 204, headers: cors });
  const said = await routed(visit).catch((error: unknown) => {
    if (error instanceof Problem) return error.toResponse(url.pathname, visit.requestId, addressOf(request, visit.env));
    throw error;
  });
  await drain(request);
  const response = onTheWire(said, { ...visit.headers, ...cors });
  return request.method === "HEAD" ? new Response(null, response) : response;
}

/** Headers given when a response is made cost less than those set on it afterwards. */
function onTheWire(said: WireAnswer | Response, more: Record<string, string>): Response {
  if (!(said instanceof Response))
    return new Response(said.body, { status: said.status, headers: { ...said.headers, ...more } });
  for (const [name, value] of Object.entries(more)) said.headers.set(name, value);
  return said;
}

async function routed(visit: Visit): Promise<WireAnswer | Response> {
  const { method, url } = visit.request;
  const said: WireAnswer | Response | undefined = await router.fetch(
    { method: method === "HEAD" ? "GET" : method, url, params: {} },
    visit,
  );
  if (said) return said;
  const allowed = methodsOf(visit.url.pathname);
  if (allowed.length === 0) throw new Problem("not_found", "There is no such path.");
  throw new Problem("method_not_allowed", undefined, { headers: { allow: allowed.join(", ") } });
}

function methodsOf(pathname: string): string[] {
  const methods = router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)];
}

/** What a request brought and nobody has stored goes with it. */
async function answer(
  named: NamedOperation,
  found: Record<string, string>,
  visit: Visit,
): Promise<WireAnswer | Response> {
  const uploads = new Uploads(visit.env.FILES, visit.requestId);
  try {
    return await answered(named, found, visit, uploads);
  } finally {
    await uploads.discard();
  }
}

async function answered(
  { id, operation }: NamedOperation,
  found: Record<string, string>,
  visit: Visit,
  uploads: Uploads,
): Promise<WireAnswer | Response> {
  const { request } = visit;
  visit.operation = id;
  const caller = await admit(operation, request, visit);
  checkVersion(request);
  const params = readParams(found);
  const query = readQuery(operation.query as z.ZodObject | undefined, visit.url);
  const { body, ...sent } = await readBody(operation, request, uploads);
  const ask = { params, query, body };
  const { idempotency, id: created } = await idempotencyOf(id, operation, request, caller, visit.env, {
    ...ask,
    file: sent.file?.sha256 ?? digestsOf(sent.files ?? sent.filesInJson),
  });
  const ifMatch = request.headers.get("if-match") ?? undefined;
  // The operator asks about a company: the one in the path, or the one that is founded.
  const asking = operation.access === "operator" ? { ...caller, company: params["companyId"] ?? created } : caller;
  const address = addressOf(request, visit.env);
  const by = isChange(request) ? actorOf(operation, caller, id, visit.requestId) : undefined;
  const call = { company: asking.company, idempotency, ifMatch, address, by };
  const context: Context = {
    env: visit.env,
    caller: asking,
    request,
    requestId: visit.requestId,
    by,
    newId: created,
    waitSeconds: preferredWait(request),
    uploads,
    ...sent,
    execute: (command, target, stepAsk) => executeCommand(visit.env, command, { ...call, id: target }, stepAsk),
    send: async (command, target, stepAsk) =>
      (await executeCommand(visit.env, command, { company: asking.company, id: target }, stepAsk)).reply,
    // Waiting is a courtesy: an object that is restarted meanwhile ends it, and not the request.
    waitUntilComplete: (binding, target) =>
      objectOf(visit.env, binding, asking.company, target)
        .waitUntilComplete(context.waitSeconds * 1000)
        .catch((error: unknown) => logFault("settled", error, { requestId: visit.requestId })),
  };
  const status = operation.status ?? 200;
  if (!operation.handle) {
    const { reply, ...more } = await decided(operation, { ...call, ...commandOf(id, operation, ask) }, params, context);
    const digest = operation.command && (await digestOf(operation, reply.json));
    return conditional(request, jsonAnswer(reply.json, more, status, digest));
  }
  const reply = await operation.handle(ask as never, context);
  if (reply instanceof Response) return reply;
  const { body: said, more } = reply instanceof Answer ? reply : new Answer(reply);
  const text = JSON.stringify(said);
  const answered = jsonAnswer(text, more, status, await digestOf(operation, text));
  if (operation.idHeader && !wantsJson(request)) return plainly(answered);
  return conditional(request, answered);
}

const digestsOf = (files: readonly { sha256: string }[] = []): string[] | undefined =>
  files.length > 0 ? files.map(({ sha256 }) => sha256) : undefined;

const isChange = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** Who asks, for the audit log. */
function actorOf({ access }: Operation, { keyId, account }: Caller, operation: string, requestId: string): Actor {
  if (access === "operator") return { type: "Operator", operation, requestId };
  return { type: "Key", operation, keyId, ...(account && { accountId: account.accountId }), requestId };
}

/** Of what is put together from several places, the version alone does not tell whether it has changed. */
async function digestOf({ method, path }: Operation, text: string): Promise<string | undefined> {
  const single = method === "GET" && path.includes(":");
  return single ? (await sha256(text)).slice(0, 32) : undefined;
}

/** Who asks, whether they may, and whether not too often. */
async function admit(operation: Operation, request: Request, visit: Visit): Promise<Caller> {
  if (operation.access === "public") return { company: "", keyId: "", scopes: [] };
  if (operation.access === "operator") return operator(request, visit.env);
  const caller = await callerOf(request, visit.env);
  visit.company = caller.company;
  Object.assign(visit.headers, spend(caller, visit.env));
  for (const scope of neededScopes(operation)) requireScope(caller, scope);
  return caller;
}

async function operator(request: Request, env: Env): Promise<Caller> {
  const given = (request.headers.get("authorization") ?? "").replace(/^bearer /i, "");
  const refused = unauthenticated("Only the operator of this deployment may do this.");
  if (!given) throw refused;
  await checkSecret(given, { request, env }, async () => {
    if (!env.OPERATOR_KEY || !sameDigest(await sha256(given), await sha256(env.OPERATOR_KEY))) throw refused;
  });
  return { company: "operator", keyId: "operator", scopes: ["*"] };
}

function readParams(raw: Record<string, string>): Record<string, string> {
  // A plain object: the groups of a match have no prototype and do not cross to an owner.
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) params[name] = name.endsWith("Id") ? readId(name, value) : value;
  return params;
}

function readId(name: string, value: string): string {
  const id = idIn(value);
  if (id) return id;
  const detail = `${name} is not a UUID.`;
  throw new Problem("invalid_id", detail, { errors: [wrongField([name], "invalid_id", detail)] });
}

type Sent = { body: unknown } & Pick<Context, "file" | "files" | "filesInJson">;

async function readBody(operation: Operation, request: Request, uploads: Uploads): Promise<Sent> {
  const { body: shape } = operation;
  if (operation.takesFile) {
    const { fields, ...files } = await readFiles(operation, request, uploads);
    return { body: shape && parsed(shape, namedAs(Object.keys(shape.shape as object), fields)), ...files };
  }
  if (!shape || operation.media) return { body: undefined };
  if (operation.orFile && !isJson(request)) return { body: undefined };
  if (operation.rawMedia && mediaTypeOf(request) === operation.rawMedia)
    return { body: undefined, file: (await readUpload(request, uploads)).file };
  if (operation.filesInJson) {
    const { value, files } = await readFilesInJson(request, uploads, operation.filesInJson);
    return { body: parsed(shape, value), filesInJson: files };
  }
  return { body: parsed(shape, await readJson(request, jsonLimit, operation.optionalBody)) };
}

function readFiles({ takesMany, takesBase64 }: Operation, request: Request, uploads: Uploads) {
  if (takesMany) return readUploads(request, uploads);
  return takesBase64 && isJson(request) ? readJsonUpload(request, uploads) : readUpload(request, uploads);
}

const aDay = 24 * 60 * 60 * 1000;

/**
 * The key is claimed once for 24 hours together with what was asked and the id of what it creates;
 * the answer itself is kept by the owner, in the commit that did the work.
 */
async function idempotencyOf(
  name: string,
  operation: Operation,
  request: Request,
  caller: Caller,
  env: Env,
  asked: unknown,
): Promise<{ id: string; idempotency?: Idempotency }> {
  const key =
    operation.method === "POST" && caller.company && !operation.asksOnly
      ? request.headers.get("idempotency-key")
      : null;
  if (!key) return { id: newId() };
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid([
      wrongField(["Idempotency-Key"], "invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters."),
    ]);
  const fingerprint = await fingerprintOf(env, JSON.stringify(asked));
  const claim = await takeClaim(env, caller.company, `idempotency/${name}/${key}`, {
    holder: newId(),
    note: fingerprint,
    until: Date.now() + aDay,
  });
  if (claim.note !== fingerprint) throw new Problem("idempotency_key_reused");
  return { id: claim.holder, idempotency: { key: `${name}/${key}`, fingerprint } };
}

/** Kept for a day, so it is keyed where there is a key: a bare digest would let a short password in the request be guessed. */
async function fingerprintOf(env: Env, asked: string): Promise<string> {
  const digest = await sha256(asked);
  return hasKeys(env) ? derived(env, `asked/${digest}`) : digest;
}

/** The command that a row without handler executes: its own decision, or the command that it forwards to. */
function commandOf(
  id: string,
  { command, owner }: Operation,
  ask: { params: Record<string, string>; query: unknown; body: unknown },
): Pick<CommandCall, "name" | "ask"> {
  if (!command) return { name: id, ask };
  const { [owner.param ?? ""]: _, ...params } = ask.params;
  return { name: command.name, ask: { ...(ask.query as object), ...(ask.body as object), ...params } };
}

/** A row without handler. With `Prefer: wait` a "not yet" is asked again when the work is done. */
async function decided(
  { command, owner }: Operation,
  call: Omit<CommandCall, "id">,
  params: Record<string, string>,
  context: Context,
): Promise<CommandOutcome<JsonText>> {
  const { binding } = command ?? owner;
  const id = owner.param ? (params[owner.param] ?? context.newId) : call.company;
  const attempt = () => executeForJson(context.env, binding, { ...call, id });
  return attempt().catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.reason !== "not_processed_yet" || context.waitSeconds === 0) throw error;
    await context.waitUntilComplete(binding, id);
    return attempt();
  });
}

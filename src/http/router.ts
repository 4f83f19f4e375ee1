import { Router } from "itty-router";
import type * as z from "zod";
import { operations, type NamedOperation } from "../api.ts";
import type { Actor } from "../platform/audit.ts";
import { drain, isJson, jsonLimit, mediaTypeOf, toDeclaredNames, readJson } from "./body.ts";
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
import { takeKeyToken } from "./rate-limit.ts";
import { checkSecret } from "./check-secret.ts";
import { hasKeys } from "../platform/key-ring.ts";
import { deriveSecret } from "../platform/seal.ts";
import { readFilesInJson, readJsonUpload, readUpload, readUploads } from "./uploads/read-upload.ts";
import { Uploads } from "./uploads/uploads.ts";
import {
  addressOf,
  Answer,
  checkVersion,
  conditional,
  corsHeaders,
  jsonResponse,
  asPlainText,
  preferredWait,
  prefersJson,
  type WireResponse,
} from "./responses.ts";

/** A request, with data for the log. */
export interface RequestState {
  env: Env;
  request: Request;
  requestId: string;
  url: URL;
  operation?: string;
  company?: string;
  headers: Record<string, string>;
}

/** Replaces the `Request` for itty-router, which reads `method` for every route. That is slow on a `Request`. */
interface RouterRequest {
  method: string;
  url: string;
  params: Record<string, string>;
}

const router = Router<RouterRequest, [RequestState]>();
for (const named of literalFirst(operations)) {
  (router as unknown as Record<string, (path: string, handler: unknown) => void>)[
    named.operation.method.toLowerCase()
  ]!(named.operation.path, ({ params }: RouterRequest, state: RequestState) => answerOperation(named, params, state));
}

/** "/orders/archive" must be matched before "/orders/:orderId". */
function literalFirst(list: NamedOperation[]): NamedOperation[] {
  const rank = ({ operation }: NamedOperation) => operation.path.replace(/:\w+/g, "~");
  return [...list].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Answers a request to the API. Refusals become responses; an error is thrown only if there is a bug. */
export async function route(state: RequestState): Promise<Response> {
  const { request, url } = state;
  const cors = corsHeaders(request, state.env);
  if (request.method === "OPTIONS" && cors) return new Response(null, { status: 204, headers: cors });
  const outcome = await dispatch(state).catch((error: unknown) => {
    if (error instanceof Problem) return error.toResponse(url.pathname, state.requestId, addressOf(request, state.env));
    throw error;
  });
  await drain(request);
  const response = toResponse(outcome, { ...state.headers, ...cors });
  return request.method === "HEAD" ? new Response(null, response) : response;
}

/** Passing headers to the constructor is faster than setting them afterwards. */
function toResponse(outcome: WireResponse | Response, more: Record<string, string>): Response {
  if (!(outcome instanceof Response))
    return new Response(outcome.body, { status: outcome.status, headers: { ...outcome.headers, ...more } });
  for (const [name, value] of Object.entries(more)) outcome.headers.set(name, value);
  return outcome;
}

async function dispatch(state: RequestState): Promise<WireResponse | Response> {
  const { method, url } = state.request;
  const response: WireResponse | Response | undefined = await router.fetch(
    { method: method === "HEAD" ? "GET" : method, url, params: {} },
    state,
  );
  if (response) return response;
  const allowed = methodsOf(state.url.pathname);
  if (allowed.length === 0) throw new Problem("not_found", "The path does not exist.");
  throw new Problem("method_not_allowed", undefined, { headers: { allow: allowed.join(", ") } });
}

function methodsOf(pathname: string): string[] {
  const methods = router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)];
}

async function answerOperation(
  named: NamedOperation,
  pathParams: Record<string, string>,
  state: RequestState,
): Promise<WireResponse | Response> {
  const uploads = new Uploads(state.env.FILES, state.requestId);
  try {
    return await runOperation(named, pathParams, state, uploads);
  } finally {
    await uploads.discard();
  }
}

async function runOperation(
  { id, operation }: NamedOperation,
  pathParams: Record<string, string>,
  state: RequestState,
  uploads: Uploads,
): Promise<WireResponse | Response> {
  const { request } = state;
  state.operation = id;
  const caller = await authorize(operation, request, state);
  checkVersion(request);
  const params = readParams(pathParams);
  const query = readQuery(operation.query as z.ZodObject | undefined, state.url);
  const { body, ...files } = await readBody(operation, request, uploads);
  const input = { params, query, body };
  const { idempotency, id: newId } = await idempotencyOf(id, operation, request, caller, state.env, {
    ...input,
    file: files.file?.sha256 ?? digestsOf(files.files ?? files.filesInJson),
  });
  const ifMatch = request.headers.get("if-match") ?? undefined;
  // The operator acts for the company in the path, or for the company that the request creates.
  const actingCaller = operation.access === "operator" ? { ...caller, company: params["companyId"] ?? newId } : caller;
  const address = addressOf(request, state.env);
  const by = isChange(request) ? actorOf(operation, caller, id, state.requestId) : undefined;
  const call = { company: actingCaller.company, idempotency, ifMatch, address, by };
  const context: Context = {
    env: state.env,
    caller: actingCaller,
    request,
    requestId: state.requestId,
    by,
    newId,
    waitSeconds: preferredWait(request),
    uploads,
    ...files,
    execute: (command, id, commandInput) => executeCommand(state.env, command, { ...call, id }, commandInput),
    send: async (command, id, commandInput) =>
      (await executeCommand(state.env, command, { company: actingCaller.company, id }, commandInput)).reply,
    // If the aggregate restarts, the wait ends and the request continues.
    waitUntilComplete: (binding, id) =>
      objectOf(state.env, binding, actingCaller.company, id)
        .waitUntilComplete(context.waitSeconds * 1000)
        .catch((error: unknown) => logFault("settled", error, { requestId: state.requestId })),
  };
  const status = operation.status ?? 200;
  if (!operation.handle) {
    const { reply, ...more } = await executeRow(
      operation,
      { ...call, ...commandOf(id, operation, input) },
      params,
      context,
    );
    const digest = operation.command && (await digestOf(operation, reply.json));
    return conditional(request, jsonResponse(reply.json, more, status, digest));
  }
  const reply = await operation.handle(input as never, context);
  if (reply instanceof Response) return reply;
  const { body: replyBody, more } = reply instanceof Answer ? reply : new Answer(reply);
  const text = JSON.stringify(replyBody);
  const response = jsonResponse(text, more, status, await digestOf(operation, text));
  if (operation.idHeader && !prefersJson(request)) return asPlainText(response);
  return conditional(request, response);
}

const digestsOf = (files: readonly { sha256: string }[] = []): string[] | undefined =>
  files.length > 0 ? files.map(({ sha256 }) => sha256) : undefined;

const isChange = ({ method }: Request) => method !== "GET" && method !== "HEAD";

function actorOf({ access }: Operation, { keyId, account }: Caller, operation: string, requestId: string): Actor {
  if (access === "operator") return { type: "Operator", operation, requestId };
  return { type: "Key", operation, keyId, ...(account && { accountId: account.accountId }), requestId };
}

/**
 * The reply of an operation that reads one record may contain data of other records. It can therefore change without a
 * new version of its own record.
 */
async function digestOf({ method, path }: Operation, text: string): Promise<string | undefined> {
  const single = method === "GET" && path.includes(":");
  return single ? (await sha256(text)).slice(0, 32) : undefined;
}

async function authorize(operation: Operation, request: Request, state: RequestState): Promise<Caller> {
  if (operation.access === "public") return { company: "", keyId: "", scopes: [] };
  if (operation.access === "operator") return authenticateOperator(request, state.env);
  const caller = await callerOf(request, state.env);
  state.company = caller.company;
  Object.assign(state.headers, takeKeyToken(caller, state.env));
  for (const scope of neededScopes(operation)) requireScope(caller, scope);
  return caller;
}

async function authenticateOperator(request: Request, env: Env): Promise<Caller> {
  const secret = (request.headers.get("authorization") ?? "").replace(/^bearer /i, "");
  const refused = unauthenticated(
    "Only the operator of this deployment may use this operation. Send OPERATOR_KEY as a bearer token.",
  );
  if (!secret) throw refused;
  await checkSecret(secret, { request, env }, async () => {
    if (!env.OPERATOR_KEY || !sameDigest(await sha256(secret), await sha256(env.OPERATOR_KEY))) throw refused;
  });
  return { company: "operator", keyId: "operator", scopes: ["*"] };
}

function readParams(raw: Record<string, string>): Record<string, string> {
  // Match groups have no prototype and cannot be sent to a Durable Object.
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

type RequestBody = { body: unknown } & Pick<Context, "file" | "files" | "filesInJson">;

async function readBody(operation: Operation, request: Request, uploads: Uploads): Promise<RequestBody> {
  const { body: shape } = operation;
  if (operation.takesFile) {
    const { fields, ...files } = await readFiles(operation, request, uploads);
    return { body: shape && parsed(shape, toDeclaredNames(Object.keys(shape.shape as object), fields)), ...files };
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

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Claims the idempotency key for 24 hours. The reply is stored by the aggregate, in the same commit as the change. */
async function idempotencyOf(
  name: string,
  operation: Operation,
  request: Request,
  caller: Caller,
  env: Env,
  input: unknown,
): Promise<{ id: string; idempotency?: Idempotency }> {
  const key =
    operation.method === "POST" && caller.company && !operation.isReadOnly
      ? request.headers.get("idempotency-key")
      : null;
  if (!key) return { id: newId() };
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid([
      wrongField(["Idempotency-Key"], "invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters."),
    ]);
  const fingerprint = await fingerprintOf(env, JSON.stringify(input));
  const claim = await takeClaim(env, caller.company, `idempotency/${name}/${key}`, {
    holder: newId(),
    note: fingerprint,
    until: Date.now() + dayMilliseconds,
  });
  if (claim.note !== fingerprint) throw new Problem("idempotency_key_reused");
  return { id: claim.holder, idempotency: { key: `${name}/${key}`, fingerprint } };
}

/**
 * The fingerprint is stored for a day. It is derived with the keys of the deployment, so that short secrets in the body
 * cannot be guessed from it.
 */
async function fingerprintOf(env: Env, input: string): Promise<string> {
  const digest = await sha256(input);
  return hasKeys(env) ? deriveSecret(env, `asked/${digest}`) : digest;
}

function commandOf(
  id: string,
  { command, owner }: Operation,
  input: { params: Record<string, string>; query: unknown; body: unknown },
): Pick<CommandCall, "name" | "ask"> {
  if (!command) return { name: id, ask: input };
  const { [owner.param ?? ""]: _, ...params } = input.params;
  return { name: command.name, ask: { ...(input.query as object), ...(input.body as object), ...params } };
}

/** With `Prefer: wait`, a command refused with `not_processed_yet` is repeated after processing. */
async function executeRow(
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

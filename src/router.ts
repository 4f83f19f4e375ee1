import { Router, type IRequest } from "itty-router";
import { operations, type Named } from "./api.ts";
import { drain, readJson, readUpload } from "./kit/body.ts";
import { callerOf, requireScope, unauthenticated, type Caller } from "./kit/caller.ts";
import type { Env } from "./kit/env.ts";
import { isId, newId, sha256 } from "./kit/ids.ts";
import { sameDigest } from "./kit/keys.ts";
import { Answer, type Ask, type Context, type Operation } from "./kit/operation.ts";
import { askOwner, objectOf, takeClaim, type Idempotency } from "./kit/owners.ts";
import { invalid, itemsOf, Problem, wrongField } from "./kit/problem.ts";
import { spend } from "./kit/rate.ts";
import { addressOf, checkVersion, conditional, corsHeaders, jsonAnswer, preferredWait } from "./kit/http.ts";

/** What the Worker knows of a request before anything of it is read, and what the log will tell of it. */
export interface Visit {
  env: Env;
  requestId: string;
  operation?: string;
  company?: string;
  /** Headers every answer to this caller carries. */
  headers: Record<string, string>;
}

const router = Router<IRequest, [Visit]>();
for (const named of literalFirst(operations)) {
  (router as unknown as Record<string, (path: string, handler: unknown) => void>)[named.operation.method.toLowerCase()]!(
    named.operation.path,
    (request: IRequest, visit: Visit) => answer(named, request, visit),
  );
}

/** "/orders/archive" must be tried before "/orders/:orderId", whatever order the areas list them in. */
function literalFirst(list: Named[]): Named[] {
  const rank = ({ operation }: Named) => operation.path.replace(/:\w+/g, "~");
  return [...list].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Every answer of the API, refusals and faults included. @throws only what is a bug */
export async function route(request: Request, visit: Visit): Promise<Response> {
  const { pathname } = new URL(request.url);
  const cors = corsHeaders(request, visit.env);
  if (request.method === "OPTIONS" && cors) return new Response(null, { status: 204, headers: cors });
  const asked = request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
  const response = await routed(asked, pathname, visit).catch((error: unknown) => {
    if (error instanceof Problem) return error.toResponse(pathname, visit.requestId, addressOf(request, visit.env));
    throw error;
  });
  await drain(asked);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries({ ...visit.headers, ...cors })) headers.set(name, value);
  const body = request.method === "HEAD" ? null : response.body;
  return new Response(body, { status: response.status, headers });
}

async function routed(request: Request, pathname: string, visit: Visit): Promise<Response> {
  const response: Response | undefined = await router.fetch(request, visit);
  if (response) return response;
  const allowed = methodsOf(pathname);
  if (allowed.length === 0) throw new Problem("not_found", "There is no such path.");
  throw new Problem("method_not_allowed", undefined, { headers: { allow: allowed.join(", ") } });
}

function methodsOf(pathname: string): string[] {
  const methods = router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)];
}

async function answer({ id, operation }: Named, request: IRequest, visit: Visit): Promise<Response> {
  visit.operation = id;
  const caller = await admit(operation, request, visit);
  checkVersion(request);
  const params = readParams(request.params);
  const query = readQuery(operation, new URL(request.url).searchParams);
  const { body, file } = await readBody(operation, request);
  const ask = { params, query, body };
  const { idempotency, id: created } = await idempotencyOf(id, operation, request, caller, visit.env, { ...ask, file: file?.sha256 });
  const ifMatch = request.headers.get("if-match") ?? undefined;
  const asking = operation.access === "operator" ? { ...caller, company: created } : caller;
  const context: Context = {
    env: visit.env,
    caller: asking,
    request: request,
    requestId: visit.requestId,
    newId: created,
    waitSeconds: preferredWait(request),
    file,
    perform: (step, target, stepAsk) => askOwner(visit.env, step, { company: asking.company, id: target, idempotency, ifMatch }, stepAsk),
    look: async (step, target, stepAsk) => (await askOwner(visit.env, step, { company: asking.company, id: target }, stepAsk)).reply,
    settled: (binding, target) => objectOf(visit.env, binding, asking.company, target).settled(context.waitSeconds * 1000),
  };
  const reply = operation.handle ? await operation.handle(ask as never, context) : await decided(id, operation, ask as never, context);
  if (reply instanceof Response) return reply;
  const good = reply instanceof Answer ? reply : new Answer(reply);
  return conditional(request, jsonAnswer(good, operation.status ?? 200, await digestOf(operation, good.body)));
}

/** Of what is put together from several places, the version alone does not tell whether it has changed. */
async function digestOf(operation: Operation, body: unknown): Promise<string | undefined> {
  const single = operation.method === "GET" && operation.path.includes(":");
  return operation.handle && single ? (await sha256(JSON.stringify(body))).slice(0, 32) : undefined;
}

/** Who asks, whether they may, and whether not too often. */
async function admit(operation: Operation, request: IRequest, visit: Visit): Promise<Caller> {
  if (operation.access === "public") return { company: "", keyId: "", scopes: [] };
  if (operation.access === "operator") return operator(request, visit.env);
  const caller = await callerOf(request, visit.env);
  visit.company = caller.company;
  Object.assign(visit.headers, spend(caller, visit.env));
  requireScope(caller, operation.access);
  return caller;
}

async function operator(request: IRequest, env: Env): Promise<Caller> {
  const given = (request.headers.get("authorization") ?? "").replace(/^bearer /i, "");
  if (!env.OPERATOR_KEY || !sameDigest(await sha256(given), await sha256(env.OPERATOR_KEY))) {
    throw unauthenticated("Only the operator of this deployment may do this.");
  }
  return { company: "operator", keyId: "operator", scopes: ["*"] };
}

function readParams(raw: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      if (name.endsWith("Id") && !isId(value)) {
        throw new Problem("invalid_id", `${name} is not a UUID in lower case.`, { errors: [wrongField([name], "invalid_id", `${name} is not a UUID in lower case.`)] });
      }
      return [name, value];
    }),
  );
}

function readQuery(operation: Operation, search: URLSearchParams): unknown {
  const given: Record<string, string> = {};
  const known = Object.keys(operation.query?.shape ?? {});
  for (const [name, value] of search) {
    if (!known.includes(name) || name in given) {
      const detail = known.includes(name) ? `${name} is given twice.` : `Known parameters: ${known.join(", ") || "none"}.`;
      throw new Problem("unknown_parameter", detail, { errors: [wrongField([name], "unknown_parameter", detail)] });
    }
    given[name] = value;
  }
  return operation.query && parsed(operation.query, given);
}

async function readBody(operation: Operation, request: IRequest): Promise<{ body: unknown; file?: Context["file"] }> {
  const plain = request as unknown as Request;
  if (operation.takesFile) {
    const { file, fields } = await readUpload(plain);
    return { body: operation.body && parsed(operation.body, fields), file };
  }
  if (!operation.body || operation.media) return { body: undefined };
  return { body: parsed(operation.body, await readJson(plain, operation.bodyLimit)) };
}

function parsed(shape: NonNullable<Operation["body"]>, value: unknown): unknown {
  const result = shape.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(itemsOf(result.error));
  return result.data;
}

const aDay = 24 * 60 * 60 * 1000;

/**
 * The key is claimed once for 24 hours together with what was asked and the id of what it creates;
 * the answer itself is kept by the owner, in the commit that did the work.
 */
async function idempotencyOf(name: string, operation: Operation, request: IRequest, caller: Caller, env: Env, asked: unknown): Promise<{ id: string; idempotency?: Idempotency }> {
  const key = operation.method === "POST" && caller.company ? request.headers.get("idempotency-key") : null;
  if (!key) return { id: newId() };
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid([wrongField(["Idempotency-Key"], "invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.")]);
  const fingerprint = await sha256(JSON.stringify(asked));
  const claim = await takeClaim(env, caller.company, `idempotency/${name}/${key}`, { holder: newId(), note: fingerprint, until: Date.now() + aDay });
  if (claim.note !== fingerprint) throw new Problem("idempotency_key_reused");
  return { id: claim.holder, idempotency: { key: `${name}/${key}`, fingerprint } };
}

/** A decide row. With `Prefer: wait` a "not yet" is asked again when the work is done. */
async function decided(name: string, operation: Operation, ask: Ask<string, undefined, undefined> & { params: Record<string, string> }, context: Context): Promise<Answer<unknown>> {
  const { binding, param } = operation.owner;
  const target = param ? (ask.params[param] ?? context.newId) : context.caller.company;
  const attempt = () => context.perform({ binding, name, decide: operation.decide! }, target, ask);
  const outcome = await attempt().catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.reason !== "not_processed_yet" || context.waitSeconds === 0) throw error;
    await context.settled(binding, target);
    return attempt();
  });
  return new Answer(outcome.reply, outcome);
}

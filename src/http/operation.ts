import type * as z from "zod";
import type { Actor } from "../platform/audit.ts";
import type { Caller, Scope, ScopeArea } from "../platform/credential.ts";
import type { CommandOutcome, Command } from "../platform/command.ts";
import type { DecisionOrRefusal, CommandContext } from "../platform/decision.ts";
import type { Env } from "../platform/env.ts";
import type { AggregateBinding } from "../platform/registered.ts";
import type { UploadedFile } from "../platform/files.ts";
import type { Answer } from "./responses.ts";
import type { Reason } from "../platform/problem.ts";
import type { FilePaths } from "./uploads/json-files.ts";
import type { ArrivedFile, Uploads } from "./uploads/uploads.ts";

/** "/orders/:orderId/file" → { orderId: string }. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Shape = z.ZodType;
export type Parsed<S> = S extends Shape ? z.output<S> : undefined;
export type Sent<S> = S extends Shape ? z.input<S> : undefined;

export interface OperationInput<Path extends string, Query, Body> {
  params: PathParams<Path>;
  query: Parsed<Query>;
  body: Parsed<Body>;
}

/** The current request, and functions for its handler. */
export interface Context {
  env: Env;
  caller: Caller;
  request: Request;
  requestId: string;
  /** The actor of a change, for the audit log; undefined for reads. */
  by?: Actor | undefined;
  /** Id for the record that this request creates. Requests with the same idempotency key get the same id. */
  newId: string;
  /** The seconds of `Prefer: wait=N`, 0 to 30. */
  waitSeconds: number;
  /** ISO date of the mail that contained the files. */
  sentOn?: string | undefined;
  /** The files of this request. Those that no record stores are deleted when the request ends. */
  uploads: Uploads;
  /** The uploaded file, if the operation has `takesFile`. */
  file?: UploadedFile;
  /** The uploaded files, if the operation has `takesMany`. */
  files?: UploadedFile[];
  /** The files, if the operation has `filesInJson`. In the body, each file is replaced by its index. */
  filesInJson?: ArrivedFile[];
  /**
   * Executes the command of the request. A repeated idempotency key returns the stored reply, and a stale `If-Match` is
   * refused.
   * @throws Problem if the aggregate refuses the command
   */
  execute: <Input, Reply>(command: Command<Input, Reply>, id: string, input: Input) => Promise<CommandOutcome<Reply>>;
  /**
   * Executes a further command, without idempotency key, `If-Match` and audit entry.
   * @throws Problem if the aggregate refuses the command
   */
  send: <Input, Reply>(command: Command<Input, Reply>, id: string, input: Input) => Promise<Reply>;
  /** Waits at most `waitSeconds` for the background processing of a record. */
  waitUntilComplete: (binding: AggregateBinding, id: string) => Promise<void>;
}

/** The aggregate of an operation. Its id is the path parameter `param`; without `param`, the id of the company. */
export interface AggregateTarget {
  binding: AggregateBinding;
  param?: string;
}

/** A type of its own, so that the client knows at compile time whether an operation takes or returns a file. */
interface FileOptions<Takes extends boolean, Gives extends boolean> {
  /** The body is a multipart form with the part `file`, or the raw bytes. `body` describes the other parts. */
  takesFile?: Takes;
  /** The form may contain several files (`context.files`). */
  takesMany?: boolean;
  /** The response is a file; `ok` is not used. */
  returnsFile?: Gives;
}

interface OperationOptions<Query, Body, Ok> {
  summary: string;
  description?: string;
  query?: Query;
  body?: Body;
  /** The file may also be sent as JSON: `file` in base64, `fileName`, and the fields of `body`. */
  takesBase64?: boolean;
  /** The description must name the replacement. */
  deprecated?: true;
  /** Supports `Prefer: wait=N`. */
  waits?: boolean;
  /** An empty body is treated as an empty object. */
  optionalBody?: boolean;
  /** Paths of base64 files in the JSON body (`context.filesInJson`). The limit of the body is then 35 MiB. */
  filesInJson?: FilePaths;
  /**
   * A file may be sent instead of JSON, in a form or as the raw body. The handler then reads the request itself, and
   * its `body` is undefined.
   */
  orFile?: boolean;
  /** Media types of the body if it is not JSON. */
  media?: string[];
  /**
   * Media type of a file that may be sent as raw bytes instead of JSON. The `body` of the handler is then undefined.
   */
  rawMedia?: string;
  ok: Ok;
  /** Default: 200. */
  status?: 200 | 201 | 202 | 204;
  /** Another status of a successful response with the same body. */
  orStatus?: 200 | 201;
  /** The response is an empty object as plain text, with the id in this header; JSON only if `Accept` names it. */
  idHeader?: "X-Freight-Id";
  /** A POST that changes nothing. It needs the read scope and no idempotency key. */
  isReadOnly?: boolean;
  /** The body selects records, so unknown fields are refused. `isReadOnly` implies this. */
  selects?: boolean;
  /** "public": no key is required. "operator": only the operator's key is accepted. */
  access?: Scope | "public" | "operator";
  /** Further scopes that the key needs, because the response contains records of other areas. */
  additionalScopes?: readonly Scope[];
  refuses?: Reason[];
  example?: { params?: Record<string, string>; query?: Sent<Query>; body?: Sent<Body>; reply?: unknown };
}

/** An operation that the Worker answers, for example with a list, a file or the result of a call to another system. */
interface Handled<Path extends string, Query, Body, Ok extends Shape> extends OperationOptions<Query, Body, Ok> {
  handle(
    input: OperationInput<Path, Query, Body>,
    context: Context,
  ): Promise<z.input<Ok> | Answer<z.input<Ok>> | Response>;
  decide?: undefined;
  command?: undefined;
}

/**
 * Input for the command of an operation: path parameters and the fields of query and body. Path parameters take
 * precedence.
 */
export type CommandInput<Path extends string, Query, Body> = PathParams<Path> & Fields<Query> & Fields<Body>;
type Fields<S> = S extends Shape ? z.output<S> : unknown;

/**
 * An operation that sends a command of the area (`command: commands.cancel`) to the aggregate that the path names
 * (`AggregateTarget.param`), otherwise to a new aggregate or to that of the company. The id of the aggregate is not in
 * the input of the command but in `context.id` of the decision.
 */
interface Forwarded<Path extends string, Query, Body, Ok extends Shape> extends OperationOptions<Query, Body, Ok> {
  command: Command<CommandInput<Path, Query, Body>, z.input<Ok>>;
  decide?: undefined;
  handle?: undefined;
}

/** An operation that an aggregate answers, by a pure decision from its state and the input. */
interface Decided<Path extends string, Query, Body, Ok extends Shape, State, Events> extends OperationOptions<
  Query,
  Body,
  Ok
> {
  decide(
    state: State | undefined,
    input: OperationInput<Path, Query, Body>,
    context: CommandContext,
  ): DecisionOrRefusal<State, Events, z.input<Ok>>;
  handle?: undefined;
  command?: undefined;
}

type RowBehaviour<Path extends string, Query, Body, Ok extends Shape, State, Events> =
  | Handled<Path, Query, Body, Ok>
  | Decided<Path, Query, Body, Ok, State, Events>
  | Forwarded<Path, Query, Body, Ok>;

/* eslint-disable typescript/no-explicit-any -- the general form of a row does not know the types of a particular row */
export type Operation<
  M extends Method = Method,
  Path extends string = string,
  Query extends Shape | undefined = any,
  Body extends Shape | undefined = any,
  Ok extends Shape = any,
  State = any,
  Events = any,
  Takes extends boolean = boolean,
  Gives extends boolean = boolean,
> = { method: M; path: Path; owner: AggregateTarget; access: Scope | "public" | "operator" } & FileOptions<
  Takes,
  Gives
> &
  RowBehaviour<Path, Query, Body, Ok, State, Events>;
/* eslint-enable typescript/no-explicit-any */

/** Returns the scopes that a key needs for the operation. */
export const neededScopes = ({ access, additionalScopes = [] }: Operation): Scope[] =>
  access === "public" || access === "operator" ? [] : [access, ...additionalScopes];

/** Returns functions that declare the operations of an area, typed by the state and events of its aggregate. */
export function operationsOn<State = never, Events = unknown>(owner: AggregateTarget & { scope: ScopeArea }) {
  const row =
    <M extends Method>(method: M) =>
    <
      const Path extends `/${string}`,
      Ok extends Shape,
      Q extends Shape | undefined = undefined,
      B extends Shape | undefined = undefined,
      Takes extends boolean = false,
      Gives extends boolean = false,
    >(
      path: Path,
      definition: FileOptions<Takes, Gives> & RowBehaviour<Path, Q, B, Ok, State, Events>,
    ): Operation<M, Path, Q, B, Ok, State, Events, Takes, Gives> => ({
      method,
      path,
      owner,
      ...definition,
      access: definition.access ?? `${owner.scope}:${method === "GET" || definition.isReadOnly ? "read" : "write"}`,
    });
  return { get: row("GET"), post: row("POST"), put: row("PUT"), del: row("DELETE") };
}

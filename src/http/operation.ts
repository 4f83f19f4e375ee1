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

/** "/orders/:orderId/file" → { orderId: string }. Path parameters are declared in the path only. */
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

/** The request that a handler answers, and functions for the handler. */
export interface Context {
  env: Env;
  caller: Caller;
  request: Request;
  requestId: string;
  /** Who requests the change, for the audit log; undefined for reads. */
  by?: Actor | undefined;
  /** The id of the record that this request creates. A request with the same idempotency key gets the same id. */
  newId: string;
  /** Seconds of `Prefer: wait=N`, 0 to 30. */
  waitSeconds: number;
  /** ISO date of the mail that contained the files. */
  sentOn?: string | undefined;
  /** The files of this request. Files that no record stores are deleted when the request ends. */
  uploads: Uploads;
  /** The uploaded file of an operation with `takesFile`. */
  file?: UploadedFile;
  /** The uploaded files of an operation with `takesMany`. */
  files?: UploadedFile[];
  /** The files of an operation with `filesInJson`. In the body, each file is replaced by its index. */
  filesInJson?: ArrivedFile[];
  /**
   * Executes the command that this request is for. A repeated idempotency key returns the stored reply, and a stale `If-Match`
   * is refused. @throws Problem if the aggregate refuses the command
   */
  execute: <Input, Reply>(command: Command<Input, Reply>, id: string, input: Input) => Promise<CommandOutcome<Reply>>;
  /** Executes a further command, without idempotency key, `If-Match` and audit entry. @throws Problem if it is refused */
  send: <Input, Reply>(command: Command<Input, Reply>, id: string, input: Input) => Promise<Reply>;
  /** Waits for at most `waitSeconds` until the background processing of a record is complete. */
  waitUntilComplete: (binding: AggregateBinding, id: string) => Promise<void>;
}

/** The aggregate of an operation. Its id is the path parameter `param`; without `param`, the id of the company. */
export interface AggregateTarget {
  binding: AggregateBinding;
  param?: string;
}

/**
 * Whether an operation takes or returns files. These options are in the type, so that the client knows them at compile time.
 */
interface FileOptions<Takes extends boolean, Gives extends boolean> {
  /**
   * The body is a file: a multipart form with the part `file`, or the raw bytes. `body` is then the shape of the other parts.
   */
  takesFile?: Takes;
  /** The form may contain several files, which are in `context.files` instead of `context.file`. */
  takesMany?: boolean;
  /** Responds with the bytes of a file; `ok` is not used. */
  returnsFile?: Gives;
}

interface OperationOptions<Query, Body, Ok> {
  summary: string;
  description?: string;
  query?: Query;
  body?: Body;
  /** The file may also be sent as JSON: `file` in base64, `fileName`, and the fields of `body`. */
  takesBase64?: boolean;
  /** The operation is deprecated. Its description names the replacement. */
  deprecated?: true;
  /** Supports `Prefer: wait=N`. */
  waits?: boolean;
  /** The body may be empty, which is treated as an empty object. */
  optionalBody?: boolean;
  /** Paths at which the JSON body may contain files in base64 (`context.filesInJson`). The limit of the body is then 35 MiB. */
  filesInJson?: FilePaths;
  /**
   * A file may be sent instead of JSON, in a form or as the raw body. The handler then reads the file itself, and its `body`
   * is undefined.
   */
  orFile?: boolean;
  /** Media types of the body if it is not JSON. */
  media?: string[];
  /**
   * A media type of raw bytes that may be sent instead of JSON. These bytes are then the file, and the handler's `body` is
   * undefined.
   */
  rawMedia?: string;
  ok: Ok;
  /** Status of a successful response; default 200. */
  status?: 200 | 201 | 202 | 204;
  /** Another status of a successful response with the same body. */
  orStatus?: 200 | 201;
  /**
   * The response is an empty object as plain text, with the id in this header. If `Accept` names JSON, the response is the
   * reply instead.
   */
  idHeader?: "X-Freight-Id";
  /** A POST that changes nothing. It needs the read scope and no idempotency key. */
  isReadOnly?: boolean;
  /** The body selects records, as in every row with `isReadOnly`, so its shape refuses unknown fields. */
  selects?: boolean;
  /** "public": no key is required. "operator": only the operator's key is accepted. */
  access?: Scope | "public" | "operator";
  /** Scopes that the key needs in addition, because the response contains records of other areas. */
  additionalScopes?: readonly Scope[];
  /** Error codes of this operation, in addition to those of every operation. */
  refuses?: Reason[];
  example?: { params?: Record<string, string>; query?: Sent<Query>; body?: Sent<Body>; reply?: unknown };
}

/** A row that the Worker answers, for example with a list, a file or the result of a call to another system. */
interface Handled<Path extends string, Query, Body, Ok extends Shape> extends OperationOptions<Query, Body, Ok> {
  handle(
    input: OperationInput<Path, Query, Body>,
    context: Context,
  ): Promise<z.input<Ok> | Answer<z.input<Ok>> | Response>;
  decide?: undefined;
  command?: undefined;
}

/** The input for the command of a row: path parameters and the fields of query and body as one object. */
export type CommandInput<Path extends string, Query, Body> = PathParams<Path> & Fields<Query> & Fields<Body>;
type Fields<S> = S extends Shape ? z.output<S> : unknown;

/**
 * A row that forwards to a command of the area: `command: commands.cancel`. The reply of the command is the response. The
 * command is sent to the aggregate that the path names (`AggregateTarget.param`). If the path names none, it is sent to a new
 * aggregate or to that of the company. The input of the command has the other path parameters and the fields of query and
 * body. If a name occurs twice, the path parameter takes precedence. The id of the aggregate is not in the input: the
 * decision has it as `context.id`.
 */
interface Forwarded<Path extends string, Query, Body, Ok extends Shape> extends OperationOptions<Query, Body, Ok> {
  command: Command<CommandInput<Path, Query, Body>, z.input<Ok>>;
  decide?: undefined;
  handle?: undefined;
}

/** A row that an aggregate answers, by a pure decision from its state and the input. */
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

/** Returns all scopes that a key needs for the operation. */
export const neededScopes = ({ access, additionalScopes = [] }: Operation): Scope[] =>
  access === "public" || access === "operator" ? [] : [access, ...additionalScopes];

/** Returns the functions that declare the rows of an area, typed by the state and events of its aggregate. */
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

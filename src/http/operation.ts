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
import type { FilePlaces } from "./uploads/json-files.ts";
import type { ArrivedFile, Uploads } from "./uploads/uploads.ts";

/** "/orders/:orderId/file" → { orderId: string }. The path is the one place a parameter is named. */
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

/** What a handler has at hand. */
export interface Context {
  env: Env;
  caller: Caller;
  request: Request;
  requestId: string;
  /** Who asks for a change, for the audit log. */
  by?: Actor | undefined;
  /** The id of what this request creates; the same again when its idempotency key is repeated. */
  newId: string;
  /** From `Prefer: wait=N`, 0..30. */
  waitSeconds: number;
  /** ISO date of the mail that brought the files. */
  sentOn?: string | undefined;
  /** The files of this request: what is not stored when it is answered goes. */
  uploads: Uploads;
  /** The uploaded file, on operations that take one. */
  file?: UploadedFile;
  /** The uploaded files, on operations that take many. */
  files?: UploadedFile[];
  /** The files of a JSON body that may carry some: in the body stands the place of each. */
  filesInJson?: ArrivedFile[];
  /**
   * Asks the owner of `id` for the step this request is about: a repeated idempotency key gets the stored answer,
   * a stale `If-Match` is refused. @throws Problem when the owner refuses
   */
  execute: <A, Reply>(command: Command<A, Reply>, id: string, ask: A) => Promise<CommandOutcome<Reply>>;
  /** Asks an owner for anything else on the way. @throws Problem when it refuses */
  send: <A, Reply>(command: Command<A, Reply>, id: string, ask: A) => Promise<Reply>;
  /** Waits until what happens to the thing in the background has come to an end, at most `waitSeconds`. */
  waitUntilComplete: (binding: AggregateBinding, id: string) => Promise<void>;
}

/** Which object answers. `param` names it; without one it is the company's own. */
export interface AggregateTarget {
  binding: AggregateBinding;
  param?: string;
}

/** What an operation does with files, told so that clients know it at compile time. */
interface Files<Takes extends boolean, Gives extends boolean> {
  /** Takes a file: multipart with part `file`, or the raw bytes. `body` is then the shape of the other parts. */
  takesFile?: Takes;
  /** Several files in one form (`context.files`); then there is no `context.file`. */
  takesMany?: boolean;
  /** Answers the bytes of a file; `ok` is then not sent. */
  givesFile?: Gives;
}

interface Described<Query, Body, Ok> {
  summary: string;
  description?: string;
  query?: Query;
  body?: Body;
  /** Takes its file also in JSON: `file` in base64, `fileName`, and the fields of `body` beside them. */
  takesBase64?: boolean;
  /** There is a better one, which the description names. */
  deprecated?: true;
  /** Holds its answer for `Prefer: wait=N`. */
  waits?: boolean;
  /** Without a body everything in it is left unsaid. */
  optionalBody?: boolean;
  /** Where the JSON body may carry files in base64 (`context.filesInJson`); it may then have 35 MiB. */
  filesInJson?: FilePlaces;
  /** A file may come instead of the JSON, in a form or as the body itself: its handler reads it, and there is no `body`. */
  orFile?: boolean;
  /** Media types of the body when it is not JSON. */
  media?: string[];
  /** A media type in which raw bytes may come instead of the JSON: they are the file then, and there is no `body`. */
  rawMedia?: string;
  ok: Ok;
  /** Status of the good answer, 200 when not said. */
  status?: 200 | 201 | 202 | 204;
  /** Another status of a good answer, with the same body. */
  orStatus?: 200 | 201;
  /** Answers an empty object as text, with the id in this header, and its reply only to who accepts JSON by name. */
  idHeader?: "X-Freight-Id";
  /** A POST that changes nothing: it needs the scope to read, and no idempotency key. */
  asksOnly?: boolean;
  /** The body selects what is meant, as that of every row that `asksOnly` does: its shape refuses unknown members. */
  selects?: boolean;
  /** "public": no key is asked for. "operator": only the deployment's own key. */
  access?: Scope | "public" | "operator";
  /** Further scopes that the key needs, because the answer holds records of other areas. */
  alsoNeeds?: readonly Scope[];
  /** What this operation refuses beyond what every operation does. */
  refuses?: Reason[];
  example?: { params?: Record<string, string>; query?: Sent<Query>; body?: Sent<Body>; reply?: unknown };
}

/** Answered in the Worker: archives, files, other networks. */
interface Handled<Path extends string, Query, Body, Ok extends Shape> extends Described<Query, Body, Ok> {
  handle(
    ask: OperationInput<Path, Query, Body>,
    context: Context,
  ): Promise<z.input<Ok> | Answer<z.input<Ok>> | Response>;
  decide?: undefined;
  command?: undefined;
}

/** What the command of a row receives: the fields of path parameters, query and body as one object. */
export type CommandInput<Path extends string, Query, Body> = PathParams<Path> & Fields<Query> & Fields<Body>;
type Fields<S> = S extends Shape ? z.output<S> : unknown;

/**
 * Forwarded to a command of the area, whose reply is the answer: `command: commands.cancel`. The aggregate is the one that
 * the path names (`AggregateTarget.param`), a new one where the path names none, or the company. The command's input has
 * the fields of the path's other parameters, of the query and of the body; of a name that occurs twice the path's counts.
 * The aggregate's own id is not in it: the decision has it as `context.id`.
 */
interface Forwarded<Path extends string, Query, Body, Ok extends Shape> extends Described<Query, Body, Ok> {
  command: Command<CommandInput<Path, Query, Body>, z.input<Ok>>;
  decide?: undefined;
  handle?: undefined;
}

/** Answered by the owner of one thing: a pure step from what it is to what it becomes. */
interface Decided<Path extends string, Query, Body, Ok extends Shape, State, Events> extends Described<
  Query,
  Body,
  Ok
> {
  decide(
    state: State | undefined,
    ask: OperationInput<Path, Query, Body>,
    context: CommandContext,
  ): DecisionOrRefusal<State, Events, z.input<Ok>>;
  handle?: undefined;
  command?: undefined;
}

type RowBehaviour<Path extends string, Query, Body, Ok extends Shape, State, Events> =
  | Handled<Path, Query, Body, Ok>
  | Decided<Path, Query, Body, Ok, State, Events>
  | Forwarded<Path, Query, Body, Ok>;

/* eslint-disable typescript/no-explicit-any -- the general form of a row forgets what each row knows of itself */
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
> = { method: M; path: Path; owner: AggregateTarget; access: Scope | "public" | "operator" } & Files<Takes, Gives> &
  RowBehaviour<Path, Query, Body, Ok, State, Events>;
/* eslint-enable typescript/no-explicit-any */

/** Every scope that the row asks of a key. */
export const neededScopes = ({ access, alsoNeeds = [] }: Operation): Scope[] =>
  access === "public" || access === "operator" ? [] : [access, ...alsoNeeds];

/** The four verbs of an area, knowing whose state its decisions are about and which scope they need. */
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
      definition: Files<Takes, Gives> & RowBehaviour<Path, Q, B, Ok, State, Events>,
    ): Operation<M, Path, Q, B, Ok, State, Events, Takes, Gives> => ({
      method,
      path,
      owner,
      ...definition,
      access: definition.access ?? `${owner.scope}:${method === "GET" || definition.asksOnly ? "read" : "write"}`,
    });
  return { get: row("GET"), post: row("POST"), put: row("PUT"), del: row("DELETE") };
}

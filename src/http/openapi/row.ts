import type { Operation } from "../operation.ts";
import { reasons, type Reason } from "../../platform/problem.ts";

/** Returns the parameters of a path: "/orders/:orderId/file" → ["orderId"]. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);

/** Whether the operation requires a company's key. */
export const isScoped = ({ access }: Operation) => access !== "public" && access !== "operator";

export const takesJson = ({ body, takesFile, media, orFile }: Operation) =>
  Boolean(body) && !takesFile && !media && !orFile;

/** Whether unknown fields of the body are refused, because a caller could mean them as filters. */
export const refusesUnknownMembers = ({ isReadOnly, selects }: Operation) => Boolean(isReadOnly ?? selects);

export const isList = ({ query, isReadOnly, body }: Operation): boolean =>
  Boolean(query?.shape.cursor ?? (isReadOnly && body?.shape.cursor));

export const takesIdempotencyKey = ({ method, access, isReadOnly }: Operation) =>
  method === "POST" && access !== "public" && !isReadOnly;

/**
 * Whether the operation changes an existing record that has its own version. An item in a list of the company's state
 * has none.
 */
export const takesIfMatch = ({ method, path, owner }: Operation) =>
  (owner.param !== undefined || !path.includes(":")) &&
  (method === "PUT" || method === "DELETE" || (method === "POST" && path.includes(":")));

/** Whether the response contains the version of a record. */
export const givesVersion = (row: Operation) =>
  row.status !== 204 &&
  !row.isReadOnly &&
  (["POST", "PUT"].includes(row.method) || Boolean(row.decide ?? row.returnsFile) || row.path.includes(":"));

export const takesIfNoneMatch = (row: Operation) => row.method === "GET" && givesVersion(row);

/** Lists the error codes that the operation may return, in the order of the table `reasons`. */
export function reasonsOf(row: Operation): Reason[] {
  const rules: [boolean, Reason[]][] = [
    [true, ["unknown_parameter", "unsupported_api_version"]],
    [row.access !== "public", ["unauthenticated", "rate_limited"]],
    [isScoped(row), ["key_expired", "missing_scope", "account_blocked", "company_suspended"]],
    [row.path.includes(":"), ["not_found"]],
    [/:\w+Id\b/.test(row.path), ["invalid_id"]],
    [Boolean(row.query ?? row.body) || takesIdempotencyKey(row), ["validation_failed"]],
    [takesJson(row), ["invalid_json", "unsupported_media_type", "payload_too_large"]],
    [Boolean(row.takesFile ?? row.orFile), ofUploads],
    [Boolean(row.takesBase64 ?? row.orFile), ["invalid_json"]],
    [isList(row), ["invalid_cursor"]],
    [takesIdempotencyKey(row), ["idempotency_key_reused"]],
    [takesIfMatch(row), ["version_mismatch"]],
    [Boolean(row.returnsFile), ["range_not_satisfiable"]],
    [true, row.refuses ?? []],
  ];
  const possible = new Set(rules.flatMap(([applies, codes]) => (applies ? codes : [])));
  return (Object.keys(reasons) as Reason[]).filter((reason) => possible.has(reason));
}

const ofUploads: Reason[] = [
  "file_missing",
  "file_empty",
  "file_encrypted",
  "file_unreadable",
  "unsupported_file_type",
  "unsupported_media_type",
  "payload_too_large",
  "overloaded",
];

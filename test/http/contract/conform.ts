import { expect } from "vitest";
import type { NamedOperation } from "../../../src/api.ts";
import { mediaType, plainMedia } from "../../../src/http/responses.ts";
import { problemMedia } from "../../../src/platform/problem.ts";
import { openapi } from "../../../src/http/openapi.ts";
import { ErrorViewModel } from "../../../src/http/openapi/problems.ts";
import { reasonsOf } from "../../../src/http/openapi/row.ts";

type Tree = Record<string, unknown>;
const contract = openapi() as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Tree> }>>;
  components: Tree;
};
const described = new Map(
  Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).map((row) => [row.operationId, row] as const),
  ),
);

/** Follows a reference in the contract. */
export function resolveReference(node: Tree): Tree {
  const ref = node["$ref"];
  if (typeof ref !== "string") return node;
  const found = ref
    .slice(2)
    .split("/")
    .reduce<unknown>((tree, step) => (tree as Tree | undefined)?.[step], contract);
  if (!found) throw new Error(`The contract has no ${ref}.`);
  return found as Tree;
}

/** Headers that matter to clients. If a response has one of them, the contract must document it. */
const meaningful =
  /^(etag|location|idempotency-replayed|ratelimit|ratelimit-policy|retry-after|www-authenticate|x-request-id|content-disposition|content-range|link|x-freight-id)$/;

/**
 * Reads a response to its end and expects that it conforms to the contract. Its status, media type, error code and
 * headers, and every field of its body, must be documented for the operation.
 */
export async function expectConforming(
  named: NamedOperation,
  response: Response,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const { status, headers } = response;
  const text = await response.text();
  const about = `${named.id} answered ${status}: ${text.slice(0, 500)}`;
  expect(status, about).toBeLessThan(500);
  expect(headers.get("x-request-id"), about).toMatch(/^[0-9a-f-]{36}$/);
  const announced = described.get(named.id)!.responses[status];
  expect(announced, `${about}, which it never announced`).toBeDefined();
  headersAnnounced(resolveReference(announced!), headers, about);
  if (status >= 400) return { status, headers, body: problemOf(named, headers, text, about) };
  if (status === 204 || status === 304) expect(text, about).toBe("");
  if (status === 204 || status === 304 || named.operation.returnsFile) return { status, headers, body: text };
  if (named.operation.idHeader && headers.get("content-type") === plainMedia) {
    expect(text, about).toBe("{}");
    return { status, headers, body: {} };
  }
  expect(headers.get("content-type"), about).toBe(mediaType);
  const body: unknown = JSON.parse(text);
  expect(named.operation.ok.parse(body), about).toEqual(body);
  return { status, headers, body };
}

function headersAnnounced(announced: Tree, headers: Headers, about: string): void {
  const names = Object.keys(announced["headers"] ?? {}).map((name) => name.toLowerCase());
  for (const name of headers.keys())
    if (meaningful.test(name)) expect(names, `${about}, with the header ${name}`).toContain(name);
}

function problemOf(named: NamedOperation, headers: Headers, text: string, about: string): ErrorBody {
  expect(headers.get("content-type"), about).toBe(problemMedia);
  const body = JSON.parse(text) as ErrorBody;
  expect(ErrorViewModel.safeParse(body).error, about).toBeUndefined();
  expect(reasonsOf(named.operation) as string[], `${about}, a code it never announced`).toContain(body.errorCode);
  expect(body.requestId).toBe(headers.get("x-request-id"));
  expect(body.type).toMatch(new RegExp(`^https?://[^/]+/errors/${body.errorCode}$`));
  if (body.status === 400) expect(body.errors?.length, about).toBeGreaterThan(0);
  return body;
}

/** Returns the status of a response and the error code in its body. */
export const refusalIn = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  code: (body as ErrorBody).errorCode,
});

export interface ErrorBody {
  type: string;
  status: number;
  errorCode: string;
  requestId: string;
  errors?: { code: string; field: string; pointer: string; message: string }[];
  scope?: string;
}

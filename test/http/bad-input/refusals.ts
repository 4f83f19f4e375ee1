import type { ApiClient, Wire } from "../../support/api-client.ts";
import type { Refused } from "./row.ts";

/** The body of an error response. */
export interface Problem extends Wire {
  errorCode: string;
  errors?: { code: string; pointer: string; message: string }[];
}

/** The properties of a refusal that are checked: its status and code, the first wrong field, and its form. */
interface Told {
  status: number;
  code: string;
  pointer: string | undefined;
  /** The message about the field, if it is not the expected one. */
  message?: string;
  media: string | null;
  hasTitle: boolean;
  hasRequestId: boolean;
  isShort: boolean;
}

/** Returns the expected refusal of a row. */
export const refusalOf = ({ status, code, pointer }: Refused): Told => ({
  status,
  code,
  pointer,
  media: "application/problem+json; x-api-version=1.0",
  hasTitle: true,
  hasRequestId: true,
  isShort: true,
});

/** Sends a request that must be refused and returns the properties of the refusal. */
export async function refused(
  ask: ApiClient,
  { method = "GET", path = "/", headers, text, json, body, says = /^$|^\S.*\.$/ }: Refused,
): Promise<Told> {
  const plain: Record<string, string> = text === undefined ? {} : { "content-type": "application/json" };
  const reply = await ask<Problem>(method, path, {
    json,
    body: text ?? body?.(),
    headers: { ...plain, ...headers },
  });
  const { pointer, message = "" } = reply.body.errors?.[0] ?? {};
  return {
    status: reply.status,
    code: reply.body.errorCode,
    pointer,
    ...(!says.test(message) && { message }),
    media: reply.headers.get("content-type"),
    hasTitle: typeof reply.body["title"] === "string",
    hasRequestId: reply.body["requestId"] === reply.headers.get("x-request-id"),
    isShort: JSON.stringify(reply.body).length < 20_000,
  };
}

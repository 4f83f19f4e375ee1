import type { TestService } from "./service.ts";

/** The body and headers of a request. The body is either `json` or a raw `body`. */
export interface ApiRequest {
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A response that was read to its end. A body that is not JSON is kept as text. */
export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Wire = Record<string, unknown>;
export type ApiClient = <Body = Wire>(method: string, path: string, sending?: ApiRequest) => Promise<Reply<Body>>;

/** Makes a client that sends requests with an API key or, if there is no key, without authentication. */
export const apiClient =
  (service: Pick<TestService, "fetch">, key?: string): ApiClient =>
  async <Body>(method: string, path: string, { json, body, headers, signal }: ApiRequest = {}) => {
    const response = await service.fetch(path, {
      method,
      body: json === undefined ? body : JSON.stringify(json),
      redirect: "manual",
      signal,
      headers: {
        ...(key !== undefined && { "x-api-key": key }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) as Body };
  };

/** Makes a form with a file and fields. */
export function form(
  file: { name: string; bytes: Uint8Array | string },
  fields: Record<string, string> = {},
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append("file", new File([file.bytes], file.name));
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

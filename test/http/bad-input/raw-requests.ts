import { once } from "node:events";
import { connect } from "node:net";

/** A request that no HTTP client sends. Its bytes are written to the socket piece by piece. */
export interface OnTheWire {
  what: string;
  pieces: () => (string | Uint8Array)[];
  status: number;
  /** Whether the runtime may close the connection while the rest is being sent, so that its response is lost. */
  orCut?: true;
  code?: string;
}

const post = (headers: string[], path = "/api/v1/orders") =>
  [`POST ${path} HTTP/1.1`, "Host: localhost", "X-Api-Key: {key}", "Connection: close", ...headers, "", ""].join(
    "\r\n",
  );
const json = "Content-Type: application/json";
const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;
const chunked = [json, "Transfer-Encoding: chunked"];
const megabyte = "a".repeat(1024 * 1024);

export const wireRows: OnTheWire[] = [
  {
    what: "a chunked body that ends wrongly",
    pieces: () => [post(chunked), chunk('{"inputText":'), chunk("5}"), chunk("")],
    status: 400,
    code: "validation_failed",
  },
  {
    what: "27 MiB in chunks without a declared length",
    pieces: () => [
      post(["Transfer-Encoding: chunked"], "/api/v1/orders/file"),
      ...Array<string>(27).fill(chunk(megabyte)),
      chunk(""),
    ],
    status: 413,
    code: "payload_too_large",
  },
  {
    what: "a Content-Length of 26 MiB and no body",
    pieces: () => [
      post(["Content-Type: text/plain", `Content-Length: ${26 * 1024 * 1024 + 1}`], "/api/v1/orders/file"),
      "a",
    ],
    status: 413,
    code: "payload_too_large",
  },
  {
    what: "a body shorter than its Content-Length",
    pieces: () => [post([json, "Content-Length: 100"]), '{"inputText":"a"}'],
    status: 400,
    code: "validation_failed",
  },
  {
    what: "a body longer than its Content-Length",
    pieces: () => [post([json, "Content-Length: 5"]), '{"inputText":"a"}'],
    status: 400,
    code: "invalid_json",
  },
  {
    what: "chunks of a nonsensical size",
    pieces: () => [post(chunked), "xyz\r\n{}\r\n0\r\n\r\n"],
    status: 400,
    code: "validation_failed",
  },
  { what: "a negative Content-Length", pieces: () => [post([json, "Content-Length: -1"]), "{}"], status: 400 },
  {
    what: "a Content-Length and chunks",
    pieces: () => [post([...chunked, "Content-Length: 3"]), chunk("{}"), chunk("")],
    status: 400,
    code: "validation_failed",
  },
  {
    what: "an Idempotency-Key with a control character",
    pieces: () => [post([json, "Idempotency-Key: a\x01b", "Content-Length: 20"]), '{"inputText":"abcd"}'],
    status: 400,
    code: "validation_failed",
  },
  {
    what: "a header with a null byte",
    pieces: () => [post([json, "Prefer: wait\0=5", "Content-Length: 2"]), "{}"],
    status: 400,
  },
  {
    what: "a header of 1 MiB",
    pieces: () => [post([json, `X-Long: ${megabyte}`, "Content-Length: 2"]), "{}"],
    status: 431,
    orCut: true,
  },
  {
    what: "10,000 headers",
    pieces: () => [post([json, ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: a`), "Content-Length: 2"]), "{}"],
    status: 400,
    code: "validation_failed",
  },
  {
    what: "something that is not HTTP",
    pieces: () => ["\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03 hello\r\n\r\n"],
    status: 400,
  },
];

/**
 * Sends the pieces and reads the first response. The service may refuse and close the connection before all pieces are
 * sent.
 */
export async function sendOnWire(
  url: string,
  pieces: (string | Uint8Array)[],
): Promise<{ status?: number; code?: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  let broken = false;
  socket.on("data", (bytes: Buffer) => (answer += bytes.toString("latin1")));
  socket.on("error", () => (broken = true));
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  await once(socket, "connect");
  for (const piece of pieces) {
    if (broken || socket.destroyed) break;
    if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
  }
  socket.end();
  await closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  const code = /"errorCode":"(\w+)"/.exec(answer)?.[1];
  return { ...(status && { status: Number(status) }), ...(code && { code }) };
}

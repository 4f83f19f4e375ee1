// Receives webhooks in a process of its own: `node bench/receiver.ts`. The process sends its address in a message. A
// message to the process sets its mode; the reply contains the deliveries since the last message.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

/** A received delivery. `at` is when its first byte arrived, in milliseconds since 1970, with fractions. */
export interface ReceivedDelivery {
  path: string;
  /** The order's id and version, separated by a space. */
  what: string;
  at: number;
}

/** `take`: responds to each delivery. `hold`: delays all responses until the mode is `open`. */
export type ReceiverMode = "take" | "hold" | "open";

let came: ReceivedDelivery[] = [];
let held: ServerResponse[] | undefined;

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    const { resource, sequence } = JSON.parse(body) as { resource: { id: string }; sequence: number };
    came.push({ path: request.url!, what: `${resource.id} ${sequence}`, at });
    if (request.url === "/hangs") return;
    if (held) held.push(response);
    else response.end();
  });
});
server.keepAliveTimeout = 60_000;
await once(server.listen(0, "127.0.0.1"), "listening");

process.on("message", (told: ReceiverMode) => {
  if (told === "hold") held = [];
  if (told === "open") {
    for (const response of held ?? []) response.end();
    held = undefined;
  }
  const sent = told === "take" ? came : [];
  if (told === "take") came = [];
  process.send!(sent);
});
process.once("disconnect", () => process.exit(0));
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

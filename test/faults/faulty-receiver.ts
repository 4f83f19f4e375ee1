import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivered } from "./delivery-journal.ts";

/** Number of failures of each kind. */
export interface Flaps {
  refused: number;
  hung: number;
  reset: number;
  /** The receiver accepted the delivery, but the connection broke before its response. */
  lost: number;
}

/**
 * Starts an unreliable receiver. Of the deliveries, 8 % get a 500, 4 % get no response, 4 % get a connection reset, and
 * 4 % are accepted but their response is lost. After `heal()`, every delivery succeeds.
 */
export async function faultyReceiver(random: () => number) {
  const taken: Delivered[] = [];
  const flaps: Flaps = { refused: 0, hung: 0, reset: 0, lost: 0 };
  let isWell = false;
  const take = (path: string, body: string) => {
    const { id, eventType, sequence, resource } = JSON.parse(body) as Body;
    taken.push({ webhook: path, id, type: eventType, orderId: resource.id, version: sequence });
  };
  const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const by = isWell ? 1 : random();
    if (by < 0.08) {
      flaps.refused++;
      response.writeHead(500).end("no");
    } else if (by < 0.12) {
      flaps.hung++;
      setTimeout(() => response.destroy(), 3000);
    } else if (by < 0.16) {
      flaps.reset++;
      request.socket.resetAndDestroy();
    } else if (by < 0.2) {
      flaps.lost++;
      take(request.url!, body);
      request.socket.destroy();
    } else {
      take(request.url!, body);
      response.end();
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    flaps,
    heal: () => void (isWell = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Body {
  id: string;
  eventType: string;
  sequence: number;
  resource: { id: string };
}

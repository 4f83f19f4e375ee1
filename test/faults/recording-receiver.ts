import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a receiver of webhooks got, by the order it is about. */
export interface ReceivedEvents {
  /** Ids of the events; one that came twice is there once. */
  eventIds: Set<string>;
  deliveries: number;
  /** All deliveries as they came. */
  heard: RecordedEvent[];
}

export interface RecordedEvent {
  id: string;
  type: string;
}

/** A real receiver on a port of its own; it hears everything and answers 200. */
export async function recordingReceiver() {
  const got = new Map<string, ReceivedEvents>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: string;
        eventType: string;
        resource: { id: string };
      };
      const known = got.get(event.resource.id) ?? { eventIds: new Set(), deliveries: 0, heard: [] };
      known.eventIds.add(event.id);
      known.deliveries++;
      known.heard.push({ id: event.id, type: event.eventType });
      got.set(event.resource.id, known);
      response.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    got,
    close: () => void server.close(),
  };
}

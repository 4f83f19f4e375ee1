import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The events about one order that a webhook receiver got. */
export interface ReceivedEvents {
  /** Ids of the events, without duplicates. */
  eventIds: Set<string>;
  deliveries: number;
  /** All deliveries in order of arrival. */
  heard: RecordedEvent[];
}

export interface RecordedEvent {
  id: string;
  type: string;
}

/** Starts a webhook receiver on its own port. It records every event and responds with 200. */
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

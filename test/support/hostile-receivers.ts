import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, vi } from "vitest";
import { apiClient } from "./api-client.ts";
import { openService } from "./service.ts";
import type { Subscription } from "./webhooks.ts";

/** What a receiver does with a connection after a request. */
type Behaviour = (socket: Socket) => void;

/** A server on this machine that violates HTTP. */
export interface Hostile {
  url: string;
  /** Ids of the received events. */
  heard: string[];
  /** Number of open connections. */
  connections: number;
  /** Bytes of its responses that the service has accepted. */
  taken: number;
  close: () => Promise<void>;
}

export async function hostile(behaviour: Behaviour): Promise<Hostile> {
  const sockets = new Set<Socket>();
  const receiver: Hostile = { url: "", heard: [], connections: 0, taken: 0, close: () => closed(server, sockets) };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    receiver.connections++;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      receiver.connections--;
      receiver.taken += socket.bytesWritten - socket.writableLength;
      sockets.delete(socket);
    });
    socket.once("data", (request) => {
      receiver.heard.push(/webhook-id: (\S+)/i.exec(request.toString())?.[1] ?? "");
      socket.on("end", () => socket.end());
      behaviour(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${portOf(server)}/hook`;
  return receiver;
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;

function closed(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Makes a receiver send the parts and close the connection. */
export const sendsAndCloses =
  (...parts: (string | Uint8Array)[]): Behaviour =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };

/** Makes a receiver send a first text at once, and then another text at regular intervals. */
export const drips =
  (first: string, again: string, milliseconds: number): Behaviour =>
  (socket) => {
    if (first) socket.write(first);
    const timer = setInterval(() => socket.write(again), milliseconds);
    socket.on("close", () => clearInterval(timer));
  };

/** Makes a receiver send a first text and then this many bytes, as fast as they are accepted. */
export const pours =
  (first: string, bytes: number): Behaviour =>
  (socket) => {
    const block = Buffer.alloc(64 * 1024, "a");
    let left = bytes;
    const pour = () => {
      while (left > 0 && !socket.destroyed) {
        left -= block.length;
        if (!socket.write(block)) return void socket.once("drain", pour);
      }
      socket.end();
    };
    socket.write(first);
    pour();
  };

/** 64 MiB of zeros, compressed to 64 KiB. */
export const bomb: Uint8Array = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });

export const head = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`;

/** The log line about an attempt to deliver an event. */
interface DeliveryAttempt {
  status?: number;
  error?: string;
  milliseconds: number;
}

/** Starts a service whose requests leave it as in production, with this time limit for deliveries. */
export async function openServiceForReceivers(limitMilliseconds: number) {
  const folder = mkdtempSync(join(tmpdir(), "lorry-receivers-"));
  const logs = join(folder, "lorry.jsonl");
  const receivers: Hostile[] = [];
  const vars = { WEBHOOK_TIMEOUT_MS: String(limitMilliseconds) };
  const service = await openService({ internet: "sockets", logs, vars });

  /** Creates a webhook in a new company and causes an event for it. @returns a function that reads the webhook */
  async function causeDelivery(callbackUrl: string): Promise<() => Promise<Subscription>> {
    const ask = apiClient(service, service.company().key);
    const created = await ask<Subscription>("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl } });
    expect(created.status).toBe(201);
    await ask("POST", "/api/v1/orders", {
      json: { inputText: `Nothing to carry for ${callbackUrl}.` },
      headers: { prefer: "wait=15" },
    });
    return async () => (await ask<Subscription>("GET", `/api/v1/webhooks/${created.body.subscriptionId}`)).body;
  }

  /** Finds the log line about the first attempt to deliver the event. */
  function findLogLine(event: string): string | undefined {
    const lines = readFileSync(logs, "utf8").split("\n");
    return lines.find((line) => line.includes(event) && line.includes('"what":"delivery"'));
  }

  return {
    causeDelivery,
    /** Starts a receiver, which `stop` closes. */
    async open(behaviour: Behaviour): Promise<Hostile> {
      const receiver = await hostile(behaviour);
      receivers.push(receiver);
      return receiver;
    },
    /**
     * Causes a delivery to a receiver. Returns the logged result of the first attempt, and the webhook as its owner
     * sees it.
     */
    async deliverTo(receiver: Hostile) {
      const read = await causeDelivery(receiver.url);
      const line = await vi.waitFor(
        () => {
          const found = receiver.heard[0] && findLogLine(receiver.heard[0]);
          if (!found) throw new Error("Nothing has been logged yet.");
          return found;
        },
        { timeout: 50_000, interval: 100 },
      );
      return { attempt: JSON.parse(line) as DeliveryAttempt, line, webhook: await read() };
    },
    async stop(): Promise<void> {
      await service.stop();
      await Promise.all(receivers.map(({ close }) => close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

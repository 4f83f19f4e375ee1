import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

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

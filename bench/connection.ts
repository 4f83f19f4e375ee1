import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * One open HTTP/1.1 connection that sends prepared bytes and waits for the response. Node's own client needs more time
 * for a request than the fastest measured server; this client leaves most of the CPU time to the server.
 */
export class Connection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private done: ((status: number) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.take(chunk));
    socket.on("close", () => this.settle(0));
    socket.on("error", () => this.settle(0));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Resolves with the status when the whole response has arrived, or with 0 if the connection broke. */
  ask(request: Uint8Array): Promise<number> {
    return new Promise((resolve) => {
      if (this.socket.destroyed) return resolve(0);
      this.done = resolve;
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const status = statusOfWhole(this.received);
    if (status === undefined) return;
    this.received = Buffer.alloc(0);
    this.settle(status);
  }

  private settle(status: number): void {
    const done = this.done;
    this.done = undefined;
    done?.(status);
  }
}

/**
 * Returns the status of a response that has arrived completely, otherwise undefined. A JSON body contains no CRLF, so
 * it cannot be mistaken for the last chunk.
 */
function statusOfWhole(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd).toLowerCase();
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  const whole =
    length === undefined
      ? !head.includes("\r\ntransfer-encoding:") || bytes.subarray(-7).equals(lastChunk)
      : bytes.length >= headEnd + 4 + Number(length);
  return whole ? status : undefined;
}

const lastChunk = Buffer.from("\r\n0\r\n\r\n");

// The load generator. It has a process of its own, so that it does not take time from the measured server. It receives
// the traffic to send as a message.
import process from "node:process";
import { Connection } from "./connection.ts";
import { median, percentile } from "./median.ts";
import { serialSlot, type Tally, type Traffic } from "./traffic.ts";

let serial = 0;

process.on("message", (traffic: Traffic) => {
  void run(traffic).then((tally) => process.send!(tally));
});

async function run(traffic: Traffic): Promise<Tally> {
  const { paths, bodies = [] } = traffic;
  const requests = paths.map((path, turn) => written(traffic, path, bodies[turn % bodies.length]));
  const connections = await Promise.all(
    Array.from({ length: traffic.connections }, () => Connection.open(traffic.url)),
  );
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const began = performance.now();
  const end = began + traffic.milliseconds;
  const most = traffic.most ?? Infinity;
  let sent = 0;

  const send = async (connection: Connection): Promise<void> => {
    while (sent < most && performance.now() < end) {
      const request = requests[sent++ % requests.length]!;
      const at = performance.now();
      const status = await connection.ask(numbered(request));
      times.push(performance.now() - at);
      if (status !== traffic.status) failures[status] = (failures[status] ?? 0) + 1;
      if (status === 0) return;
    }
  };
  await Promise.all(connections.map(send));
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  return { requests: times.length, seconds, p50: median(times), p99: percentile(times, 0.99), failures };
}

/** The bytes of a request, with the offsets of its serial numbers. */
interface Written {
  bytes: Buffer;
  slots: number[];
}

function written({ url, method, headers }: Traffic, path: string, body?: Uint8Array): Written {
  const all = { host: new URL(url).host, ...headers, ...(body && { "content-length": String(body.length) }) };
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body ?? Buffer.alloc(0)]);
  const slots: number[] = [];
  for (let at = bytes.indexOf(serialSlot); at >= 0; at = bytes.indexOf(serialSlot, at + 1)) slots.push(at);
  return { bytes, slots };
}

/**
 * Writes the next serial number into a copy of the request, because the socket may still be sending the original bytes.
 */
function numbered({ bytes, slots }: Written): Buffer {
  if (slots.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  serial += 1;
  for (const at of slots) copy.write(String(serial).padStart(serialSlot.length, "0"), at, "latin1");
  return copy;
}

// Measures the delay and the throughput of webhook deliveries. `node bench/deliveries.ts` writes the figures into
// bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../scripts/build.mjs";
import { startHost, startReceiver, type Host, type Receiver } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { median, percentile } from "./median.ts";
import { cpuOf, cpuOfMachine } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import type { ReceivedDelivery } from "./receiver.ts";
import { requestJson, carrierOrder, company } from "./world.ts";

const orders = 64;
const rounds = 3;
/**
 * How long to wait before a backlog is released. By then, the alarm of an order has resumed interrupted work, but no
 * delivery attempt has timed out.
 */
const restMilliseconds = 7_000;

/** A company with its own orders, so that the rounds do not influence each other. */
interface Place {
  url: string;
  headers: Record<string, string>;
  ids: string[];
  turns: number;
}

async function main(): Promise<void> {
  await build();
  const hosts = { lorry: await startHost("lorry"), baselines: await startHost("baselines") };
  const receiver = await startReceiver();
  const pids = [hosts.lorry.pid, hosts.baselines.pid, receiver.pid, process.pid];
  const [machine, own] = [cpuOfMachine(), sum(pids.map(cpuOf))];
  const began = performance.now();
  try {
    await waitsAt(hosts.lorry, receiver, 50, 2);
    const delays = [];
    for (const [rate, seconds] of [
      [1, 20],
      [50, 6],
      [200, 4],
    ] as const)
      delays.push(await delayRow(hosts.lorry, receiver, rate, seconds));
    const rates = [await rateRow(hosts, receiver, 1, 600), await rateRow(hosts, receiver, 100, 12)];
    const neighbours = await neighbourRow(hosts.lorry, receiver);
    const foreign =
      (cpuOfMachine() - machine - (sum(pids.map(cpuOf)) - own)) /
      ((performance.now() - began) * 1000 * navigator.hardwareConcurrency);
    await tell([
      measuringConditions(Math.max(0, foreign)),
      table(["delay from the response to the first byte at the receiver", "p50 ms", "p99 ms"], delays),
      table(["deliveries of a backlog", "per second", "bare objects, per second", "ratio"], rates),
      table(["delay at 99 responding receivers, two changes per second", "p50 ms", "p99 ms"], neighbours),
    ]);
  } finally {
    await Promise.all([receiver.stop(), hosts.lorry.stop(), hosts.baselines.stop()]);
  }
}

async function delayRow(lorry: Host, receiver: Receiver, rate: number, seconds: number): Promise<string[]> {
  const found: number[][] = [];
  for (let round = 0; round < rounds; round++) found.push(await waitsAt(lorry, receiver, rate, seconds));
  return [`${rate} changes per second`, ...middle(found)];
}

/**
 * Changes `rate` orders per second. Returns, for each, the milliseconds between the response and the first byte at the
 * receiver.
 */
async function waitsAt(lorry: Host, receiver: Receiver, rate: number, seconds: number): Promise<number[]> {
  const place = await furnish(lorry, [`${receiver.url}/one`]);
  const answered = await changesAt(place, rate, rate * seconds);
  return waits(answered, await arrivals(receiver, answered.size));
}

/**
 * Measures the deliveries per second of a backlog that is released at once, and of bare objects that send as many
 * requests. Before the release, the archive updates and alarms that the changes caused have time to finish.
 */
async function rateRow(
  { lorry, baselines }: { lorry: Host; baselines: Host },
  receiver: Receiver,
  webhooks: number,
  each: number,
): Promise<string[]> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await backlog(lorry, receiver, webhooks, each));
    bare.push(await bareRate(baselines, receiver, webhooks, each));
  }
  const ratio = median(ours.map((rate, round) => rate / bare[round]!));
  const to = webhooks === 1 ? "to one webhook" : `to ${webhooks} webhooks`;
  return [to, `${Math.round(median(ours))}`, `${Math.round(median(bare))}`, `${Math.round(ratio * 100)} %`];
}

async function backlog(lorry: Host, receiver: Receiver, webhooks: number, each: number): Promise<number> {
  const place = await furnish(
    lorry,
    Array.from({ length: webhooks }, (_, number) => `${receiver.url}/${number}`),
  );
  await receiver.tell("hold");
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (place.turns < each) await changed(place);
    }),
  );
  await sleep(restMilliseconds);
  await receiver.tell("take");
  const began = performance.timeOrigin + performance.now();
  await receiver.tell("open");
  const all = await arrivals(receiver, place.turns * webhooks - 6 * webhooks);
  return all.length / ((Math.max(...all.map(({ at }) => at)) - began) / 1000);
}

async function bareRate({ urls }: Host, receiver: Receiver, objects: number, each: number): Promise<number> {
  const body = JSON.stringify(exampleBody);
  const began = performance.now();
  await fetch(`${urls["sender"]}/${objects}/${each}?to=${receiver.url}`, { method: "POST", body });
  const seconds = (performance.now() - began) / 1000;
  await receiver.tell("take");
  return (objects * each) / seconds;
}

/** Measures the delays of 99 receivers if the hundredth receiver responds too, and if it never responds. */
async function neighbourRow(lorry: Host, receiver: Receiver): Promise<string[][]> {
  const found: Record<"/99" | "/hangs", number[][]> = { "/99": [], "/hangs": [] };
  for (let round = 0; round < rounds; round++)
    for (const last of ["/99", "/hangs"] as const) {
      const good = Array.from({ length: 99 }, (_, number) => `${receiver.url}/${number}`);
      const place = await furnish(lorry, [...good, receiver.url + last]);
      const answered = await changesAt(place, 2, 40);
      const all = await arrivals(receiver, answered.size * 99, ({ path }) => path !== last);
      found[last].push(waits(answered, all));
      for (const id of await idsOf(place)) await removed(place, id);
    }
  return [
    ["beside a hundredth that responds", ...middle(found["/99"])],
    ["beside one that never responds", ...middle(found["/hangs"])],
  ];
}

async function furnish(lorry: Host, targets: string[]): Promise<Place> {
  const url = lorry.urls["lorry"]!;
  const operator = { authorization: `Bearer ${lorry.operatorKey}` };
  const { key } = await requestJson<{ key: string }>(`${url}/api/v1/companies`, "POST", operator, company);
  const headers = { "x-api-key": key };
  const place: Place = { url, headers, ids: [], turns: 0 };
  for (let number = 0; number < orders; number++) {
    const { orderId } = await requestJson<{ orderId: string }>(
      `${url}/api/v1/orders`,
      "POST",
      headers,
      carrierOrder(`CO-${number}`),
    );
    place.ids.push(orderId);
  }
  for (const callbackUrl of targets)
    await requestJson(`${url}/api/v1/webhooks`, "POST", headers, { eventType: "CarrierOrderUpdated", callbackUrl });
  // If an order has found no subscribers, it looks for them again only after a second.
  await sleep(1500);
  return place;
}

const idsOf = async ({ url, headers }: Place) =>
  (
    await requestJson<{ items: { subscriptionId: string }[] }>(`${url}/api/v1/webhooks?limit=200`, "GET", headers)
  ).items.map(({ subscriptionId }) => subscriptionId);

async function removed({ url, headers }: Place, id: string): Promise<void> {
  await fetch(`${url}/api/v1/webhooks/${id}`, { method: "DELETE", headers });
}

/** Changes the next order in rotation. @returns its id and new version, and the time of the response */
async function changed(place: Place): Promise<[string, number]> {
  const turn = place.turns++;
  const id = place.ids[turn % orders]!;
  const body = JSON.stringify({ ...carrierOrder(`CO-${turn % orders}`), internalComments: `Turn ${turn}` });
  const headers = { ...place.headers, "content-type": "application/json" };
  const response = await fetch(`${place.url}/api/v1/orders/${id}`, { method: "PUT", headers, body });
  const at = performance.timeOrigin + performance.now();
  if (!response.ok) throw new Error(`PUT ${id}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return [`${id} ${/\d+/.exec(response.headers.get("etag")!)![0]}`, at];
}

async function changesAt(place: Place, rate: number, count: number): Promise<Map<string, number>> {
  const began = performance.now();
  const all: Promise<[string, number]>[] = [];
  for (let turn = 0; turn < count; turn++) {
    await sleep(Math.max(0, began + (turn * 1000) / rate - performance.now()));
    all.push(changed(place));
  }
  return new Map(await Promise.all(all));
}

/** Waits until this many deliveries have arrived. @throws if they have not arrived after a minute */
async function arrivals(
  receiver: Receiver,
  count: number,
  is: (came: ReceivedDelivery) => boolean = () => true,
): Promise<ReceivedDelivery[]> {
  const all: ReceivedDelivery[] = [];
  for (const end = Date.now() + 60_000; all.length < count; await sleep(50)) {
    all.push(...(await receiver.tell("take")).filter(is));
    if (Date.now() > end) throw new Error(`Of ${count} deliveries only ${all.length} arrived.`);
  }
  return all;
}

const waits = (answered: Map<string, number>, came: ReceivedDelivery[]) =>
  came.flatMap(({ what, at }) => (answered.has(what) ? [at - answered.get(what)!] : []));

const middle = (found: number[][]) => [
  median(found.map((all) => median(all))).toFixed(1),
  median(found.map((all) => percentile(all, 0.99))).toFixed(1),
];

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

/** A body that is about as long as the body of a real event. */
const exampleBody = {
  id: `evt_${"0".repeat(32)}`,
  eventType: "CarrierOrderUpdated",
  createdAt: "2026-11-20T09:00:00.000Z",
  sequence: 1,
  resource: {
    type: "Order",
    id: "01a1f8ce-96ba-7fa1-b074-5747ca82ef51",
    url: "http://127.0.0.1:8787/api/v1/orders/01a1f8ce-96ba-7fa1-b074-5747ca82ef51",
    version: 1,
  },
  status: "Created",
  metadata: { internalId: "TMS-4712" },
};

async function tell(parts: string[]): Promise<void> {
  const figures = parts.join("\n\n");
  console.log(`${figures}\n`);
  if (!process.argv.includes("--print")) await writeFigures("deliveries", figures);
}

await main();

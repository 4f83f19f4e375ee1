import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * Response times, in milliseconds, of the first order, which is posted as soon as the service is ready, and of later
 * orders.
 */
export interface FirstCalls {
  first: number[];
  later: number[];
}

const callsAfter = 5;

/**
 * Starts the product `times` times as `npm start` does, each time with empty state, and posts the same order
 * repeatedly. The bundles must exist.
 */
export async function firstCalls(order: Uint8Array, times: number): Promise<FirstCalls> {
  const calls: FirstCalls = { first: [], later: [] };
  for (let time = 0; time < times; time++) {
    const [first, ...later] = await callsOfOne(order);
    calls.first.push(first!);
    calls.later.push(...later);
  }
  return calls;
}

async function callsOfOne(order: Uint8Array): Promise<number[]> {
  const state = await mkdtemp(join(tmpdir(), "lorry-first-"));
  const env = { ...process.env, DATA_DIR: state, PORT: "0" };
  const service = spawn(process.execPath, ["scripts/start.mjs"], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await greeted(service);
    const calls: number[] = [];
    for (let call = 0; call <= callsAfter; call++) calls.push(await posted(url, order, call));
    return calls;
  } finally {
    const gone = once(service, "exit");
    service.kill();
    await gone;
    await rm(state, { recursive: true, force: true });
  }
}

/** @throws if the service exits before it prints its address */
async function greeted(service: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of service.stdout!.setEncoding("utf8")) {
    said += chunk as string;
    const url = /Lorry listens on (\S+)/.exec(said)?.[1];
    if (url) return url;
  }
  throw new Error("The service ended before it was ready.");
}

/**
 * Posts an order and measures the response time. Each PDF has another comment at its end, which changes the digest but
 * nothing else, so that it is not a duplicate.
 */
async function posted(url: string, order: Uint8Array, call: number): Promise<number> {
  const form = new FormData();
  form.set("file", new Blob([order, `\n% ${call}\n`], { type: "application/pdf" }), "order.pdf");
  const whole = new Response(form);
  const headers = { "X-Api-Key": "demo", Prefer: "wait=10", "Content-Type": whole.headers.get("content-type")! };
  const body = await whole.arrayBuffer();
  const began = performance.now();
  const response = await fetch(`${url}/api/v1/orders/file`, { method: "POST", headers, body });
  const answer: unknown = await response.json();
  const took = performance.now() - began;
  if ((answer as { status?: string }).status !== "Succeeded")
    throw new Error(`The order posted as call ${call} was not extracted: ${response.status}.`);
  return took;
}

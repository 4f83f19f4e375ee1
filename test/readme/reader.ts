import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { asking } from "../support/asking.ts";
import type { TestService } from "../support/service.ts";
import { expectations, type Expected } from "./expected.ts";
import { Shell, type Answered } from "./shell.ts";
import type { Step } from "./steps.ts";

const inReadme = "http://127.0.0.1:8787";
/** The key that the README's commands send. */
export const readersKey = "demo";

/** Somebody who pastes one command after the other. */
export function readerOf(service: TestService, folder: string, hasPictures: boolean) {
  const shell = new Shell(folder);
  const answers: Answered[] = [];
  const last = () => answers.at(-1)!;

  return async function follow(step: Step): Promise<void> {
    if (step.kind === "command") await run(step.text);
    else if (step.kind === "value") take(step.name);
    else if (step.kind === "answer") compare(step.json);
    else if (step.kind === "word") expect(JSON.stringify(last().body)).toContain(`"${step.word}"`);
    else await runProgram(step.source);
  };

  async function run(command: string): Promise<void> {
    const expected = expectations.find((each) => command.includes(each.command));
    if (expected?.once && !hasPictures) return;
    const text = command.replaceAll(inReadme, service.url).replace(/wait=\d+/, "wait=30");
    const once = async () => meet(text, expected, await shell.run(text));
    if (expected?.eventually) await vi.waitFor(once, { timeout: 100_000, interval: 300 });
    else await once();
    await expected?.afterwards?.(last().body as never, asking(service, readersKey));
  }

  function meet(command: string, expected: Expected | undefined, now: Answered[]): void {
    answers.push(...now);
    for (const answer of now) expect([command, answer.status]).toEqual([command, lessThan(400, answer)]);
    if (expected) expect([last().body]).toMatchObject([expected.answer]);
  }

  /** What the README shows of an answer stands in the newest one that has its members. */
  function compare(json: unknown): void {
    const names = Object.keys(json as object);
    const bodies = answers.flatMap(({ body }) => [body, (body as { fields?: unknown }).fields]);
    const isMeant = (body: unknown) => typeof body === "object" && body !== null && names.every((name) => name in body);
    expect(bodies.findLast(isMeant)).toMatchObject(withAnything(json) as object);
  }

  /** `ORDER_ID=…`: the newest of that name among the answers. */
  function take(name: string): void {
    const isWebhook = name === "WEBHOOK";
    const member = name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const found = answers
      .toReversed()
      .flatMap(({ body }) => memberOf(body, isWebhook ? "subscriptionId" : member) ?? []);
    if (found[0] === undefined) throw new Error(`No answer has ${member}.`);
    shell.set(name, isWebhook ? `${service.url}/api/v1/webhooks/${found[0]}` : found[0]);
  }

  async function runProgram(source: string): Promise<void> {
    const file = join(folder, "try.ts");
    const here = source
      .replace(inReadme, service.url)
      .replace("./src/http/client.ts", pathToFileURL(resolve("src/http/client.ts")).href);
    await writeFile(file, `${here}\nexport { orders };\n`);
    const { orders } = (await import(pathToFileURL(file).href)) as { orders: unknown };
    expect(orders).toMatchObject([{ status: "Succeeded", data: { customer: { name: "Beispiel Spedition GmbH" } } }]);
  }
}

/** The status of an answer where it is below a limit; all of the answer otherwise, so that the failure shows it. */
const lessThan = (limit: number, answer: Answered): unknown => (answer.status < limit ? answer.status : answer);

/** Ids are made anew each time, and `…` stands for anything. */
function withAnything(json: unknown): unknown {
  if (typeof json === "string") {
    const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(json);
    return isId || json.includes("…") ? (expect.any(String) as unknown) : json;
  }
  if (Array.isArray(json)) return json.map(withAnything);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withAnything(value)]));
}

/** The first member of a name, however deep. */
function memberOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const own = (body as Record<string, unknown>)[name];
  if (typeof own === "string") return own;
  for (const value of Object.values(body)) {
    const deeper = memberOf(value, name);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { apiClient } from "../support/api-client.ts";
import type { TestService } from "../support/service.ts";
import { expectations, type Expected } from "./expected.ts";
import { Shell, type Answered } from "./shell.ts";
import type { Step } from "./steps.ts";

const documentedUrl = "http://127.0.0.1:8787";
const documentedKey = "demo";

/**
 * Returns a function that runs a step of a document, as the company of `key`. `readsPictures` tells whether the service
 * has OCR.
 */
export function readerOf(service: TestService, key: string, folder: string, readsPictures: boolean) {
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
    if (expected?.once && !readsPictures) return;
    const text = command
      .replaceAll(documentedUrl, service.url)
      .replaceAll(`X-Api-Key: ${documentedKey}'`, `X-Api-Key: ${key}'`)
      .replace(/wait=\d+/, "wait=30");
    const once = async () => check(text, expected, await shell.run(text));
    if (expected?.eventually) await vi.waitFor(once, { timeout: 100_000, interval: 300 });
    else await once();
    await expected?.afterwards?.(last().body as never, apiClient(service, key));
  }

  function check(command: string, expected: Expected | undefined, responses: Answered[]): void {
    answers.push(...responses);
    for (const answer of responses) expect([command, answer.status]).toEqual([command, lessThan(400, answer)]);
    if (expected) expect([last().body]).toMatchObject([expected.answer]);
  }

  /** Compares JSON in the document with the newest response that has the same members. */
  function compare(json: unknown): void {
    const names = Object.keys(json as object);
    const bodies = answers.flatMap(({ body }) => [body, (body as { fields?: unknown }).fields]);
    const isMeant = (body: unknown) => typeof body === "object" && body !== null && names.every((name) => name in body);
    expect(bodies.findLast(isMeant)).toMatchObject(withAnything(json) as object);
  }

  /** Runs the step `ORDER_ID=…`: sets the variable to the newest value of that name in the responses. */
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
      .replace(documentedUrl, service.url)
      .replace(`"${documentedKey}"`, `"${key}"`)
      .replace("./src/http/client.ts", pathToFileURL(resolve("src/http/client.ts")).href);
    await writeFile(file, `${here}\nexport { orders };\n`);
    const { orders } = (await import(pathToFileURL(file).href)) as { orders: unknown };
    expect(orders).toMatchObject([{ status: "Succeeded", data: { customer: { name: "Beispiel Spedition GmbH" } } }]);
  }
}

/** Returns the status if it is below the limit, otherwise the whole response, so that a failed assertion shows it. */
const lessThan = (limit: number, answer: Answered): unknown => (answer.status < limit ? answer.status : answer);

/**
 * Replaces two kinds of text by a matcher for any text: ids, because they differ in each run, and texts that contain
 * `…`.
 */
function withAnything(json: unknown): unknown {
  if (typeof json === "string") {
    const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(json);
    return isId || json.includes("…") ? (expect.any(String) as unknown) : json;
  }
  if (Array.isArray(json)) return json.map(withAnything);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withAnything(value)]));
}

/** Finds the first member of that name at any depth. */
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

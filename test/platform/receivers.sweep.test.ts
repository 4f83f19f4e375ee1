import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../faults/seeds.ts";
import { simulateInternet } from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

describe("the Standard Webhooks signature", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  let runtime: Miniflare;

  /** Starts the product's signer on the Workers runtime. */
  beforeAll(async () => {
    const signer = stripTypeScriptTypes(await readFile("src/platform/sign.ts", "utf8"));
    const script = `${signer}
      export default { fetch: async (request) => Response.json(await signatureHeaders(...await request.json())) };`;
    const log = new Log(LogLevel.NONE);
    runtime = new Miniflare(convertV4MiniflareOptions({ log, modules: true, script, compatibilityDate: "2026-11-17" }));
  });
  afterAll(() => runtime.dispose());

  async function signed(...asked: [secrets: string[], id: string, body: string, at?: number]) {
    const answer = await runtime.dispatchFetch("http://signer/", { method: "POST", body: JSON.stringify(asked) });
    return (await answer.json()) as Record<string, string>;
  }

  test("is valid for 500 bodies, and invalid if one bit of them is changed", async () => {
    const random = seeded(4711);
    const bodies = ["", "x".repeat(256 * 1024), ...Array.from({ length: 498 }, () => randomText(random))];
    const receiver = new Webhook(secret);
    for (const [index, body] of bodies.entries()) {
      const headers = await signed([secret], `evt_${index}`, body);
      expect(() => receiver.verify(body, headers, { jsonParse: false })).not.toThrow();
      const changed = Buffer.from(body || "\u0000");
      const bit = Math.floor(random() * changed.length * 8);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => receiver.verify(changed, headers, { jsonParse: false }), body.slice(0, 50)).toThrow(
        "No matching signature",
      );
    }
  });
});

const signs = [
  "a",
  "7",
  " ",
  "{",
  '"',
  "\\",
  "\r\n",
  "\n",
  "\t",
  "é",
  "Ł",
  "Ω",
  "ж",
  "中",
  "🚚",
  "👩‍🚒",
  "\u2028",
  "\u0000",
];

const randomText = (random: () => number): string =>
  Array.from({ length: Math.floor(random() * 400) }, () => signs[Math.floor(random() * signs.length)]).join("");

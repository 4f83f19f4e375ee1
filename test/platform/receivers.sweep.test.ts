import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../faults/seeds.ts";
import { secret, startSigner } from "../support/signer.ts";

describe("the Standard Webhooks signature", () => {
  let signer: Awaited<ReturnType<typeof startSigner>>;

  beforeAll(async () => {
    signer = await startSigner();
  });
  afterAll(() => signer.stop());

  test("is valid for 500 bodies, and invalid if one bit of them is changed", async () => {
    const random = seeded(4711);
    const bodies = ["", "x".repeat(256 * 1024), ...Array.from({ length: 498 }, () => randomText(random))];
    const receiver = new Webhook(secret);
    for (const [index, body] of bodies.entries()) {
      const headers = await signer.sign([secret], `evt_${index}`, body);
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

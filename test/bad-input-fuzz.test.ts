import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, form } from "./asking.ts";
import { mutated, mutatedInside, seeded } from "./bad-input/mutate.ts";
import { mail } from "./papers/mail.ts";
import { docx, xlsx } from "./papers/office.ts";
import { orderLines, orderText } from "./papers/order.ts";
import { pdfPages } from "./papers/pdf.ts";
import type { Received } from "./posting.ts";
import { openService, type TestService } from "./service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const lines = orderLines({ number: "FZ-2026-0001" });
const pdf = pdfPages([lines]);
const word = docx(lines);
const sheet = xlsx(lines.map((line) => line.split(": ")));
const letter = new TextEncoder().encode(
  mail("Transport order", [
    { type: "text/plain; charset=utf-8", content: orderText("FZ-2026-0001") },
    { type: "application/pdf", name: "order.pdf", content: pdf },
  ]),
);

/** Copies of each, all together 150. */
const kinds: [string, number, (random: () => number) => Uint8Array][] = [
  ["order.pdf", 40, (random) => mutated(pdf, random)],
  ["order.docx", 15, (random) => mutated(word, random)],
  ["order.docx", 25, (random) => mutatedInside(word, random)],
  ["order.xlsx", 15, (random) => mutated(sheet, random)],
  ["order.xlsx", 25, (random) => mutatedInside(sheet, random)],
  ["order.eml", 30, (random) => mutated(letter, random)],
];

test.each(kinds)(
  "%s, damaged %i times by chance, is refused or comes to an end",
  { timeout: 60_000 },
  async (name, times, damage) => {
    const ask = asking(service, service.company().key);
    for (let seed = 1; seed <= times; seed++) {
      const { status, body } = await ask<Received>("POST", "/api/v1/orders/file", {
        body: form({ name, bytes: damage(seeded(seed)) }),
        headers: { prefer: "wait=30" },
        signal: AbortSignal.timeout(20_000),
      });
      const said = `seed ${seed}: ${JSON.stringify(body).slice(0, 300)}`;
      expect([200, 400], said).toContain(status);
      for (const order of body.orders ?? []) expect(["Succeeded", "Partial", "Failed"], said).toContain(order.status);
      expect(status === 400 || body.status !== "Processing", said).toBe(true);
    }
  },
);

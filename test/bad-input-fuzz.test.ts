import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, form, type Asking, type Sending, type Wire } from "./asking.ts";
import { mutated, mutatedInside } from "./bad-input/mutate.ts";
import { isFull, patience, seeded, seeds } from "./faults/seeded.ts";
import { mail } from "./papers/mail.ts";
import { docx, xlsx } from "./papers/office.ts";
import { orderLines, orderText } from "./papers/order.ts";
import { pdfPages } from "./papers/pdf.ts";
import { openService, type TestService } from "./service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { RATE_LIMIT_PER_SECOND: "100000" } });
});

afterAll(() => service.stop());

const lines = orderLines({ number: "FZ-2026-0001" });
const utf8 = (text: string) => new TextEncoder().encode(text);
const pdf = pdfPages([lines]);
const word = docx(lines);
const sheet = xlsx(lines.map((line) => line.split(": ")));
const letter = utf8(
  mail("Transport order", [
    { type: "text/plain; charset=utf-8", content: orderText("FZ-2026-0001") },
    { type: "application/pdf", name: "order.pdf", content: pdf },
  ]),
);
const given = (name: string) => readFileSync(new URL(`files/${name}`, import.meta.url));
const [iftmin, page] = [given("structured/iftmin.edi"), given("orders/de-form.html")];

/** Copies of each: in every run so many, 500 in all with `npm run test:faults -- --full`. */
const kinds: [name: string, few: number, all: number, damage: (random: () => number) => Uint8Array][] = [
  ["order.pdf", 20, 150, (random) => mutated(pdf, random)],
  ["order.docx", 10, 50, (random) => mutated(word, random)],
  ["order.docx", 15, 75, (random) => mutatedInside(word, random)],
  ["order.xlsx", 10, 50, (random) => mutated(sheet, random)],
  ["order.xlsx", 15, 75, (random) => mutatedInside(sheet, random)],
  ["order.eml", 20, 50, (random) => mutated(letter, random)],
  ["order.edi", 10, 25, (random) => mutated(iftmin, random)],
  ["order.html", 10, 25, (random) => mutated(page, random)],
];

/** Every way in by which a file is read, and the states it may come to. */
const doors: { path: string; sent: (name: string, bytes: Uint8Array) => Sending; statuses?: string[] }[] = [
  ...["orders/file", "opportunities/file", "documents", "drivers-documents"].map((path) => ({
    path,
    sent: (name: string, bytes: Uint8Array) => ({ body: form({ name, bytes }), headers: { prefer: "wait=30" } }),
    statuses: ["Succeeded", "Partial", "Failed", "Unrecognized"],
  })),
  {
    path: "classifications/email",
    sent: (_, bytes) => ({ body: Uint8Array.from(bytes), headers: { "content-type": "message/rfc822" } }),
  },
];

test.each(kinds)("%s, damaged by chance, is refused or comes to an end", patience, async (name, few, all, damage) => {
  const ask = asking(service, service.company().key);
  for (const seed of seeds(few, all)) {
    const bytes = damage(seeded(seed));
    for (const door of isFull ? doors : [doors[seed % doors.length]!]) await comesToAnEnd(ask, door, name, bytes, seed);
  }
});

async function comesToAnEnd(
  ask: Asking,
  { path, sent, statuses }: (typeof doors)[number],
  name: string,
  bytes: Uint8Array,
  seed: number,
): Promise<void> {
  const { status, body } = await ask<Wire>("POST", `/api/v1/${path}`, {
    ...sent(name, bytes),
    signal: AbortSignal.timeout(40_000),
  });
  const said = `${path}, seed ${seed}: ${JSON.stringify(body).slice(0, 300)}`;
  expect([200, 400], said).toContain(status);
  if (status === 200 && statuses) expect(statuses, said).toContain(body["status"]);
}

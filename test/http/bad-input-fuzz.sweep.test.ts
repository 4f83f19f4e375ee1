import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient, form, type ApiClient, type ApiRequest } from "../support/api-client.ts";
import { mutated, mutatedInside } from "./bad-input/mutate.ts";
import { isFull, patience, seeded, seeds } from "../faults/seeds.ts";
import { mail } from "../support/papers/mail.ts";
import { docx, xlsx } from "../support/papers/office.ts";
import { orderLines, orderText } from "../support/papers/order.ts";
import { pdfPages } from "../support/papers/pdf.ts";
import { mailLabels } from "../../src/extraction/mail/labels.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
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
const given = (name: string) => readFileSync(`test/support/files/${name}`);
const [iftmin, page] = [given("structured/iftmin.edi"), given("orders/de-form.html")];

/**
 * The files. `few` is the number of damaged copies in a usual run; `all` is their number with `npm run test:faults --
 * --full`, which is 500 for all files together. `damage` makes a damaged copy.
 */
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

/** All routes that accept files. `ends` lists the permitted results: a status, a label, or 400. */
const doors: { path: string; sent: (name: string, bytes: Uint8Array) => ApiRequest; ends: unknown[] }[] = [
  ...["orders/file", "opportunities/file", "documents", "drivers-documents"].map((path) => ({
    path,
    sent: (name: string, bytes: Uint8Array) => ({ body: form({ name, bytes }), headers: { prefer: "wait=30" } }),
    ends: [400, "Succeeded", "Partial", "Failed", "Unrecognized"],
  })),
  {
    path: "classifications/email",
    sent: (_, bytes) => ({ body: Uint8Array.from(bytes), headers: { "content-type": "message/rfc822" } }),
    ends: [400, ...mailLabels],
  },
];

test.each(kinds)(
  "randomly damaged copies of %s are refused or reach a final state",
  patience,
  async (name, few, all, damage) => {
    const ask = apiClient(service, service.company().key);
    for (const seed of seeds(few, all)) {
      const bytes = damage(seeded(seed));
      for (const door of isFull ? doors : [doors[seed % doors.length]!])
        expect(door.ends, `${door.path}, seed ${seed}`).toContain(await endOf(ask, door, name, bytes));
    }
  },
);

/** Sends a file. Returns its final status or its label, or the HTTP status of the refusal. */
async function endOf(ask: ApiClient, { path, sent }: (typeof doors)[number], name: string, bytes: Uint8Array) {
  const { status, body } = await ask("POST", `/api/v1/${path}`, {
    ...sent(name, bytes),
    signal: AbortSignal.timeout(40_000),
  });
  return status === 200 ? (body["status"] ?? body["label"]) : status;
}

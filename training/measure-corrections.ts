/**
 * Measures the effect of corrections. Generates several orders for each of many senders, with one voice and layout per
 * sender. All orders of a sender except the last are corrected according to their truth. The last one is extracted with
 * and without the resulting lessons: `node training/measure-corrections.ts [--seed 1] [--count 100] [--papers 2]
 * [--language pl,de] [--layout form] [--gazetteer DIR] [--shards DIR] [--worst 20]`.
 */
import { argv, env } from "node:process";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { applyCorrections } from "../src/areas/intake/corrections.ts";
import { correctable } from "../src/areas/orders/commands.ts";
import { commands, type Sender as Known } from "../src/areas/senders/commands.ts";
import { lettersOf } from "../src/extraction/fields/find-value/letters.ts";
import { lessonsOfCorrections, type Correction } from "../src/extraction/memory/lessons-of-corrections.ts";
import { fieldName, fieldOf, leavesOf, stepsOf, valueAt } from "../src/extraction/memory/pointers.ts";
import type { AnnotatedPage } from "../src/extraction/memory/lesson.ts";
import type { Sender } from "../src/extraction/memory/sender.ts";
import { Budget } from "../src/extraction/problem.ts";
import { extractOrders } from "../src/extraction/extract.ts";
import type { ExtractedItem } from "../src/extraction/document/extraction-result.ts";
import type { OrderView } from "../src/extraction/kinds/order/view.ts";
import { Chance } from "./chance.ts";
import { layouts } from "./layouts/layouts.ts";
import { makeSheet } from "./sheet/make-sheet.ts";
import { truthOf } from "./truth.ts";
import { Voice } from "./voice.ts";
import { languages } from "./words/words.ts";
import type { Firm } from "./world/firms.ts";
import { makeOrder } from "./world/make-order.ts";
import { Places } from "./world/places.ts";

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    papers: { type: "string", default: "2" },
    language: { type: "string" },
    layout: { type: "string" },
    gazetteer: { type: "string", default: env.GAZETTEER_DIR ?? ".data/gazetteer" },
    shards: { type: "string", default: "dist/assets/gazetteer" },
    worst: { type: "string", default: "20" },
  },
});

interface Paper {
  bytes: Uint8Array;
  extension: string;
  truth: unknown;
}

/** Generates documents of one sender. Customer, voice and layout are the same in all of them; the orders differ. */
async function papersOf(chance: Chance, places: Places, language: string, layoutName: string): Promise<Paper[]> {
  const layout = layouts[layoutName]!;
  const papers: Paper[] = [];
  let customer: Firm | undefined;
  for (let at = 0; at < Number(values.papers); at++) {
    const order = makeOrder(chance.fork(`order ${at}`), places, language, { pair: layout.pair === true, customer });
    customer ??= order.customer;
    const voice = new Voice(chance.fork("voice"), language, { abroad: true });
    const sheet = makeSheet(chance.fork("sheet"), voice, order);
    const unsaid = { countries: !voice.tellsCountries && language !== "us", customer: layout.anonymous };
    papers.push({
      bytes: await layout.set([sheet], chance.fork("set")),
      extension: layout.extension,
      truth: truthOf(order, unsaid),
    });
  }
  return papers;
}

const gazetteer = openGazetteerFromDisk(values.shards);
const company = { names: [], vatCodes: [], emailDomains: [] };
const today = "2026-11-20";
const unknown: Known = { lessons: [], record: {}, taken: [] };

async function read(
  paper: Paper,
  memory?: Known,
): Promise<{ item?: ExtractedItem<OrderView>; sender: Sender; page: AnnotatedPage }> {
  const documents: { sender: Sender; page: AnnotatedPage }[] = [];
  const recall = async (sender: Sender, page: AnnotatedPage) => {
    documents.push({ sender, page });
    return memory;
  };
  const file = { bytes: paper.bytes, name: `order.${paper.extension}` };
  const tools = { gazetteer, budget: new Budget(60_000), recall };
  const { items } = await extractOrders(file, { company, today }, tools);
  return { ...documents[0]!, ...(items.length === 1 && { item: items[0]! }) };
}

/**
 * Compares the truth with the extraction. Skips nulls, lists, sequence numbers, and values of stops that were not
 * extracted.
 */
function compareValues(
  truth: unknown,
  data: unknown,
): { pointer: string; wanted: unknown; got: unknown; right: boolean }[] {
  return leavesOf(truth).flatMap(({ pointer, value: wanted }) => {
    const commands = stepsOf(pointer);
    const [list, at] = commands;
    const isThere = list !== "locations" || valueAt(data, [list, at!]) !== undefined;
    if (wanted === null || !isThere || pointer.endsWith("/sequence") || Array.isArray(wanted)) return [];
    const got = valueAt(data, commands);
    return [{ pointer, wanted, got, right: alike(wanted, got) }];
  });
}

const alike = (wanted: unknown, got: unknown): boolean =>
  typeof wanted === "string" ? typeof got === "string" && lettersOf(wanted) === lettersOf(got) : wanted === got;

/** Simulates a person who corrects the extraction of a document. Returns what is then known about the sender. */
function learnFrom(memory: Known, paper: Paper, seen: Awaited<ReturnType<typeof read>>, feedbackId: string): Known {
  const { item, sender, page } = seen;
  if (!item) return memory;
  const { verdicts, corrections } = compareValues(paper.truth, item.data).reduce<{
    verdicts: { pointer: string; right: boolean }[];
    corrections: Correction[];
  }>(
    (all, { pointer, wanted, got, right }) => ({
      verdicts: [...all.verdicts, { pointer, right }],
      corrections: right ? all.corrections : [...all.corrections, { pointer, before: got, value: wanted as string }],
    }),
    { verdicts: [], corrections: [] },
  );
  const record = { envelopes: [{ sequenceId: 0, status: "Succeeded", data: item.data }] };
  const possible = corrections.filter(
    ({ pointer: path, value }) =>
      !("errors" in applyCorrections(correctable, record as never, 0, [{ path, value }], today)),
  );
  const byPath = possible.map(({ pointer: path, value }) => ({ path, value }));
  const outcome = applyCorrections(correctable, record as never, 0, byPath, today);
  const data = "errors" in outcome ? item.data : outcome.envelope.data;
  const of = (pointer: string) => item.evidence.find((each) => each.pointer === pointer);
  const change = commands.learn.decide(
    memory,
    {
      feedbackId,
      kind: "order",
      signature: sender.signature,
      lessons: lessonsOfCorrections("order", data, possible, page),
      verdicts: verdicts.flatMap(({ pointer, right }) => {
        const by = of(pointer)?.feedbackId;
        return by ? [{ field: fieldOf(pointer, data), taughtBy: by, right }] : [];
      }),
      own: verdicts.flatMap(({ pointer, right }) =>
        of(pointer) && !of(pointer)?.feedbackId ? [{ field: fieldOf(pointer, data), right }] : [],
      ),
    },
    { at: today } as never,
  );
  return "refused" in change ? memory : (change.state as Known);
}

const places = new Places(values.gazetteer);
const spoken = values.language?.split(",") ?? languages;
const wanted = values.layout?.split(",") ?? Object.keys(layouts);
const tally = { without: 0, with: 0, of: 0, learnt: 0, learntRight: 0, mended: 0, spoilt: 0, senders: 0 };
const spoilt = new Map<string, string[]>();
const misled = new Map<string, string[]>();
const mended = new Map<string, number>();
for (let at = 0; at < Number(values.count); at++) {
  const chance = new Chance(Number(values.seed)).fork(`sender ${at}`);
  const [language, layout] = [spoken[at % spoken.length]!, chance.pick(wanted)];
  if (layouts[layout]!.orders) continue;
  const papers = await papersOf(chance, places, language, layout);
  let memory = unknown;
  for (const [nth, paper] of papers.slice(0, -1).entries())
    memory = learnFrom(memory, paper, await read(paper, memory), `feedback ${nth}`);
  const last = papers.at(-1)!;
  const [plain, knowing] = [(await read(last)).item, (await read(last, memory)).item];
  if (!plain || !knowing) continue;
  tally.senders += 1;
  const after = new Map(compareValues(last.truth, knowing.data).map((each) => [each.pointer, each]));
  for (const before of compareValues(last.truth, plain.data)) {
    const now = after.get(before.pointer) ?? before;
    const learnt = knowing.evidence.find(({ pointer }) => pointer === before.pointer)?.source === "Learned";
    tally.of += 1;
    tally.without += before.right ? 1 : 0;
    tally.with += now.right ? 1 : 0;
    tally.learnt += learnt ? 1 : 0;
    tally.learntRight += learnt && now.right ? 1 : 0;
    const field = fieldName(before.pointer);
    if (learnt && !now.right)
      misled.set(field, [
        ...(misled.get(field) ?? []),
        `${at} ${language} ${layout}: ${JSON.stringify(now.got)} for ${JSON.stringify(now.wanted)}`,
      ]);
    if (!before.right && now.right) {
      tally.mended += 1;
      mended.set(field, (mended.get(field) ?? 0) + 1);
    }
    if (before.right && !now.right) {
      tally.spoilt += 1;
      const words = `${at} ${language} ${layout}: ${JSON.stringify(before.got)} became ${JSON.stringify(now.got)}`;
      spoilt.set(field, [...(spoilt.get(field) ?? []), words]);
    }
  }
}
console.log(tally);
console.log(`accuracy without ${(tally.without / tally.of).toFixed(4)}, with ${(tally.with / tally.of).toFixed(4)}`);
console.log("corrected", Object.fromEntries([...mended].sort((a, b) => b[1] - a[1]).slice(0, Number(values.worst))));
console.log("spoiled", Object.fromEntries([...spoilt].slice(0, Number(values.worst))));
console.log("learnt wrong", Object.fromEntries([...misled].slice(0, Number(values.worst))));

/**
 * Measures what corrections teach: the F1 of further documents of an unseen layout after 0, 1, 2, 3, 5 and 10 corrected ones.
 * Generates several documents of each layout, by another customer each, or with `--sender` all by the same. The documents
 * are corrected according to their truth, and the last three are extracted with what was learned:
 * `node training/measure-corrections.ts [--seed 1] [--count 48] [--sender] [--language pl,de] [--layout form]
 * [--gazetteer DIR] [--shards DIR] [--fields]`. With `--pairs`, prints trained weights of `fitness` instead.
 */
import process, { argv, env } from "node:process";
import { parseArgs } from "node:util";
import type { Json, Leaf } from "../corpus/compare.ts";
import { compareDocument, fieldTable, scoreTable } from "../corpus/scores.ts";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { applyFamily } from "../src/extraction/memory/apply-family.ts";
import type { Family } from "../src/extraction/memory/family.ts";
import { learnDocument } from "../src/extraction/memory/learn.ts";
import type { AnnotatedPage } from "../src/extraction/memory/lesson.ts";
import { extractOrders } from "../src/extraction/extract.ts";
import { kindNamed } from "../src/extraction/kinds/kinds.ts";
import type { OrderView } from "../src/extraction/kinds/order/view.ts";
import type { ExtractedItem } from "../src/extraction/document/extraction-result.ts";
import { Budget } from "../src/extraction/problem.ts";
import { Chance } from "./chance.ts";
import { placePairs } from "./learning/place-pairs.ts";
import { learnt } from "./learning/logistic.ts";
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
    count: { type: "string", default: "48" },
    sender: { type: "boolean", default: false },
    language: { type: "string" },
    layout: { type: "string" },
    gazetteer: { type: "string", default: env.GAZETTEER_DIR ?? ".data/gazetteer" },
    shards: { type: "string", default: "dist/assets/gazetteer" },
    fields: { type: "boolean", default: false },
    pairs: { type: "boolean", default: false },
  },
});
/** Numbers of corrected documents after which further ones are read, and how many. */
const steps = [0, 1, 2, 3, 5, 10];
const [taught, further] = [10, 3];

interface Paper {
  bytes: Uint8Array;
  extension: string;
  language: string;
  truth: Json;
}

/** Generates documents of one layout, with the same voice. */
async function papersOf(chance: Chance, places: Places, language: string, name: string): Promise<Paper[]> {
  const layout = layouts[name]!;
  const papers: Paper[] = [];
  let customer: Firm | undefined;
  for (let at = 0; at < taught + further; at++) {
    const order = makeOrder(chance.fork(`order ${at}`), places, language, { pair: layout.pair === true, customer });
    if (values.sender) customer ??= order.customer;
    const voice = new Voice(chance.fork("voice"), language, { abroad: true });
    const sheet = makeSheet(chance.fork("sheet"), voice, order);
    const unsaid = { countries: !voice.tellsCountries && language !== "us", customer: layout.anonymous };
    const bytes = await layout.set([sheet], chance.fork("set"));
    papers.push({ bytes, extension: layout.extension, language, truth: truthOf(order, unsaid) as Json });
  }
  return papers;
}

const gazetteer = openGazetteerFromDisk(values.shards);
const company = { names: [], vatCodes: [], emailDomains: [] };
const today = "2026-11-20";
const kind = kindNamed("order");

interface Seen {
  paper: Paper;
  page?: AnnotatedPage;
  /** Undefined if the document was not read, or as several orders. */
  item?: ExtractedItem<OrderView>;
}

async function read(paper: Paper): Promise<Seen> {
  const pages: AnnotatedPage[] = [];
  const recall = async (_: object, page: AnnotatedPage) => void pages.push(page);
  const file = { bytes: paper.bytes, name: `order.${paper.extension}` };
  const { items } = await extractOrders(file, { company, today }, { gazetteer, budget: new Budget(60_000), recall });
  return { paper, page: pages[0]!, ...(items.length === 1 && { item: items[0]! }) };
}

/** The data as a person corrects it: without the marks of values that the document does not have. */
function corrected(truth: Json): Json {
  if (Array.isArray(truth)) return truth.map(corrected);
  if (typeof truth !== "object" || truth === null) return truth;
  return Object.fromEntries(
    Object.entries(truth).flatMap(([name, value]) => (value === null ? [] : [[name, corrected(value)]])),
  );
}

const lessonOf = ({ paper, page, item }: Required<Seen>, at: number) => ({
  kind: "order" as const,
  page,
  data: corrected(paper.truth),
  extracted: item,
  feedbackId: `feedback ${at}`,
});

const isRead = (seen: Seen): seen is Required<Seen> => seen.page !== undefined && seen.item !== undefined;

const scored = new Map(steps.map((step) => [step, [] as { leaves: Leaf[]; file: string; language: string }[]]));
const pairs: Parameters<typeof learnt>[0][number][] = [];
const times: number[] = [];
let largest = 0;

async function measure(papers: Paper[], name: string): Promise<void> {
  const documents: Seen[] = [];
  for (const paper of papers) documents.push(await read(paper));
  let family: Family | undefined;
  for (let at = 0; at <= taught; at++) {
    for (const document of scored.has(at) ? documents.slice(taught) : []) {
      const began = process.cpuUsage();
      const { page, item, paper } = document;
      const now = family && isRead(document) ? applyFamily(item!, kind, family, page!, today) : item;
      const { user, system } = process.cpuUsage(began);
      if (family) times.push((user + system) / 1000);
      const leaves = compareDocument("order", paper.truth, now ? [now.data] : []);
      scored.get(at)!.push({ leaves, file: name, language: paper.language });
    }
    const next = documents[at]!;
    if (at === taught || !isRead(next)) continue;
    if (values.pairs && family) pairs.push(...placePairs(family, lessonOf(next, at)));
    family = learnDocument(family, lessonOf(next, at));
  }
  largest = Math.max(largest, JSON.stringify(family ?? {}).length);
}

const places = new Places(values.gazetteer);
const spoken = values.language?.split(",") ?? languages;
const wanted = (values.layout?.split(",") ?? Object.keys(layouts)).filter((name) => !layouts[name]!.orders);
for (let at = 0; at < Number(values.count); at++) {
  const chance = new Chance(Number(values.seed)).fork(`sender ${at}`);
  const name = chance.weighted(Object.fromEntries(wanted.map((each) => [each, layouts[each]!.weight])));
  await measure(await papersOf(chance, places, spoken[at % spoken.length]!, name), name);
}
if (values.pairs) {
  const { bias, weights } = learnt(pairs, 2);
  const rounded = (figure: number) => Math.round(figure * 100) / 100;
  console.log(JSON.stringify({ pairs: pairs.length, bias: rounded(bias), weights: weights.map(rounded) }));
} else {
  for (const [step, documents] of scored) {
    const all = documents.map((each) => ({ ...each, kind: "order", milliseconds: 0 }));
    console.log(`${step} corrected: ${scoreTable(all).split("\n").at(-1)}`);
    if (values.fields) console.log(fieldTable(all));
  }
  const sorted = times.toSorted((one, other) => one - other);
  console.log({ milliseconds: sorted[sorted.length >> 1], slowest: sorted.at(-1), characters: largest });
}

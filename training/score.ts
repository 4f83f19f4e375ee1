/**
 * Scores the engine on rendered documents of the corpus: `node training/score.ts [--rendered dist/corpus] [--gazetteer SHARDS]
 * [--kind order,email] [--fields] [--report FILE] [AUTHOR… | learn | develop | test]`. Prints a table by kind; `--fields` adds the
 * fields with most errors, `--report` writes every leaf of the truth with what was read. `--rules` leaves out the labeller of orders.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Json } from "../corpus/compare.ts";
import { compareDocument, fieldTable, scoreTable, type ScoredDocument } from "../corpus/scores.ts";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { shippedLabeller } from "../scripts/labeller.ts";
import { classifyMail } from "../src/extraction/classify-mail.ts";
import { extractDocument } from "../src/extraction/extract.ts";
import { kindNames, type KindName } from "../src/extraction/kinds/kinds.ts";
import { Budget, ExtractionProblem } from "../src/extraction/problem.ts";

interface Case {
  file: string;
  kind: string;
  language: string;
  /** ISO date on which the document was received. */
  received: string;
  truth: Json;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rendered: { type: "string", default: join(import.meta.dirname, "../dist/corpus") },
    gazetteer: { type: "string", default: join(import.meta.dirname, "../dist/assets/gazetteer") },
    kind: { type: "string" },
    fields: { type: "boolean", default: false },
    report: { type: "string" },
    rules: { type: "boolean", default: false },
  },
});
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const labeller = values.rules ? undefined : shippedLabeller;
const wanted = values.kind?.split(",");
const nobody = { names: [], vatCodes: [], emailDomains: [] };
/** CPU limit of one document, in milliseconds. */
const patience = 30_000;

const kindsHere: Record<string, KindName> = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, kind])),
  driverDocument: "driver-document",
  notfreight: "order",
};

async function readsOf(bytes: Uint8Array, { file, kind, received }: Case): Promise<Json[]> {
  const tools = { gazetteer, labeller, budget: new Budget(patience) };
  if (kind === "email") {
    const { labels } = await classifyMail(bytes, received, tools);
    return [{ label: labels[0]!.label }];
  }
  try {
    const input = { bytes, name: file };
    const { items } = await extractDocument(kindsHere[kind]!, input, { company: nobody, today: received }, tools);
    return items.map(({ data }) => data as Json);
  } catch (problem) {
    if (problem instanceof ExtractionProblem) return [];
    throw problem;
  }
}

const parts = JSON.parse(readFileSync(join(import.meta.dirname, "../corpus/authors.json"), "utf8")) as Record<
  string,
  { part: string }
>;
const authors = readdirSync(values.rendered).filter(
  (author) =>
    positionals.length === 0 || [author, parts[author]?.part].some((name) => positionals.includes(name ?? "")),
);
const scored: ScoredDocument[] = [];
for (const author of authors)
  for (const one of JSON.parse(readFileSync(join(values.rendered, author, "cases.json"), "utf8")) as Case[]) {
    if (wanted && !wanted.includes(one.kind)) continue;
    if (one.kind !== "email" && !kindsHere[one.kind]) continue;
    const began = process.cpuUsage();
    const read = await readsOf(readFileSync(join(values.rendered, author, one.file)), one);
    const { user, system } = process.cpuUsage(began);
    const leaves = compareDocument(one.kind, one.truth, read);
    const { kind, language } = one;
    scored.push({ file: `${author}/${one.file}`, kind, language, leaves, milliseconds: (user + system) / 1000 });
  }
console.log(scoreTable(scored));
if (values.fields) console.log(`\n${fieldTable(scored)}`);
if (values.report) writeFileSync(values.report, JSON.stringify(scored, undefined, 1));

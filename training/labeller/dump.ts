/**
 * Writes the candidates of orders with their signs, and which fields they are right for: `node training/labeller/dump.ts OUT
 * FOLDER... [--gazetteer SHARDS]`. The folders are rendered authors of the corpus or generated sets. OUT.jsonl has a line for
 * each file, OUT.signs.json the names of the signs.
 */
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Json } from "../../corpus/compare.ts";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import { extractDocument } from "../../src/extraction/extract.ts";
import { candidatesOf } from "../../src/extraction/kinds/order/labeller/candidates.ts";
import { isPossible } from "../../src/extraction/kinds/order/labeller/chances.ts";
import { fields, holders, suits } from "../../src/extraction/kinds/order/labeller/fields.ts";
import { groupsOf, usesOf } from "../../src/extraction/kinds/order/labeller/groups.ts";
import { keysOf, SignReader } from "../../src/extraction/kinds/order/labeller/signs.ts";
import type { Signs } from "../../src/extraction/kinds/order/labeller/groups.ts";
import type { OrderDraft, TransportAnalysis } from "../../src/extraction/kinds/transport.ts";
import { Budget, ExtractionProblem } from "../../src/extraction/problem.ts";
import { expectedOf, partnersOf } from "./judge.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    signs: { type: "string" },
    limit: { type: "string", default: "100000" },
  },
});
const [out = "", ...folders] = positionals;
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const nobody = { names: [], vatCodes: [], emailDomains: [] };

interface Case {
  file: string;
  kind: string;
  received?: string;
  truth: string | Json;
}
type Node = { [name: string]: Json };
interface Seen {
  analysis: TransportAnalysis;
  draft: OrderDraft;
}

const ids = new Map<string, number>(
  (values.signs ? (JSON.parse(readFileSync(values.signs, "utf8")) as string[]) : []).map((name, at) => [name, at]),
);
function packed(signs: Signs): [number[], number[]] {
  const entries = Object.entries(signs).filter(([, value]) => value !== 0);
  const idOf = (name: string) => ids.get(name) ?? (ids.set(name, ids.size), ids.size - 1);
  return [entries.map(([name]) => idOf(name)), entries.map(([, value]) => Math.round(value * 100) / 100)];
}

const covered = new Map<string, { has: number; found: number; empty: number; emptyFound: number }>();
function itemOf({ analysis, draft }: Seen, data: Node, truth: Node): object {
  const uses = usesOf(draft);
  const groups = groupsOf(analysis, draft, uses);
  const candidates = candidatesOf(analysis.document, analysis.locale);
  const reader = new SignReader(analysis, groups, uses, candidates);
  const partners = partnersOf(truth, data);
  const stops = (truth["locations"] ?? []) as Node[];
  const own = candidates.map((each) => reader.of(each));
  const pairs: unknown[] = [];
  const states = groups.map((group) => {
    const partner = group.scope === "stop" ? partners.get(group.index) : undefined;
    const stop = partner === undefined ? undefined : stops[partner];
    const wanted = fields
      .filter(({ scope }) => scope === group.scope)
      .map((field) => ({ field, id: fields.indexOf(field), expected: expectedOf(field.name, truth, stop) }));
    const found = new Set<number>();
    for (const [at, candidate] of candidates.entries()) {
      const suitable = wanted.filter(({ field }) => suits(field, candidate));
      if (suitable.length === 0) continue;
      if (!isPossible(candidate, group, own[at]!, reader)) continue;
      const signs = reader.to(candidate, group);
      const right = suitable.filter(({ expected }) => expected.isRight(candidate)).map(({ id }) => id);
      for (const id of right) found.add(id);
      pairs.push([at, groups.indexOf(group), ...packed(signs), suitable.map(({ id }) => id), right]);
    }
    const isEmpty = (name: string) => !group.known.has(holders[name]!);
    for (const { field, id, expected } of wanted) {
      if (!expected.has) continue;
      const sum = covered.get(field.name) ?? { has: 0, found: 0, empty: 0, emptyFound: 0 };
      sum.has++;
      if (found.has(id)) sum.found++;
      if (isEmpty(field.name)) sum.empty++;
      if (isEmpty(field.name) && found.has(id)) sum.emptyFound++;
      covered.set(field.name, sum);
    }
    return {
      scope: group.scope,
      index: group.index,
      kind: group.stop?.kind,
      sure: Object.fromEntries(group.sure),
      paired: group.scope !== "stop" || stop !== undefined,
      has: wanted.filter(({ expected }) => expected.has).map(({ id }) => id),
      empty: wanted.filter(({ field }) => isEmpty(field.name)).map(({ id }) => id),
    };
  });
  return {
    data,
    groups: states,
    candidates: candidates.map((candidate, at) => {
      const { sort, value, other, unit, part, segment, start, end, entity } = candidate;
      const text = segment.text.slice(start, end);
      const place = [segment.index, start, end, text, entity?.type ?? ""];
      return [
        sort,
        value,
        other ?? null,
        unit ?? "",
        part ?? "",
        ...place,
        ...keysOf(reader, candidate),
        ...packed(own[at]!),
      ];
    }),
    pairs,
  };
}

const file = createWriteStream(`${out}.jsonl`);
let spent = 0;
for (const folder of folders)
  for (const one of (JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[]).slice(
    0,
    Number(values.limit),
  )) {
    if (one.kind !== "order") continue;
    const truth =
      typeof one.truth === "string" ? (JSON.parse(readFileSync(join(folder, one.truth), "utf8")) as Json) : one.truth;
    const truths = (Array.isArray(truth) ? truth : [truth]) as Node[];
    const seen: Seen[] = [];
    const observe = (analysis: TransportAnalysis, draft: OrderDraft) => {
      seen.push({ analysis, draft });
      return draft;
    };
    const today = one.received ?? "2026-11-20";
    try {
      const bytes = readFileSync(join(folder, one.file));
      const { items } = await extractDocument(
        "order",
        { bytes, name: one.file },
        { company: nobody, today },
        { gazetteer, budget: new Budget(30_000), labeller: async () => observe },
      );
      const views = items.map(({ data }) => data as Json as Node);
      const usable = seen.length === views.length;
      if (!usable && views.length > 0) console.log("not usable", one.file, seen.length, views.length);
      const began = process.cpuUsage();
      const readings = usable
        ? views.map((data, at) => itemOf(seen[at]!, data, truths[at] ?? {}))
        : views.map((data) => ({ data }));
      const { user, system } = process.cpuUsage(began);
      spent += (user + system) / 1000;
      file.write(`${JSON.stringify({ folder, file: one.file, truth, items: readings })}\n`);
    } catch (problem) {
      if (!(problem instanceof ExtractionProblem)) throw problem;
      file.write(`${JSON.stringify({ folder, file: one.file, truth, items: [] })}\n`);
    }
  }
file.end();
writeFileSync(`${out}.signs.json`, JSON.stringify([...ids.keys()]));
console.log(`${Math.round(spent)} ms for signs; ${ids.size} signs`);
for (const [name, { has, found, empty, emptyFound }] of covered)
  console.log(
    `${name.padEnd(24)} ${String(has).padStart(5)} found ${(found / has).toFixed(2)}; empty ${String(empty).padStart(5)} found ${(emptyFound / (empty || 1)).toFixed(2)}`,
  );

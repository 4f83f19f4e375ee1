import type { Budget } from "../../../problem.ts";
import type { OrderDraft, TransportAnalysis } from "../../transport.ts";
import { candidatesOf, type Candidate } from "./candidates.ts";
import { fields, suits, type Field } from "./fields.ts";
import { chanceOf, forestOf, Measures, type Forest, type ForestModel } from "./forest.ts";
import { groupsOf, usesOf, type Group } from "./groups.ts";
import { keysOf, SignReader } from "./signs.ts";
import type { Signs } from "./groups.ts";

/** A candidate that may be the value of a field of an owner, with its chance. */
export interface Chance {
  field: Field;
  group: Group;
  candidate: Candidate;
  chance: number;
  /** The text before the candidate; see {@link keysOf}. */
  keys: readonly string[];
  /** Place of the candidate relative to the owner, in letter heights. */
  fromTop: number;
  fromLeft: number;
}

/** Less likely candidates are left out. */
const least = 0.04;
const goods = ["goods", "packaging", "quantity", "goodsMarks", "weight"];
const nearEnough = 15;

/** Ready forests by the name of their field, with the numbers of their signs. */
export interface Forests {
  byField: ReadonlyMap<string, Forest>;
  numbers: ReadonlyMap<string, number>;
}

export const forestsOf = (signs: readonly string[], models: Readonly<Record<string, ForestModel>>): Forests => ({
  byField: new Map(Object.entries(models).map(([name, model]) => [name, forestOf(model)])),
  numbers: new Map(signs.map((name, at) => [name, at])),
});

/** Whether a text may belong to an owner at all. It saves looking at most pairs of texts and owners. */
export function isPossible(candidate: Candidate, group: Group, own: Signs, reader: SignReader): boolean {
  if (candidate.sort !== "Words") return true;
  if (group.scope === "order")
    return ["at driver", "before driver", "used carrier/drivers/name", "own Phone"].some((name) => name in own);
  if (reader.away(candidate, group) < nearEnough || reader.isOwn(candidate, group)) return true;
  if (group.scope === "stop") return goods.some((name) => `at ${name}` in own);
  const named = ["type Company", `at ${group.scope}`, `left ${group.scope}`, "at contactPerson"].some(
    (name) => name in own,
  );
  return named || (group.anchors.length === 0 && own["prose"] !== 1);
}

/** Most pairs of a candidate and an owner in one file. It limits the time for long lists of orders, whose columns are known. */
const mostPairs = 20_000;
const pairsSeen = new WeakMap<Budget, number>();

/** Finds the likely values of all fields of an order. None if the file has too many candidates. */
export function chancesOf(analysis: TransportAnalysis, draft: OrderDraft, forests: Forests): Chance[] {
  const uses = usesOf(draft);
  const groups = groupsOf(analysis, draft, uses);
  const candidates = candidatesOf(analysis.document, analysis.locale);
  const { budget } = analysis.document;
  const pairs = (pairsSeen.get(budget) ?? 0) + candidates.length * groups.length;
  pairsSeen.set(budget, pairs);
  if (pairs > mostPairs) return [];
  const reader = new SignReader(analysis, groups, uses, candidates);
  const wanted = fields.filter(({ name }) => forests.byField.has(name));
  const measures = new Measures(forests.numbers);
  return candidates.flatMap((candidate) => {
    budget.check();
    const suited = wanted.filter((field) => suits(field, candidate));
    if (suited.length === 0) return [];
    const own = reader.of(candidate);
    measures.backTo(0);
    measures.add(own);
    const { count } = measures;
    return groups.flatMap((group) => {
      const mine = suited.filter(({ scope }) => scope === group.scope);
      if (mine.length === 0) return [];
      if (!isPossible(candidate, group, own, reader)) return [];
      const signs = reader.to(candidate, group);
      measures.add(signs);
      const likely = mine.flatMap((field): Chance[] => {
        const chance = chanceOf(forests.byField.get(field.name)!, measures.values);
        if (chance < least) return [];
        const keys = keysOf(reader, candidate);
        return [
          { field, group, candidate, chance, keys, fromTop: signs["fromTop"] ?? 0, fromLeft: signs["fromLeft"] ?? 0 },
        ];
      });
      measures.backTo(count);
      return likely;
    });
  });
}

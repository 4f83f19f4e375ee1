import type { OpportunityData } from "./shapes.ts";
import type { MappingProfile } from "./profile-shapes.ts";

type Tree = Record<string, unknown>;

/** The data in the form a profile gives it. */
export function mapped(
  data: OpportunityData,
  { renames, onlyRenamed, constants, ids, dateFormat }: MappingProfile,
): Tree {
  const source = structuredClone(data) as Tree;
  for (const [path, own] of Object.entries(ids)) replace(source, stepsOf(path), (value) => own[String(value)] ?? value);
  if (dateFormat) walk(source, (text) => shownAs(text, dateFormat));
  const result: Tree = onlyRenamed ? {} : structuredClone(source);
  const moves = Object.entries(renames).map(([from, to]) => ({ found: valuesAt(source, stepsOf(from)), from, to }));
  if (!onlyRenamed) for (const { from } of moves) remove(result, stepsOf(from));
  for (const { found, to } of moves) for (const { value, places } of found) put(result, stepsOf(to), places, value);
  for (const [path, value] of Object.entries(constants)) put(result, stepsOf(path), [], value);
  return result;
}

interface Step {
  name: string;
  isList: boolean;
}

const stepsOf = (path: string): Step[] =>
  path.split(".").map((part) => ({ name: part.replace(/\[\]$/, ""), isList: part.endsWith("[]") }));

/** A value and the places in the lists on the way to it. */
interface Found {
  value: unknown;
  places: number[];
}

function valuesAt(node: unknown, steps: readonly Step[], places: number[] = []): Found[] {
  const [step, ...rest] = steps;
  if (!step) return node === undefined ? [] : [{ value: node, places }];
  if (typeof node !== "object" || node === null) return [];
  const child = (node as Tree)[step.name];
  if (!step.isList) return valuesAt(child, rest, places);
  return Array.isArray(child) ? child.flatMap((item, place) => valuesAt(item, rest, [...places, place])) : [];
}

/** Puts a value where a path leads, and makes what is not there on the way. */
function put(tree: Tree, steps: readonly Step[], places: readonly number[], value: unknown): void {
  const [step, ...rest] = steps;
  if (!step) return;
  if (!step.isList) {
    if (rest.length === 0) tree[step.name] = value;
    else put((tree[step.name] = objectIn(tree[step.name])), rest, places, value);
    return;
  }
  const list = Array.isArray(tree[step.name]) ? (tree[step.name] as unknown[]) : [];
  tree[step.name] = list;
  const [place = 0, ...deeper] = places;
  while (list.length < place) list.push({});
  if (rest.length === 0) list[place] = value;
  else put((list[place] = objectIn(list[place])), rest, deeper, value);
}

const objectIn = (value: unknown): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Tree) : {};

function remove(node: unknown, steps: readonly Step[]): void {
  const [step, ...rest] = steps;
  if (!step || typeof node !== "object" || node === null) return;
  const tree = node as Tree;
  const child = tree[step.name];
  if (rest.length === 0) delete tree[step.name];
  else for (const each of step.isList && Array.isArray(child) ? child : [child]) remove(each, rest);
  if (isEmpty(tree[step.name])) delete tree[step.name];
}

/** Nothing is left in it. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((each) => isEmpty(each));

function replace(node: unknown, steps: readonly Step[], by: (value: unknown) => unknown): void {
  const [step, ...rest] = steps;
  if (!step || typeof node !== "object" || node === null) return;
  const tree = node as Tree;
  const child = tree[step.name];
  if (child === undefined) return;
  if (!step.isList && rest.length === 0) tree[step.name] = by(child);
  else if (!step.isList) replace(child, rest, by);
  else if (Array.isArray(child) && rest.length === 0) tree[step.name] = child.map(by);
  else if (Array.isArray(child)) for (const item of child) replace(item, rest, by);
}

/** Every text in it, seen by `change`. */
function walk(node: unknown, change: (text: string) => string): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node as Tree)) {
    if (typeof value === "string") (node as Tree)[name] = change(value);
    else walk(value, change);
  }
}

const moment = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?)?$/;

/** A date or time as the format says; a text that is none stays as it is. */
function shownAs(text: string, format: string): string {
  const [, yyyy, MM, dd, HH = "00", mm = "00", ss = "00"] = moment.exec(text) ?? [];
  if (!yyyy) return text;
  const parts: Record<string, string | undefined> = { yyyy, MM, dd, HH, mm, ss };
  return format.replace(/'([^']*)'|yyyy|MM|dd|HH|mm|ss/g, (part, quoted?: string) => quoted ?? parts[part] ?? part);
}

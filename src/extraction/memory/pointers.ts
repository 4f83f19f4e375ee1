import * as z from "zod";
import type { Evidence } from "../document/extraction-result.ts";
import { bareOf, innerShape } from "../language-model/shape.ts";

// Access to values of a view by JSON pointer ("/locations/0/city") or dotted path ("locations[0].city").

type Node = unknown;
type Fields = Record<string, Node>;

const isFields = (node: Node): node is Fields => typeof node === "object" && node !== null && !Array.isArray(node);

/** Splits a path into its steps. Drops a leading `data`, the name of the view in responses. */
export function stepsOf(path: string): string[] {
  const steps = path.startsWith("/")
    ? path
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    : path.replace(/\[(\d+|-)\]/g, ".$1").split(".");
  return steps[0] === "data" && steps.length > 1 ? steps.slice(1) : steps;
}

export const pointerOf = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Returns the value at a path; undefined if there is none. */
export function valueAt(data: Node, steps: readonly string[]): Node {
  let node = data;
  for (const step of steps) {
    if (Array.isArray(node)) node = node[Number(step)];
    else if (isFields(node) && Object.hasOwn(node, step)) node = node[step];
    else return undefined;
  }
  return node;
}

const hasField = (shape: z.ZodType, name: string) => shape instanceof z.ZodObject && Object.hasOwn(shape.shape, name);
const index = /^(?:0|[1-9]\d{0,3}|-)$/;

/** Returns the schema at a path; undefined if the view has no such field. */
export function shapeAt(view: z.ZodType, steps: readonly string[]): z.ZodType | undefined {
  let shape = view;
  for (const step of steps) {
    const bare = bareOf(shape);
    if (bare instanceof z.ZodArray ? !index.test(step) : !hasField(bare, step)) return undefined;
    shape = innerShape(shape, step);
  }
  return steps.length > 0 ? shape : undefined;
}

/**
 * Sets the value at a path, or removes it if `value` is undefined. The index "-" appends an item to a list.
 * @returns the changed data, and the path with the index in place of "-"; undefined if the list has no item at an index
 */
export function withValue<Data>(
  data: Data,
  view: z.ZodType,
  steps: readonly string[],
  value: unknown,
): { data: Data; steps: string[] } | undefined {
  const known = steps.map((step) => step);
  const placed = put(data, view, 0);
  return placed && { data: placed.node as Data, steps: known };

  function put(node: Node, shape: z.ZodType, depth: number): { node: Node } | undefined {
    const step = known[depth];
    if (step === undefined) return { node: value };
    return bareOf(shape) instanceof z.ZodArray ? inList(node, shape, depth) : inFields(node, shape, depth);
  }

  function inList(node: Node, shape: z.ZodType, depth: number): { node: Node } | undefined {
    const list: Node[] = Array.isArray(node) ? node : [];
    const at = known[depth] === "-" ? list.length : Number(known[depth]);
    if (at > list.length) return undefined;
    known[depth] = String(at);
    const inner = put(list[at], innerShape(shape, ""), depth + 1);
    if (!inner) return undefined;
    const items = inner.node === undefined ? list.toSpliced(at, 1) : Object.assign([...list], { [at]: inner.node });
    return { node: withSequence(items) };
  }

  function inFields(node: Node, shape: z.ZodType, depth: number): { node: Node } | undefined {
    const name = known[depth]!;
    const fields = isFields(node) ? node : {};
    const inner = put(fields[name], innerShape(shape, name), depth + 1);
    if (!inner) return undefined;
    const { [name]: _, ...others } = fields;
    const isLast = depth === known.length - 1;
    return {
      node: {
        ...(isLast ? followed(others, name, value) : others),
        ...(inner.node !== undefined && { [name]: inner.node }),
      },
    };
  }
}

const withSequence = (items: Node[]): Node[] =>
  items.some((item) => isFields(item) && "sequence" in item)
    ? items.map((item, at) => (isFields(item) ? { ...item, sequence: at + 1 } : item))
    : items;

const placing = new Set(["city", "postalCode", "countryCode"]);

/** `normalizedCity` follows a change of `city`, and the coordinates of a changed town are removed. */
function followed(fields: Fields, name: string, value: unknown): Fields {
  const spelling = `normalized${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const next = { ...fields };
  if (spelling in next) {
    if (value === undefined) delete next[spelling];
    else next[spelling] = value;
  }
  if (placing.has(name)) delete next["coordinates"];
  return next;
}

/** Lists all values at and below a path. */
export function leavesOf(node: Node, steps: readonly (string | number)[] = []): { pointer: string; value: Node }[] {
  if (Array.isArray(node)) return node.flatMap((item, at) => leavesOf(item, [...steps, at]));
  if (isFields(node)) return Object.entries(node).flatMap(([name, inner]) => leavesOf(inner, [...steps, name]));
  return node === undefined ? [] : [{ pointer: pointerOf(steps), value: node }];
}

/**
 * Converts a pointer so that it identifies stops by type and index, as in "/locations/Unloading:0/city". It then also
 * applies to documents with another number of stops.
 */
export function fieldOf(pointer: string, data: Node): string {
  const [, list, at, ...rest] = pointer.split("/");
  if (list !== "locations" || at === undefined || !isFields(data) || !Array.isArray(data["locations"])) return pointer;
  const stops = data["locations"] as Fields[];
  const type = stops[Number(at)]?.["type"];
  if (typeof type !== "string") return pointer;
  const before = stops.slice(0, Number(at)).filter((stop) => stop["type"] === type).length;
  return `/locations/${type}:${before}${rest.map((step) => `/${step}`).join("")}`;
}

/** Reverses {@link fieldOf}; undefined if the data has no such stop. */
export function pointerIn(field: string, data: Node): string | undefined {
  const match = /^\/locations\/([A-Za-z]+):(\d+)(.*)$/.exec(field);
  if (!match) return field;
  const stops = isFields(data) && Array.isArray(data["locations"]) ? (data["locations"] as Fields[]) : [];
  const ofType = stops.flatMap((stop, at) => (stop["type"] === match[1] ? [at] : []));
  const at = ofType[Number(match[2])];
  return at === undefined ? undefined : `/locations/${at}${match[3]}`;
}

/** Replaces the list indexes in a pointer by "*", for metrics. */
export const fieldName = (pointer: string): string => pointer.replace(/\/(?:\d+|[A-Za-z]+:\d+)(?=\/|$)/g, "/*");

/**
 * Adapts evidence to changed data. Evidence of removed values is dropped; evidence of changed values gets the new value
 * and the source `Computed`.
 */
export const inStep = (evidence: readonly Evidence[], data: Node): Evidence[] =>
  evidence.flatMap((each) => {
    const value = valueAt(data, stepsOf(each.pointer));
    if (value === undefined) return [];
    return value === each.value
      ? [each]
      : [{ pointer: each.pointer, value, confidence: each.confidence, source: "Computed" }];
  });

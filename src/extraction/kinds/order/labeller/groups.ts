import { FieldValue } from "../../../fields/confidence/field-value.ts";
import type { Segment } from "../../../layout/layout.ts";
import type { Stop } from "../../../fields/route/stops.ts";
import type { OrderDraft, TransportAnalysis } from "../../transport.ts";

/** Names and values of the signs of a candidate. */
export type Signs = Record<string, number>;

/** Who has fields: the order, one of its parties, or a stop. */
export type Scope = "order" | "customer" | "carrier" | "stop";

/** One owner of fields, with the text where its known values are printed. */
export interface Group {
  scope: Scope;
  /** Index of a stop. */
  index: number;
  stop?: Stop;
  anchors: { segment: Segment; start: number }[];
  /** Names of the fields that have a value. */
  known: ReadonlySet<string>;
  /** Confidence of the values that it has, by the name of their field. */
  sure: ReadonlyMap<string, number>;
}

/** A piece of text that gave a value of the draft. */
export interface Use {
  segment: Segment;
  start: number;
  end: number;
  /** "locations/cargo/weight" */
  path: string;
  scope: Scope;
  index: number;
  confidence: number;
}

/** Lists the values of a draft that were found in the text, with their field and owner. */
export function usesOf(draft: OrderDraft): Use[] {
  const uses: Use[] = [];
  const walk = (node: unknown, path: string, scope: Scope, index: number): void => {
    if (node instanceof FieldValue) {
      if (node.span) uses.push({ ...node.span, path, scope, index, confidence: node.confidence });
    } else if (Array.isArray(node)) node.forEach((each) => walk(each, path, scope, index));
    else if (typeof node === "object" && node !== null)
      for (const [name, inner] of Object.entries(node)) walk(inner, `${path}/${name}`, scope, index);
  };
  for (const [name, node] of Object.entries(draft)) {
    if (name === "locations") (node as unknown[]).forEach((stop, index) => walk(stop, "stop", "stop", index));
    else walk(node, name, name === "customer" || name === "carrier" ? name : "order", 0);
  }
  return uses;
}

const addressed = /\/(?:name|street|city|postalCode|vatCode|type)$/;

/** The owners of fields in a draft: the order, both parties and each stop. */
export function groupsOf({ route }: TransportAnalysis, draft: OrderDraft, uses: readonly Use[]): Group[] {
  const group = (scope: Scope, index: number, node: unknown, stop?: Stop): Group => ({
    scope,
    index,
    ...(stop && { stop }),
    anchors: anchorsOf(uses, scope, index, stop),
    known: namesIn(node),
    sure: new Map(confidencesIn(node)),
  });
  return [
    group("order", 0, draft),
    group("customer", 0, draft.customer),
    group("carrier", 0, draft.carrier),
    ...route.stops.map((stop, index) => group("stop", index, draft.locations?.[index], stop)),
  ];
}

function anchorsOf(uses: readonly Use[], scope: Scope, index: number, stop?: Stop): Group["anchors"] {
  const own = uses.filter((use) => use.scope === scope && use.index === index && addressed.test(use.path));
  const { address, heads = [] } = stop ?? {};
  return [
    ...own,
    ...(address ? [{ segment: address.place.segment, start: address.place.entity.start }, address.first] : []),
    ...heads.map(({ label }) => ({ segment: label.segment, start: label.start })),
  ].map(({ segment, start }) => ({ segment, start }));
}

function namesIn(node: unknown, prefix = ""): Set<string> {
  if (typeof node !== "object" || node === null || node instanceof FieldValue) return new Set();
  const list = Array.isArray(node) ? node.map((each) => ["", each] as const) : Object.entries(node);
  return new Set(
    list.flatMap(([name, inner]) => {
      const path = name ? `${prefix}/${name}` : prefix;
      return inner === undefined ? [] : [path, ...namesIn(inner, path)];
    }),
  );
}

function confidencesIn(node: unknown, prefix = ""): [string, number][] {
  if (node instanceof FieldValue) return [[prefix, node.confidence]];
  if (Array.isArray(node)) return node.flatMap((each) => confidencesIn(each, prefix));
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, inner]) => confidencesIn(inner, `${prefix}/${name}`));
}

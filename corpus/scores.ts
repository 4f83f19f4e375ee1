import { isCritical } from "./critical.ts";
import { compare, type Json, type Leaf } from "./compare.ts";

/** A document of which every leaf of the truth was compared with what a service read. */
export interface ScoredDocument {
  /** "koch-bremen/004.pdf" */
  file: string;
  kind: string;
  language: string;
  leaves: Leaf[];
  milliseconds: number;
}

/**
 * Compares what was read from a document with its truth: one element for each order or request, one for other kinds, none for a
 * document that was refused. A document that is no freight document must be refused.
 */
export function compareDocument(kind: string, truth: Json, read: Json[]): Leaf[] {
  if (kind === "notfreight") return [{ path: "(refused)", outcome: read.length === 0 ? "right" : "wrong" }];
  const truths = Array.isArray(truth) ? truth : [truth];
  return [
    ...truths.flatMap((each, at) => compare(each, read[at])),
    ...read.slice(truths.length).map((value): Leaf => ({ path: "(one more)", outcome: "wrong", read: value })),
  ];
}

/** Makes a Markdown table with a row for each kind of document and one for all. */
export function scoreTable(documents: readonly ScoredDocument[]): string {
  const kinds = Map.groupBy(documents, ({ kind }) => kind);
  return [
    "| | documents | F1 | precision | recall | right as a whole | critical fields right | no wrong value | refused | ms |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...[...kinds].toSorted(([one], [other]) => one.localeCompare(other)).map(([kind, some]) => row(kind, some)),
    row("all", documents),
  ].join("\n");
}

function row(name: string, documents: readonly ScoredDocument[]): string {
  const leaves = documents.flatMap((each) => each.leaves);
  const right = leaves.filter(({ outcome }) => outcome === "right").length;
  const wrong = leaves.filter(({ outcome }) => outcome === "wrong").length;
  const expected = leaves.filter(({ outcome, expected }) => outcome === "right" || hasValue(expected)).length;
  const [precision, recall] = [right / (right + wrong || 1), right / (expected || 1)];
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  const share = (isSo: (document: ScoredDocument) => boolean) =>
    `${Math.round((100 * documents.filter(isSo).length) / (documents.length || 1))} %`;
  const cells = [
    ...[f1, precision, recall].map((figure) => figure.toFixed(3)),
    share((document) => document.leaves.every(({ outcome }) => outcome === "right")),
    share(({ kind, leaves }) =>
      leaves.every(({ path, outcome }) => outcome === "right" || !isCritical(kind, fieldOf(path))),
    ),
    share((document) => document.leaves.every(({ outcome }) => outcome !== "wrong")),
    share((document) => document.leaves.every(({ outcome }) => outcome === "missed")),
    Math.round(median(documents.map(({ milliseconds }) => milliseconds))),
  ];
  return `| ${[name, documents.length, ...cells].join(" | ")} |`;
}

/** "locations[].city" as "locations/city". */
const fieldOf = (path: string): string => path.replaceAll("[]", "").replaceAll(".", "/");

const hasValue = (value: Json): boolean => value !== undefined && value !== null && value !== "";

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

/** Lists the paths of the truth with most errors: how many values were right, wrong and missed. */
export function fieldTable(documents: readonly ScoredDocument[]): string {
  const fields = Map.groupBy(
    documents.flatMap(({ kind, leaves }) => leaves.map((leaf) => ({ ...leaf, field: `${kind} ${leaf.path}` }))),
    ({ field }) => field,
  );
  const rows = [...fields].map(([field, leaves]) => {
    const count = (wanted: string) => leaves.filter(({ outcome }) => outcome === wanted).length;
    return { field, right: count("right"), wrong: count("wrong"), missed: count("missed") };
  });
  return [
    "| field | right | wrong | missed |",
    "|---|---:|---:|---:|",
    ...rows
      .toSorted((one, other) => other.wrong + other.missed - one.wrong - one.missed)
      .map(({ field, right, wrong, missed }) => `| ${field} | ${right} | ${wrong} | ${missed} |`),
  ].join("\n");
}

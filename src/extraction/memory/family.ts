import type { KindName } from "../kinds/kinds.ts";
import { hash32 } from "./hash.ts";
import type { AnnotatedPage, Form } from "./lesson.ts";
import { masked, weights } from "./positions.ts";

/** A value found in a corrected document: what stood around it, and how it was written. */
export interface Place {
  /** Pointer to the field. Stops are identified by their type only, as in "/locations/Unloading/postalCode". */
  field: string;
  form: Form;
  /** For each aspect of a position, what it was and how often. */
  features: [feature: number, times: number][][];
  /** Number of values that were found here. */
  seen: number;
  /** How often a value that was read here was right or wrong. */
  right: number;
  wrong: number;
  feedbackId: string;
}

/** How often the values of a field were right. */
export interface FieldRecord {
  /** Values that the engine extracted without memory; those read at places of the family. */
  engine: { right: number; wrong: number };
  memory: { right: number; wrong: number };
}

/** What is known of a layout from corrected documents of a company. */
export interface Family {
  kind: KindName;
  /** Hashes of the texts of the layout, with the number of documents that contain them. */
  texts: [text: number, documents: number][];
  documents: number;
  places: Place[];
  record: Record<string, FieldRecord>;
}

export const newFamily = (kind: KindName): Family => ({ kind, texts: [], documents: 0, places: [], record: {} });

const mostTexts = 96;
const columns = 8;

/** Hashes of the short texts of a document that may belong to its layout, with their columns. */
export function layoutTexts({ annotations }: AnnotatedPage): number[] {
  const { layout, labels, entitiesIn } = annotations;
  const texts = new Set<number>();
  const add = (text: string, page: number, x: number) => {
    const letters = masked(text);
    const width = layout.pages[page - 1]?.width ?? 1;
    if (letters.length > 1) texts.add(hash32(`${letters} ${Math.round((columns * x) / width)}`));
  };
  for (const { segment, start, end } of labels) add(segment.text.slice(start, end), segment.page, segment.box.x0);
  for (const { text, index, page, box } of layout.segments)
    if (text.length < 60 && !/\d/.test(text) && (entitiesIn[index] ?? []).length === 0) add(text, page, box.x0);
  // The smallest hashes are a sample of the texts that is the same for similar documents.
  return [...texts].sort((a, b) => a - b).slice(0, mostTexts);
}

/** The share of the texts of both that a layout and a document have in common, 0..1. */
export function similarity(known: Family["texts"], documents: number, texts: readonly number[]): number {
  const timesBy = new Map(known);
  const weight = (text: number) => (timesBy.get(text) ?? 0) / documents;
  const shared = texts.reduce((sum, text) => sum + weight(text), 0);
  const all = known.reduce((sum, [, times]) => sum + (times / documents) ** 2, 0);
  return shared / (all + texts.length - shared || 1);
}

export function addTexts(known: Family["texts"], texts: readonly number[]): Family["texts"] {
  const counts = new Map(known);
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, mostTexts);
}

/** How often this was there, of several alternatives. */
function timesOf(known: Place["features"][number], feature: number): number {
  for (const [each, times] of known) if (each === feature) return times;
  return 0;
}

/** How much of what stood around a place also stands around a position, 0..1. */
export function likeness({ features, seen }: Place, position: readonly number[]): number {
  let [sum, most] = [0, 0];
  for (const [aspect, known] of features.entries()) {
    const weight = weights[aspect]!;
    most += known.length > 0 ? (weight * known[0]![1]) / seen : weight / 2;
    sum += known.length > 0 ? (weight * timesOf(known, position[aspect]!)) / seen : position[aspect] ? 0 : weight / 2;
  }
  return sum / most;
}

/** For each aspect, how often it was as it is here; then for each, how constantly it was otherwise; and how much is known. */
export const evidenceOfFit = (place: Place, position: readonly number[]): number[] => {
  const signs = Array.from({ length: 2 * place.features.length + 1 }, () => 0);
  visitEvidence(place, position, (sign, value) => (signs[sign] = value));
  return signs;
};

function visitEvidence(
  { features, seen }: Place,
  position: readonly number[],
  visit: (sign: number, value: number) => void,
): void {
  const count = features.length;
  for (let aspect = 0; aspect < count; aspect += 1) {
    const known = features[aspect]!;
    const times = timesOf(known, position[aspect]!);
    if (times > 0) visit(aspect, times / seen);
    else if (known.length > 0) visit(count + aspect, known[0]![1] / seen);
    else if (position[aspect]) visit(count + aspect, 1);
  }
  visit(2 * count, Math.log(seen));
}

/** Trained by `training/measure-corrections.ts --pairs`. */
const fitBias = 1.06;
const fitWeights = [
  -0.31, 0.34, 0.04, 0.76, 1.1, 0.46, 0.57, -0.28, -0.28, 0.33, 0.04, -0.28, 0.22, -0.01, -0.68, 0.02, 1.23, -0.15,
  -2.12, 0.33, 0.26, 0.02, 0.11, 0.05, 0.18, -0.31, -0.02, -0.38, -0.22, -0.28, -0.12, -0.42, -0.72, -1.91, -1.54,
  -0.63, -0.32,
];

/** The probability that the value at a position is one of this place. */
export function fitness(place: Place, position: readonly number[]): number {
  let score = fitBias;
  visitEvidence(place, position, (sign, value) => (score += value * fitWeights[sign]!));
  return 1 / (1 + Math.exp(-score));
}

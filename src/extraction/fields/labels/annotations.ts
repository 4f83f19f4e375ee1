import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Gazetteer } from "../../lexicon/gazetteer.ts";
import type { Budget } from "../../problem.ts";
import type { Entity, EntityOf, EntityType, SeeingContext } from "../../entities/entity.ts";
import { seeScanned } from "../../entities/misread-towns.ts";
import { see } from "../../entities/see.ts";
import { labelledValues, settled } from "./label-values.ts";
import { labelsOf, type Label } from "./label.ts";
import type { Layout, Segment } from "../../layout/layout.ts";
import { searched } from "../../layout/text-limit.ts";
import { actLetters } from "./stop-type-codes.ts";

export type { Label, Standing } from "./label.ts";

/** Something where it stands on the page. */
export interface OnPage<Kind> {
  segment: Segment;
  entity: Kind;
}

/** An entity where it stands on the page. */
export type Sighting<T extends EntityType = EntityType> = OnPage<EntityOf<T>>;

/** All labels and entities of a document. */
export interface Annotations {
  layout: Layout;
  labels: Label[];
  /** By segment index. */
  labelsIn: Label[][];
  /** By segment index. */
  entitiesIn: Entity[][];
}

/** Looks at every segment once. */
export function mark(layout: Layout, context: SeeingContext, gazetteer: Gazetteer, budget: Budget): Annotations {
  const marks: Annotations = { layout, labels: [], labelsIn: [], entitiesIn: [] };
  const isSearched = searched(layout.parts);
  for (const segment of layout.segments) {
    budget.check();
    if (!isSearched(segment)) {
      marks.entitiesIn.push([]);
      marks.labelsIn.push([]);
      continue;
    }
    const seen = seenInWords(segment, context, gazetteer);
    const labels = labelsOf(segment, seen, context.languages);
    marks.entitiesIn.push(settled([...seen, ...labelledValues(segment.text, labels, seen)], labels));
    for (const label of labels) label.index = marks.labels.push(label) - 1;
    marks.labelsIn.push(labels);
  }
  return withLetters(marks, context.languages);
}

/** Letters that stand for words are labels as the words are. */
function withLetters(marks: Annotations, languages: readonly string[]): Annotations {
  const letters = actLetters(marks, languages);
  if (letters.length === 0) return marks;
  for (const label of letters) marks.labelsIn[label.segment.index] = [label];
  const labels = marks.labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  return { ...marks, labels };
}

/** Cells of a table say the same again and again, and a row of it once more when it is read by itself. */
const seenByText = new WeakMap<SeeingContext, Map<string, readonly Entity[]>>();
const longestKept = 80;
const mostKept = 20_000;

/** The words' entities, each time as objects of their own. */
function seenInWords({ text, tokens }: Segment, context: SeeingContext, gazetteer: Gazetteer): Entity[] {
  const isScanned = tokens.some(({ source }) => source === "Ocr");
  const look = () => (isScanned ? seeScanned : see)(text, context, gazetteer);
  if (text.length > longestKept) return look();
  const kept = seenByText.get(context) ?? new Map<string, readonly Entity[]>();
  seenByText.set(context, kept);
  const key = isScanned ? `scanned: ${text}` : text;
  const known = kept.get(key) ?? look();
  if (kept.size < mostKept) kept.set(key, known);
  return known.map((entity) => ({ ...entity }));
}

/** Every entity of a type in reading order, once the marks are complete: all stops ask for the same ones. */
export function sightings<T extends EntityType>(
  marks: Annotations,
  type: T,
  segments?: readonly Segment[],
): readonly Sighting<T>[] {
  if (segments) return seenIn(marks, type, segments);
  const known = seenBefore.get(marks) ?? new Map<EntityType, readonly Sighting[]>();
  seenBefore.set(marks, known);
  const all = known.get(type) ?? seenIn(marks, type, marks.layout.segments);
  known.set(type, all);
  return all as readonly Sighting<T>[];
}

const seenBefore = new WeakMap<Annotations, Map<EntityType, readonly Sighting[]>>();

function seenIn<T extends EntityType>(marks: Annotations, type: T, segments: readonly Segment[]): Sighting<T>[] {
  return segments.flatMap((segment) =>
    (marks.entitiesIn[segment.index] ?? [])
      .filter((entity): entity is EntityOf<T> => entity.type === type)
      .map((entity) => ({ segment, entity })),
  );
}

/** How much the label means one of the concepts, 0..1. */
export function meaning(label: Label, concepts: ReadonlySet<ConceptId>): number {
  return Math.max(0, ...label.meanings.filter((each) => concepts.has(each.concept)).map((each) => each.weight));
}

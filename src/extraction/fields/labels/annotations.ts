import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Gazetteer } from "../../lexicon/gazetteer.ts";
import type { Budget } from "../../problem.ts";
import type { Entity, EntityOf, EntityType, DocumentLocale } from "../../entities/entity.ts";
import { findEntitiesInScan } from "../../entities/misread-towns.ts";
import { findEntities } from "../../entities/find-entities.ts";
import { labelledValues, withoutContradicted } from "./label-values.ts";
import { labelsOf, type Label } from "./label.ts";
import type { Layout, Segment } from "../../layout/layout.ts";
import { isSearchedSegment } from "../../layout/text-limit.ts";
import { findStopTypeCodes } from "./stop-type-codes.ts";

export type { Label, Standing } from "./label.ts";

/** A value with its segment. */
export interface Located<Kind> {
  segment: Segment;
  entity: Kind;
}

/** An entity with its segment. */
export type LocatedEntity<T extends EntityType = EntityType> = Located<EntityOf<T>>;

/** All labels and entities of a document. */
export interface Annotations {
  layout: Layout;
  labels: Label[];
  /** Labels by segment index. */
  labelsIn: Label[][];
  /** Entities by segment index. */
  entitiesIn: Entity[][];
}

/** Finds the labels and entities of every segment. */
export function annotate(layout: Layout, context: DocumentLocale, gazetteer: Gazetteer, budget: Budget): Annotations {
  const annotations: Annotations = { layout, labels: [], labelsIn: [], entitiesIn: [] };
  const isSearched = isSearchedSegment(layout.parts);
  for (const segment of layout.segments) {
    budget.check();
    if (!isSearched(segment)) {
      annotations.entitiesIn.push([]);
      annotations.labelsIn.push([]);
      continue;
    }
    const seen = entitiesOfSegment(segment, context, gazetteer);
    const labels = labelsOf(segment, seen, context.languages);
    annotations.entitiesIn.push(withoutContradicted([...seen, ...labelledValues(segment.text, labels, seen)], labels));
    for (const label of labels) label.index = annotations.labels.push(label) - 1;
    annotations.labelsIn.push(labels);
  }
  return withLetters(annotations, context.languages);
}

/** Adds labels for stop type codes, such as "B" for "Beladen" (loading) and "E" for "Entladen" (unloading). */
function withLetters(annotations: Annotations, languages: readonly string[]): Annotations {
  const letters = findStopTypeCodes(annotations, languages);
  if (letters.length === 0) return annotations;
  for (const label of letters) annotations.labelsIn[label.segment.index] = [label];
  const labels = annotations.labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  return { ...annotations, labels };
}

/** Caches entities by text, because cells repeat within a table, and each part of a document is annotated again. */
const seenByText = new WeakMap<DocumentLocale, Map<string, readonly Entity[]>>();
const longestKept = 80;
const mostKept = 20_000;

/** Cached entities are copied, so that each segment has its own objects. */
function entitiesOfSegment({ text, tokens }: Segment, context: DocumentLocale, gazetteer: Gazetteer): Entity[] {
  const isScanned = tokens.some(({ source }) => source === "Ocr");
  const look = () => (isScanned ? findEntitiesInScan : findEntities)(text, context, gazetteer);
  if (text.length > longestKept) return look();
  const kept = seenByText.get(context) ?? new Map<string, readonly Entity[]>();
  seenByText.set(context, kept);
  const key = isScanned ? `scanned: ${text}` : text;
  const known = kept.get(key) ?? look();
  if (kept.size < mostKept) kept.set(key, known);
  return known.map((entity) => ({ ...entity }));
}

/**
 * Returns all entities of a type in reading order. They are cached because every stop needs them, so the annotations
 * must be complete before the first call.
 */
export function entitiesOfType<T extends EntityType>(
  annotations: Annotations,
  type: T,
  segments?: readonly Segment[],
): readonly LocatedEntity<T>[] {
  if (segments) return entitiesIn(annotations, type, segments);
  const known = entitiesByType.get(annotations) ?? new Map<EntityType, readonly LocatedEntity[]>();
  entitiesByType.set(annotations, known);
  const all = known.get(type) ?? entitiesIn(annotations, type, annotations.layout.segments);
  known.set(type, all);
  return all as readonly LocatedEntity<T>[];
}

const entitiesByType = new WeakMap<Annotations, Map<EntityType, readonly LocatedEntity[]>>();

function entitiesIn<T extends EntityType>(
  annotations: Annotations,
  type: T,
  segments: readonly Segment[],
): LocatedEntity<T>[] {
  return segments.flatMap((segment) =>
    (annotations.entitiesIn[segment.index] ?? [])
      .filter((entity): entity is EntityOf<T> => entity.type === type)
      .map((entity) => ({ segment, entity })),
  );
}

/** Returns the highest weight with which the label means any of the concepts, 0..1. */
export function weightFor(label: Label, concepts: ReadonlySet<ConceptId>): number {
  return Math.max(0, ...label.meanings.filter((each) => concepts.has(each.concept)).map((each) => each.weight));
}

import type { Entity, EntityOf, EntityType, ScoredSpan } from "../../entities/entity.ts";
import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import type { Budget } from "../../problem.ts";
import { valueAreasOf, type ValueArea } from "./value-areas.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Annotations, Label, Located } from "./annotations.ts";
import { classScore, classWeights, logistic } from "../../linear-model.ts";
import model from "./weights.json" with { type: "json" };
import { keepSegments } from "../../layout/split.ts";

/** A query for entities of some types at labels with some concepts, each list in order of preference. */
interface FieldQuery<T extends EntityType> {
  concepts: readonly ConceptId[];
  types: readonly T[];
}

/** An entity and its label. */
export type FieldCandidate<T extends EntityType = EntityType> = Labelled<EntityOf<T>>;

interface Labelled<Kind> extends Located<Kind> {
  label: Label;
  concept: ConceptId;
  way: ValueArea["way"];
  /** 0..1, from the logistic model over the features. */
  score: number;
  /** Undefined if the candidate was accepted by its shape alone. */
  features?: Features;
}

type Feature = keyof typeof model.weights;
/** Features of one candidate for the model. */
export type Features = Partial<Record<Feature, number>>;

const weights = classWeights(model, "valueOfLabel")!;

/** Returns the probability that a value with these features belongs to its label. */
export const scoreFeatures = (features: Features): number => logistic(classScore(weights, Object.entries(features)));

/** A document with its annotations, for the extractors of fields. */
export interface DocumentContext {
  annotations: Annotations;
  /** Segments of continuous text: conditions, letters, remarks. */
  prose: ReadonlySet<Segment>;
  languages: readonly string[];
  countries: readonly string[];
  /** Time budget. Each search of the whole document checks it. */
  budget: Budget;
}

/** Finds all candidates for a query, best first. They are cached, because each stop repeats its queries. */
export function findCandidates<T extends EntityType>(
  document: DocumentContext,
  wanted: FieldQuery<T>,
): readonly FieldCandidate<T>[] {
  const known = askedBefore.get(document) ?? new Map<string, readonly FieldCandidate[]>();
  askedBefore.set(document, known);
  const question = `${wanted.concepts.join()}/${wanted.types.join()}`;
  const answer = known.get(question) ?? searched(document, wanted);
  known.set(question, answer);
  return answer as readonly FieldCandidate<T>[];
}

const askedBefore = new WeakMap<DocumentContext, Map<string, readonly FieldCandidate[]>>();

function searched<T extends EntityType>(document: DocumentContext, wanted: FieldQuery<T>): FieldCandidate<T>[] {
  document.budget.check();
  const found: FieldCandidate<T>[] = [];
  for (const label of document.annotations.labels) {
    const concept = bestConcept(label, wanted.concepts);
    if (!concept) continue;
    for (const area of valueAreasOf(document.annotations, label)) {
      for (const entity of entitiesIn(document.annotations, area, wanted.types)) {
        const features = { ...featuresOf(document, label, area, entity), ...rankOf(wanted, concept, entity.type) };
        found.push({
          segment: area.segment,
          entity,
          label,
          concept,
          way: area.way,
          score: scoreFeatures(features),
          features,
        });
      }
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

/** Returns the most likely of the label's meanings among the given concepts. */
export function bestConcept(label: Label, concepts: readonly ConceptId[]): ConceptId | undefined {
  return label.meanings.filter((each) => concepts.includes(each.concept)).sort((a, b) => b.weight - a.weight)[0]
    ?.concept;
}

/** Returns the entities of some types in an area, in order of position. */
export function entitiesIn<T extends EntityType>(
  annotations: Annotations,
  area: ValueArea,
  types: readonly T[],
): EntityOf<T>[] {
  return (annotations.entitiesIn[area.segment.index] ?? []).filter(
    (entity): entity is EntityOf<T> =>
      (types as readonly string[]).includes(entity.type) && entity.start >= area.start && entity.end <= area.end,
  );
}

/** Assigns at most one entity to each field and one field to each entity, greedily by score. */
export function assign<Name extends string, T extends EntityType>(
  choices: readonly { field: Name; candidate: FieldCandidate<T> }[],
  least = 0.3,
): Map<Name, FieldCandidate<T>> {
  const taken = new Set<Entity>();
  const chosen = new Map<Name, FieldCandidate<T>>();
  for (const { field, candidate } of [...choices].sort((a, b) => b.candidate.score - a.candidate.score)) {
    if (candidate.score < least || chosen.has(field) || taken.has(candidate.entity)) continue;
    chosen.set(field, candidate);
    taken.add(candidate.entity);
  }
  return chosen;
}

/** Computes the features of an entity in one of a label's areas. */
export function featuresOf(
  document: DocumentContext,
  label: Label,
  area: ValueArea,
  entity: ScoredSpan & { type?: EntityType },
): Features {
  const weight = Math.max(...label.meanings.map((each) => each.weight));
  const way = area.way.toLowerCase() as "same" | "right" | "below" | "before";
  const letters = area.way === "Before" ? label.start - entity.end : entity.start - area.start;
  return {
    [way]: 1,
    gapRight: area.way === "Right" ? area.gap : 0,
    gapBelow: area.way === "Below" ? area.gap : 0,
    order: area.order,
    crossed: area.crossed,
    letters: Math.min(60, Math.max(0, letters)),
    entity: entity.score - 0.5,
    label: weight - 0.5,
    [label.standing.toLowerCase()]: 1,
    bold: label.segment.bold ? 1 : 0,
    prose: document.prose.has(area.segment) ? 1 : 0,
    quoted: document.annotations.layout.parts[area.segment.part]?.quoted ? 1 : 0,
    nearer: hasNearerLabel(document.annotations, label, area, entity) ? 1 : 0,
    page: area.segment.page - 1,
  };
}

function rankOf<T extends EntityType>(wanted: FieldQuery<T>, concept: ConceptId, type: EntityType): Features {
  return { conceptRank: wanted.concepts.indexOf(concept), typeRank: (wanted.types as readonly string[]).indexOf(type) };
}

function hasNearerLabel(
  annotations: Annotations,
  label: Label,
  area: ValueArea,
  entity: ScoredSpan & { type?: EntityType },
): boolean {
  return (annotations.labelsIn[area.segment.index] ?? []).some((other) => {
    if (other === label || (other.segment === label.segment && other.start === label.start)) return false;
    const between =
      area.way === "Before"
        ? other.start >= entity.end && other.end <= label.start
        : other.end <= entity.start && other.start >= area.start;
    return (
      between && other.meanings.some((each) => conceptOf(each.concept).expects.includes(entity.type ?? "Reference"))
    );
  });
}

/** Returns the document with only some of its segments, and with their labels and entities. */
export function withSegments(document: DocumentContext, wanted: (segment: Segment) => boolean): DocumentContext {
  const { annotations } = document;
  const before = annotations.layout.segments.filter(wanted);
  const layout = keepSegments(annotations.layout, wanted);
  const labelsIn = before.map((old, at) =>
    (annotations.labelsIn[old.index] ?? []).map((label) => ({ ...label, segment: layout.segments[at]! })),
  );
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  const entitiesIn: Annotations["entitiesIn"] = before.map((old) => annotations.entitiesIn[old.index] ?? []);
  const prose = new Set(layout.segments.filter((_, at) => document.prose.has(before[at]!)));
  return { ...document, annotations: { layout, labels, labelsIn, entitiesIn }, prose };
}

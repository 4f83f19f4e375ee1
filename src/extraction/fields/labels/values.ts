import type { Entity, EntityOf, EntityType, Span } from "../../entities/entity.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { conceptOf } from "../../lexicon/concepts.ts";
import type { Budget } from "../../problem.ts";
import { areasOf, type Area } from "./areas.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations, OnPage } from "./annotations.ts";
import { classScore, classWeights, logistic } from "../../linear-model.ts";
import model from "./weights.json" with { type: "json" };

/** What is looked for: labels that mean one of the concepts (best first), values of one of the types (best first). */
export interface Wanted<T extends EntityType> {
  concepts: readonly ConceptId[];
  types: readonly T[];
}

/** An entity and the label that says what it is. */
export type Candidate<T extends EntityType = EntityType> = Labelled<EntityOf<T>>;

interface Labelled<Kind> extends OnPage<Kind> {
  label: Label;
  concept: ConceptId;
  way: Area["way"];
  /** 0..1, from the logistic model over the features. */
  score: number;
  /** None where a shape was believed without being weighed. */
  features?: Features;
}

type Feature = keyof typeof model.weights;
/** What the model is told of one candidate. */
export type Features = Partial<Record<Feature, number>>;

const weights = classWeights(model, "valueOfLabel")!;

/** Probability that a value with these features belongs to its label. */
export const weigh = (features: Features): number => logistic(classScore(weights, Object.entries(features)));

/** What of the surroundings the model may ask for. */
export interface DocumentContext {
  marks: Annotations;
  /** Running text: conditions, letters, remarks. */
  prose: ReadonlySet<Segment>;
  languages: readonly string[];
  countries: readonly string[];
  /** Asked wherever the whole document is searched. */
  budget: Budget;
}

/** All values of the wanted kind that stand where the wanted labels point, best first. Every stop asks the same again. */
export function candidates<T extends EntityType>(around: DocumentContext, wanted: Wanted<T>): readonly Candidate<T>[] {
  const known = askedBefore.get(around) ?? new Map<string, readonly Candidate[]>();
  askedBefore.set(around, known);
  const question = `${wanted.concepts.join()}/${wanted.types.join()}`;
  const answer = known.get(question) ?? searched(around, wanted);
  known.set(question, answer);
  return answer as readonly Candidate<T>[];
}

const askedBefore = new WeakMap<DocumentContext, Map<string, readonly Candidate[]>>();

function searched<T extends EntityType>(around: DocumentContext, wanted: Wanted<T>): Candidate<T>[] {
  around.budget.check();
  const found: Candidate<T>[] = [];
  for (const label of around.marks.labels) {
    const concept = bestConcept(label, wanted.concepts);
    if (!concept) continue;
    for (const area of areasOf(around.marks, label)) {
      for (const entity of entitiesIn(around.marks, area, wanted.types)) {
        const features = { ...featuresOf(around, label, area, entity), ...rankOf(wanted, concept, entity.type) };
        found.push({ segment: area.segment, entity, label, concept, way: area.way, score: weigh(features), features });
      }
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

/** The label's likeliest meaning among the wanted ones. */
export function bestConcept(label: Label, concepts: readonly ConceptId[]): ConceptId | undefined {
  return label.meanings.filter((each) => concepts.includes(each.concept)).sort((a, b) => b.weight - a.weight)[0]
    ?.concept;
}

/** The entities of an area in the order of the types, then of the text. */
export function entitiesIn<T extends EntityType>(marks: Annotations, area: Area, types: readonly T[]): EntityOf<T>[] {
  return (marks.entitiesIn[area.segment.index] ?? []).filter(
    (entity): entity is EntityOf<T> =>
      (types as readonly string[]).includes(entity.type) && entity.start >= area.start && entity.end <= area.end,
  );
}

/** One entity for each field and one field for each entity, so that the sum of the scores is as high as greed makes it. */
export function assign<Name extends string, T extends EntityType>(
  choices: readonly { field: Name; candidate: Candidate<T> }[],
  least = 0.3,
): Map<Name, Candidate<T>> {
  const taken = new Set<Entity>();
  const chosen = new Map<Name, Candidate<T>>();
  for (const { field, candidate } of [...choices].sort((a, b) => b.candidate.score - a.candidate.score)) {
    if (candidate.score < least || chosen.has(field) || taken.has(candidate.entity)) continue;
    chosen.set(field, candidate);
    taken.add(candidate.entity);
  }
  return chosen;
}

/** What the model is told of a value in one of the label's areas. */
export function featuresOf(
  around: DocumentContext,
  label: Label,
  area: Area,
  entity: Span & { type?: EntityType },
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
    prose: around.prose.has(area.segment) ? 1 : 0,
    quoted: around.marks.layout.parts[area.segment.part]?.quoted ? 1 : 0,
    nearer: nearerLabel(around.marks, label, area, entity) ? 1 : 0,
    page: area.segment.page - 1,
  };
}

function rankOf<T extends EntityType>(wanted: Wanted<T>, concept: ConceptId, type: EntityType): Features {
  return { conceptRank: wanted.concepts.indexOf(concept), typeRank: (wanted.types as readonly string[]).indexOf(type) };
}

/** Another label stands between, and it asks for values of this type too. */
function nearerLabel(marks: Annotations, label: Label, area: Area, entity: Span & { type?: EntityType }): boolean {
  return (marks.labelsIn[area.segment.index] ?? []).some((other) => {
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

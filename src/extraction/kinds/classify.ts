import type { EntityType } from "../entities/entity.ts";
import { entitiesOfType } from "../fields/labels/annotations.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import type { Segment } from "../layout/layout.ts";
import { rankedClasses, type LinearModel } from "../linear-model.ts";
import model from "./kind-model.json" with { type: "json" };
import type { KindName } from "./kinds.ts";
import { featureScores, thresholds } from "./scores.ts";

/** Classes that are recognised, but not extracted as documents. */
export const otherClasses = ["statement", "other"] as const;

export type DocumentKind = KindName | (typeof otherClasses)[number];

/** A kind, and the probability that the document is of this kind. */
export interface LikelyKind {
  kind: DocumentKind;
  confidence: number;
}

/**
 * Ranks all kinds that the model knows, the likeliest first. Their confidences add up to 1. A kind that the model does
 * not know is extracted only on request.
 */
export const classifyDocument = (document: DocumentContext): LikelyKind[] => rankKinds(kindFeatures(document), model);

export const rankKinds = (features: KindFeatures, by: LinearModel): LikelyKind[] =>
  rankedClasses<DocumentKind>(by, features).map(({ class: kind, probability }) => ({ kind, confidence: probability }));

/** Returns the likeliest kind. Undefined if its probability is low. */
export function likelyKind(document: DocumentContext): DocumentKind | undefined {
  const [first] = classifyDocument(document);
  return first && first.confidence >= thresholds.kind ? first.kind : undefined;
}

/** Features of a document by name, with their strengths (0..1). */
export type KindFeatures = Map<string, number>;

/**
 * The beginning of a document shows its kind: only these pages are considered, and these rows of the first page are its
 * top.
 */
const maxPages = 3;
const topRows = 12;
const counted: readonly EntityType[] = [
  "Date",
  "Time",
  "Amount",
  "Quantity",
  "Temperature",
  "Percent",
  "Vat",
  "Iban",
  "Phone",
  "Plate",
  "Container",
  "Vin",
  "Incoterm",
  "Company",
  "Street",
  "Place",
];
/** More entities of a type do not raise the feature of that type. */
const maxCounted = 12;
const machineReadable = /^[A-Z0-9<]{28,46}$/;
const numberedBox = /^\(?(\d{1,2})(?:[.):]|\s|$)/;
const licenceField = /^(?:4[abcd]|[1-9])\.?(?:\s|$)/;

/**
 * Computes the features of a document, which do not depend on its language: trade terms and their position, entity
 * types, layout.
 */
export function kindFeatures({ annotations, prose }: DocumentContext): KindFeatures {
  const { layout } = annotations;
  const firstPage = layout.segments[0]?.page ?? 1;
  const lastPage = firstPage + maxPages - 1;
  const segments = layout.segments.filter(({ page }) => page <= lastPage);
  const features: KindFeatures = new Map([["one", 1]]);
  const raise = (name: string, strength: number) => features.set(name, Math.max(features.get(name) ?? 0, strength));
  for (const label of annotations.labels) {
    if (label.segment.page > lastPage) continue;
    const alone = label.standing !== "Loose" && !prose.has(label.segment);
    for (const { concept, weight } of label.meanings) {
      if (weight < featureScores.minMeaning) continue;
      raise(`${alone ? "has" : "says"}:${concept}`, alone ? 1 : featureScores.inSentence);
      if (alone && label.segment.page === firstPage && isOnTop(label.segment, layout.pages[firstPage - 1]?.height))
        raise(`top:${concept}`, weight);
    }
  }
  for (const type of counted) {
    const seen = entitiesOfType(annotations, type).filter(
      ({ segment, entity }) => segment.page <= lastPage && entity.score >= featureScores.minEntity,
    );
    if (seen.length > 0) raise(`see:${type}`, Math.log1p(Math.min(maxCounted, seen.length)) / Math.log1p(maxCounted));
  }
  for (const [name, strength] of layoutFeatures(segments, prose)) raise(name, strength);
  return features;
}

function isOnTop({ row, box }: Segment, height = 842): boolean {
  return row < topRows || box.y0 < height * featureScores.topOfPage;
}

function layoutFeatures(segments: readonly Segment[], prose: ReadonlySet<Segment>): [string, number][] {
  const letters = (some: readonly Segment[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const all = letters(segments) || 1;
  const rows = Map.groupBy(segments, ({ page, row }) => `${page}/${row}`);
  const wide = [...rows.values()].filter((row) => row.length >= 4).length;
  const tight = segments.map(({ text }) => text.replaceAll(/\s/g, ""));
  const boxes = new Set(
    segments.flatMap(({ text }) => numberedBox.exec(text)?.[1] ?? []).filter((box) => Number(box) <= 24),
  );
  const digits = segments.reduce((sum, { text }) => sum + (text.match(/\d/g)?.length ?? 0), 0);
  return [
    ["set:prose", letters(segments.filter((segment) => prose.has(segment))) / all],
    ["set:table", Math.min(1, wide / 12)],
    ["set:short", all < 400 ? 1 : 0],
    ["set:long", Math.min(1, all / 6000)],
    ["set:figures", Math.min(1, (digits / all) * featureScores.digits)],
    ["set:boxes", boxes.size >= 12 ? 1 : 0],
    ["set:mrz", tight.some((text) => machineReadable.test(text) && text.includes("<<")) ? 1 : 0],
    [
      "set:licence",
      tight.filter((_, at) => licenceField.test(segments[at]!.text)).length >= 5 && boxes.size < 12 ? 1 : 0,
    ],
  ];
}

import { entitiesOfType } from "../fields/labels/annotations.ts";
import type { Segment } from "../layout/layout.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import type { EntityType } from "../entities/entity.ts";

/** Features of a document by their name, and how strong each is (0..1). */
export type KindFeatures = Map<string, number>;

/** Pages and rows considered: the kind of a document shows at its beginning. */
const maxPages = 3;
const topRows = 12;
const topShare = 0.35;
const minWeight = 0.5;
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
const many = 12;
const machineReadable = /^[A-Z0-9<]{28,46}$/;
const numberedBox = /^\(?(\d{1,2})(?:[.):]|\s|$)/;
const licenceField = /^(?:4[abcd]|[1-9])\.?(?:\s|$)/;

/** Language-independent features of a document: trade terms and their position, entity types, layout. */
export function kindFeatures({ annotations: marks, prose }: DocumentContext): KindFeatures {
  const segments = marks.layout.segments.filter(({ page }) => page <= maxPages);
  const features: KindFeatures = new Map([["one", 1]]);
  const raise = (name: string, strength: number) => features.set(name, Math.max(features.get(name) ?? 0, strength));
  for (const label of marks.labels) {
    if (label.segment.page > maxPages) continue;
    const alone = label.standing !== "Loose" && !prose.has(label.segment);
    for (const { concept, weight } of label.meanings) {
      if (weight < minWeight) continue;
      raise(`${alone ? "has" : "says"}:${concept}`, alone ? 1 : 0.5);
      if (alone && isOnTop(label.segment, marks.layout.pages[label.segment.page - 1]?.height))
        raise(`top:${concept}`, weight);
    }
  }
  for (const type of counted) {
    const seen = entitiesOfType(marks, type).filter(
      ({ segment, entity }) => segment.page <= maxPages && entity.score >= 0.5,
    );
    if (seen.length > 0) raise(`see:${type}`, Math.log1p(Math.min(many, seen.length)) / Math.log1p(many));
  }
  for (const [name, strength] of setting(segments, prose)) raise(name, strength);
  return features;
}

function isOnTop({ page, row, box }: Segment, height = 842): boolean {
  return page === 1 && (row < topRows || box.y0 < height * topShare);
}

/** Features of the layout, independent of the words. */
function setting(segments: readonly Segment[], prose: ReadonlySet<Segment>): [string, number][] {
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
    ["set:figures", Math.min(1, (digits / all) * 2.5)],
    ["set:boxes", boxes.size >= 12 ? 1 : 0],
    ["set:mrz", tight.some((text) => machineReadable.test(text) && text.includes("<<")) ? 1 : 0],
    [
      "set:licence",
      tight.filter((_, at) => licenceField.test(segments[at]!.text)).length >= 5 && boxes.size < 12 ? 1 : 0,
    ],
  ];
}

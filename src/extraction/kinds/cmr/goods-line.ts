import { FieldValue } from "../../fields/confidence/field-value.ts";
import { areasOf } from "../../fields/labels/areas.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import { sightings } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { columnOf } from "./goods-captions.ts";
import type { GoodsDraft } from "./goods-draft.ts";

const longestName = 60;
const packages = new Set(["pallets", "pieces"]);

/** Goods told on one line: "oranges, 26 pallets, 20.800 kg", "24 pallets wheat flour, marks MI-24, 23.400 kg". */
export function goodsOnLine(around: DocumentContext): GoodsDraft[] {
  for (const label of around.marks.labels) {
    const isGoods = label.standing === "Head" && columnOf(label) === "nature" && !around.prose.has(label.segment);
    const [area] = isGoods ? areasOf(around.marks, label) : [];
    const goods = area && area.way !== "Before" && goodsIn(around, trimmed(area.segment, area.start, area.end));
    if (goods) return [goods];
  }
  return [];
}

function goodsIn(around: DocumentContext, piece: TextSpan): GoodsDraft | undefined {
  const { segment, start, end } = piece;
  const counts = sightings(around.marks, "Quantity", [segment]).filter(
    ({ entity }) => entity.start >= start && entity.end <= end && entity.score >= 0.5,
  );
  const weight = counts.find(({ entity }) => entity.value.unit === "kg" || entity.value.unit === "t");
  const number = counts.find(({ entity }) => packages.has(entity.value.unit));
  if (!weight || !number) return undefined;
  const at = ({ entity }: (typeof counts)[number]) => ({ segment, start: entity.start, end: entity.end });
  const packing = segment.text.slice(number.entity.start, number.entity.end).replace(/^[\d .,x]+/u, "");
  const tons = weight.entity.value.unit === "t" ? 1000 : 1;
  const nature = natureIn(piece, number.entity);
  return {
    ...(nature && { nature }),
    quantity: new FieldValue(number.entity.value.amount, 0.8, at(number)),
    ...(packing && { packing: new FieldValue(packing, 0.7, at(number)) }),
    grossWeight: new FieldValue(weight.entity.value.amount * tons, 0.8, at(weight)),
  };
}

/** The first words between commas that count nothing, or those right behind the packages. */
function natureIn(
  { segment, start, end }: TextSpan,
  packed: { start: number; end: number },
): FieldValue<string> | undefined {
  const first = /^[^\d,;]+/u.exec(segment.text.slice(start, end))?.[0].trim();
  const from = first ? start : packed.end + (/^[\s:]*/u.exec(segment.text.slice(packed.end, end))?.[0].length ?? 0);
  const words = first ?? /^[^\d,;]+/u.exec(segment.text.slice(from, end))?.[0].trim();
  if (!words || words.length > longestName || !/\p{L}{3}/u.test(words)) return undefined;
  return new FieldValue(words, 0.7, { segment, start: from, end: from + words.length });
}

import type { ConceptId } from "../../lexicon/concepts.ts";
import { valueAreasOf, type ValueArea } from "./value-areas.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label } from "./annotations.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { bestConcept, featuresOf, scoreFeatures, type DocumentContext } from "./values.ts";

/** Text of any type in the value area of a label. */
export interface LabelledText {
  text: string;
  /** The first line of the text. */
  span: TextSpan;
  label: Label;
  /** 0..1 */
  score: number;
}

/** Restrictions on the text. */
export interface LabelledTextOptions {
  /** Maximum number of lines of a value; 1 by default. */
  lines?: number;
  fits?: (text: string) => boolean;
  /** Whether only labels at the start of their line (`Head`) count. */
  opening?: boolean;
}

/** Finds texts in the value areas of labels with these concepts, best first. */
export function findLabelledTexts(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  { lines = 1, fits = () => true, opening = false }: LabelledTextOptions = {},
): LabelledText[] {
  return document.annotations.labels
    .flatMap((label): LabelledText[] => {
      const concept = bestConcept(label, concepts);
      if (!concept || label.standing === "Loose" || (document.prose.has(label.segment) && label.standing !== "Head"))
        return [];
      if (opening && label.standing !== "Head") return [];
      const weight = label.meanings.find((each) => each.concept === concept)?.weight ?? 0.5;
      const areas = valueAreasOf(document.annotations, label).filter(
        (area) => area.way !== "Before" && (area.crossed === 0 || isBesideHead(label, area)),
      );
      const from = areas.findIndex((area) => fits(wordsIn(area).text) && /[\p{L}\p{N}]/u.test(wordsIn(area).text));
      const first = areas[from];
      if (!first || first.order > 2) return [];
      const span = wordsIn(first);
      const entity = { start: span.start, end: span.end, score: 0.8 };
      const features = featuresOf(document, label, first, entity);
      const score = scoreFeatures({ ...features, label: weight - 0.5, conceptRank: concepts.indexOf(concept) });
      const more = furtherLines(areas.slice(from + 1), first).slice(0, lines - 1);
      const text = [span.text, ...more.map((area) => wordsIn(area).text)].join(" ");
      return [{ text, span, label, score }];
    })
    .sort((a, b) => b.score - a.score);
}

/** Returns the best text as a field value, if its score is high enough. */
export function textAfter(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  wishes: LabelledTextOptions & { least?: number } = {},
): FieldValue<string> | undefined {
  const [best] = findLabelledTexts(document, concepts, wishes);
  return best && best.score >= (wishes.least ?? 0.3) ? new FieldValue(best.text, best.score, best.span) : undefined;
}

/** Directly beside a label that stands alone, a word such as "Calle" begins the value and is not a label. */
const isBesideHead = ({ standing }: Label, { way, order }: ValueArea): boolean =>
  standing === "Head" && way === "Right" && order === 0;

function wordsIn({ segment, start, end }: ValueArea): TextSpan {
  return trimmedSpan(segment, start, end);
}

const widestLeading = 0.9;

function furtherLines(areas: readonly ValueArea[], first: ValueArea): ValueArea[] {
  const lines: ValueArea[] = [];
  let above = first.segment;
  for (const area of areas) {
    const { segment } = area;
    const column =
      first.way === "Same"
        ? goesOn(first, segment)
        : Math.abs(segment.box.x0 - first.segment.box.x0) < first.segment.size;
    if (!column || segment.page !== above.page || segment.row <= above.row) continue;
    if (segment.box.y0 - above.box.y1 > widestLeading * segment.size) break;
    lines.push(area);
    above = segment;
  }
  return lines;
}

function goesOn({ segment, end, label }: ValueArea, below: Segment): boolean {
  return (
    /[,;/–-]\s*$/u.test(segment.text.slice(0, end)) ||
    /^\p{Ll}/u.test(below.text) ||
    below.box.x0 > label.segment.box.x0 + below.size
  );
}

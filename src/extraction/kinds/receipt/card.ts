import { areasOf } from "../../fields/labels/areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

/** Points hide a number only in groups of four: a row of them leads the eye to a sum. */
const masked = /(?<![*x•#·.\p{L}\p{N}])(?:[*x•#·][*x•#· -]{3,24}|(?:\.{4} ){2}\.{4} ?)(\d{4})(?![\d.,])/iu;
const cardDigits = /(?:\d[ -]?){8,19}|(?<![\d.,])\d{4}$/u;

/** The last four digits of the card: behind its stars, or of a number behind a label for cards. */
export function cardIn(around: DocumentContext): FieldValue<string> | undefined {
  for (const segment of around.marks.layout.segments) {
    const match = masked.exec(segment.text);
    if (match?.[1]) {
      const end = match.index + match[0].length;
      return new FieldValue(match[1], 0.85, { segment, start: end - 4, end });
    }
  }
  for (const label of around.marks.labels) {
    if (!label.meanings.some(({ concept }) => concept === "cardNumber")) continue;
    const hidden = behindStars(around, label.segment);
    if (hidden) return hidden;
    for (const { segment, start, end, order } of areasOf(around.marks, label)) {
      const digits = order === 0 ? cardDigits.exec(segment.text.slice(start, end)) : null;
      const last = digits?.[0].replace(/\D/gu, "").slice(-4);
      if (digits && last)
        return new FieldValue(last, 0.75, {
          segment,
          start: start + digits.index,
          end: start + digits.index + digits[0].length,
        });
    }
  }
  return undefined;
}

/** "Card 7002 **** **** 5518": the layout takes stars between blanks for a rule, four figures are left at the end of the line. */
function behindStars({ marks }: DocumentContext, label: Segment): FieldValue<string> | undefined {
  const row = marks.layout.pages[label.page - 1]?.rows.find((each) => each.includes(label)) ?? [];
  const last = row.at(-1);
  if (!last || last === label || !/^\d{4}$/u.test(last.text)) return undefined;
  return new FieldValue(last.text, 0.75, { segment: last, start: 0, end: 4 });
}

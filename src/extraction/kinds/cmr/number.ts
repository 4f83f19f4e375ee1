import { foldText } from "../../lexicon/fold.ts";
import { codesFor } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const headPart = 0.35;
const shortLine = 60;

/** The number of the note: behind its label, else behind a bare word for "number" in the head of the page. */
export function noteNumberOf(around: DocumentContext): FieldValue<string> | undefined {
  const found = (piece: Pick<TextSpan, "segment" | "start" | "end">, score: number) => {
    const whole = wholeNumber(around, piece);
    return new FieldValue(whole.text, score, whole);
  };
  const labelled = codesFor(around, ["cmrNumber", "deliveryNoteNumber"]).filter(
    ({ label, score }) =>
      score >= 0.35 &&
      isOnTop(around, label.segment) &&
      label.meanings.some((each) => each.concept !== "deliveryNoteNumber" || saysNote(label.segment)),
  );
  const own = labelled.find(({ concept, label }) => concept === "cmrNumber" || saysNote(label.segment));
  if (own) return found(own.piece, own.score);
  for (const segment of around.marks.layout.segments) {
    const number = isOnTop(around, segment) ? numberIn(around, segment) : undefined;
    if (number) return found(number, 0.7);
  }
  const alone =
    labelled[0] ??
    codesFor(around, ["orderNumber", "reference"]).find(
      ({ label, score }) => score >= 0.5 && isOnTop(around, label.segment),
    );
  return alone ? found(alone.piece, alone.score * 0.8) : besideTitle(around);
}

const note =
  /cmr|смр|чмр|frachtbrief|fragtbrev|fraktsedel|vrachtbrief|rahtikirj|saateleh|lettre de voiture|lettera di vettura|carta de porte|fuvarlev|vaztara|pavadzim|n[aá]kladn[yi] list|tovorni list|teretni list|przewozow|scrisoar|товарителн|накладн|consignment|waybill/u;

const saysNote = ({ text }: Segment): boolean => note.test(foldText(text));

function isOnTop({ marks }: DocumentContext, { page, box }: Segment): boolean {
  const first = marks.layout.pages[0];
  return page === 1 && first !== undefined && (box.y0 < first.height * headPart || box.y0 < 160);
}

/** "No. 4711/26" or "CMR 4711/26" at the end of a short line. */
function numberIn(around: DocumentContext, segment: Segment): Pick<TextSpan, "segment" | "start" | "end"> | undefined {
  const { text } = segment;
  if (text.length >= shortLine) return undefined;
  const last = numbersIn(text).at(-1) ?? afterLetters(text);
  return last && text.length - wholeNumber(around, { segment, ...last }).end < 3 ? { segment, ...last } : undefined;
}

function afterLetters(text: string): { start: number; end: number } | undefined {
  const match = /(?:cmr|смр)[\s:-]*((?=[\p{Lu}\d./-]*\d{3})[\p{Lu}\d][\p{Lu}\d./-]{2,20})$/iu.exec(text);
  return match?.[1] ? { start: text.length - match[1].length, end: text.length } : undefined;
}

const numberLike = /^(?:\p{Lu}{1,4}[ /-]?)?(?=(?:\P{N}*\p{N}){5})[\p{Lu}\d][\p{Lu}\d ./-]{4,22}$/u;

/** A number by itself beside the title. */
function besideTitle(around: DocumentContext): FieldValue<string> | undefined {
  const { marks } = around;
  const titles = marks.labels.filter(
    ({ segment, meanings }) => isOnTop(around, segment) && meanings.some(({ concept }) => concept === "titleCmr"),
  );
  for (const { segment: title } of titles) {
    const alone = indexAt(marks.layout, title)
      .between(title.box.y0 - 0.5 * title.size, title.box.y1 + 1.5 * title.size)
      .find(
        (segment) =>
          segment.box.x0 >= title.box.x1 &&
          numberLike.test(segment.text) &&
          !(marks.entitiesIn[segment.index] ?? []).some(({ score }) => score >= 0.5),
      );
    if (alone) return new FieldValue(alone.text, 0.5, { segment: alone, start: 0, end: alone.text.length });
  }
  return undefined;
}

import { foldText } from "../../know/fold.ts";
import { codesFor } from "../../understand/codes.ts";
import { Found } from "../../understand/found.ts";
import { numbersIn } from "../../understand/numbered.ts";
import type { Segment } from "../../understand/layout.ts";
import type { Surroundings } from "../../understand/values.ts";

const headPart = 0.35;
const shortLine = 60;

/** The number of the note: behind its label, else behind a bare word for "number" in the head of the page. */
export function noteNumberOf(around: Surroundings): Found<string> | undefined {
  const [labelled] = codesFor(around, ["cmrNumber", "deliveryNoteNumber"]).filter(
    ({ label, score }) =>
      score >= 0.35 &&
      isOnTop(around, label.segment) &&
      label.meanings.some((each) => each.concept !== "deliveryNoteNumber" || saysNote(label.segment)),
  );
  if (labelled && labelled.concept === "cmrNumber")
    return new Found(labelled.piece.text, labelled.score, labelled.piece);
  const bare = around.marks.layout.segments.find((segment) => isOnTop(around, segment) && numberIn(segment));
  if (bare) {
    const [start, end] = numberIn(bare)!;
    return new Found(bare.text.slice(start, end), 0.7, { segment: bare, start, end });
  }
  const alone =
    labelled ??
    codesFor(around, ["orderNumber", "reference"]).find(
      ({ label, score }) => score >= 0.5 && isOnTop(around, label.segment),
    );
  return alone && new Found(alone.piece.text, alone.score * 0.8, alone.piece);
}

function saysNote({ text }: Segment): boolean {
  return /cmr|смр/u.test(foldText(text));
}

function isOnTop({ marks }: Surroundings, { page, box }: Segment): boolean {
  const first = marks.layout.pages[0];
  return page === 1 && first !== undefined && (box.y0 < first.height * headPart || box.y0 < 160);
}

/** "No. 4711/26" or "CMR 4711/26" at the end of a short line. */
function numberIn({ text }: Segment): [number, number] | undefined {
  if (text.length >= shortLine) return undefined;
  const last = numbersIn(text).at(-1) ?? afterLetters(text);
  return last && text.length - last.end < 3 ? [last.start, last.end] : undefined;
}

function afterLetters(text: string): { start: number; end: number } | undefined {
  const match = /(?:cmr|смр)[\s:-]*((?=[\p{Lu}\d./-]*\d{3})[\p{Lu}\d][\p{Lu}\d./-]{2,20})$/iu.exec(text);
  return match?.[1] ? { start: text.length - match[1].length, end: text.length } : undefined;
}

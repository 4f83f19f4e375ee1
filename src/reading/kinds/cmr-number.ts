import { foldText } from "../know/fold.ts";
import { labelFiles } from "../know/labels/labels.ts";
import { codesFor } from "../understand/codes.ts";
import { Found } from "../understand/found.ts";
import type { Segment } from "../understand/layout.ts";
import type { Surroundings } from "../understand/values.ts";

const numberWords = [...new Set(labelFiles.flatMap(({ number }) => number))]
  .filter((word) => word.length > 1 || word === "n" || word === "č" || word === "№")
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[.$*+?^|()[\]{}\\]/gu, "\\$&"));
/** "Nr. / No. 2026-0038817", "CMR 4711/26": a number word, or the letters of the convention, and a number. */
const numbered = new RegExp(
  `(?:^|[\\s/(])(?:cmr[ -]*)?(?:${numberWords.join("|")}|cmr)[.:°º]*(?:\\s*/\\s*(?:${numberWords.join("|")})[.:°º]*)*\\s*[:：]?\\s*((?=[\\p{Lu}\\d/-]*\\d)[\\p{Lu}\\d][\\p{Lu}\\d./-]{2,24}(?: \\d{2,8})?)$`,
  "iu",
);
const headPart = 0.35;

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

function numberIn({ text }: Segment): [number, number] | undefined {
  const match = text.length < 60 ? numbered.exec(text) : null;
  return match?.[1] ? [text.length - match[1].length, text.length] : undefined;
}

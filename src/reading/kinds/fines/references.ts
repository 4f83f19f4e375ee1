import { codesFor } from "../../understand/codes.ts";
import { Found } from "../../understand/found.ts";
import { wordsBehind } from "../../understand/labelled-words.ts";
import type { Segment } from "../../understand/layout.ts";
import { numbersIn } from "../../understand/numbered.ts";
import type { Piece } from "../../understand/piece.ts";
import type { Surroundings } from "../../understand/values.ts";

const least = 0.3;
/** "12 3456 7890", "A1 2345": the groups of one number. */
const goesOn = /^(?:[ ](?=[\p{Lu}\d./-]*\d)[\p{Lu}\d./-]{1,14})+(?=\s|$|[,;)])/u;

/** The authority's number of the case. */
export function referenceOf(around: Surroundings): Found<string> | undefined {
  const own = codesFor(around, ["fineReference"]);
  const other = codesFor(around, ["reference", "orderNumber", "customerReference", "invoiceNumber"]);
  const [sure] = own.filter(({ score }) => score >= least);
  if (sure) return foundWhole(sure.piece, sure.score);
  const titled = numberOfTitle(around);
  if (titled) return titled;
  const [best] = other.filter(
    ({ score, label }) => score >= 0.4 && label.meanings.every((each) => each.concept !== "paymentReference"),
  );
  return best && foundWhole(best.piece, best.score);
}

const headPart = 0.5;
const fewestFigures = 3;

/** "Decision no. 4711/26": the first number behind a bare word for it, in the lines above the text. */
function numberOfTitle(around: Surroundings): Found<string> | undefined {
  const page = around.marks.layout.pages[0];
  for (const segment of around.marks.layout.segments) {
    if (segment.page !== 1 || segment.box.y0 > (page?.height ?? 0) * headPart || around.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(
      ({ text, start }) => text.replace(/\D/gu, "").length >= fewestFigures && !isAddressed(around, segment, start),
    );
    if (number) return foundWhole({ segment, ...number }, 0.7);
  }
  return undefined;
}

function isAddressed({ marks }: Surroundings, { index }: Segment, at: number): boolean {
  const other = new Set(["Street", "Place", "Phone", "Vat", "Iban", "Date"]);
  return (marks.entitiesIn[index] ?? []).some(
    (entity) => other.has(entity.type) && entity.score >= 0.5 && entity.start <= at && entity.end > at,
  );
}

function foundWhole(piece: Piece, score: number): Found<string> {
  const all = wholePiece(piece);
  return new Found(all.text, score, all);
}

function wholePiece(piece: Piece): Piece {
  const more = goesOn.exec(piece.segment.text.slice(piece.end))?.[0].length ?? 0;
  return { ...piece, end: piece.end + more, text: piece.segment.text.slice(piece.start, piece.end + more) };
}

const structured = /\+{3}\s?\d{3}\/\d{4}\/\d{5}\s?\+{3}|\*{3}\s?\d{3}\/\d{4}\/\d{5}\s?\*{3}/u;
const creditor = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/u;

/** What the payment must quote: a structured communication, a creditor reference, or the words behind its label. */
export function paymentReferenceOf(around: Surroundings): Found<string> | undefined {
  for (const segment of around.marks.layout.segments) {
    const match = structured.exec(segment.text) ?? checkedCreditor(segment);
    if (match)
      return new Found(match[0].replace(/[+*\s]/gu, ""), 0.9, {
        segment,
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  const [words] = wordsBehind(around, ["paymentReference"], { fits: (text) => /\d{2}/u.test(text) });
  if (!words || words.score < least) return undefined;
  const text = upToSentence(words.text);
  return new Found(text, words.score, {
    ...words.piece,
    end: Math.min(words.piece.end, words.piece.start + text.length),
  });
}

function checkedCreditor({ text }: Segment): RegExpExecArray | undefined {
  const match = creditor.exec(text);
  return match && isCreditorReference(match[0].replace(/ /gu, "")) ? match : undefined;
}

/** ISO 11649: modulo 97 like an account. */
export function isCreditorReference(code: string): boolean {
  let remainder = 0;
  for (const letter of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** The reference ends where words in small letters begin. */
function upToSentence(text: string): string {
  const end = /[\s(,;]+\p{Ll}{2,}/u.exec(text);
  const cut = end && /\d/u.test(text.slice(0, end.index)) ? text.slice(0, end.index) : text;
  return cut.replace(/[\s.,;]+$/u, "");
}

import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const UN_NUMBER = /(?<![\p{L}\p{N}])UN ?-?(?:NO\.?|NR\.?|:)? ?:? ?(\d{4})(?!\d)/giu;

/** Finds dangerous goods by their UN number of four digits: "UN 1203" yields "1203". */
export function findUnNumbers(line: Line): EntityOf<"UnNumber">[] {
  if (!line.text.includes("un")) return [];
  return Array.from(line.plain.matchAll(UN_NUMBER), (match) => ({
    type: "UnNumber",
    ...printedSpan(
      line,
      match.index,
      match.index + match[0].length,
      match[0].startsWith("UN") ? scores.unNumber.prefixed : scores.unNumber.bare,
    ),
    value: match[1]!,
  }));
}

const INCOTERM =
  /(?<![\p{L}\p{N}])(EXW|FCA|CPT|CIP|DAP|DPU|DDP|FAS|FOB|CFR|CIF|DAT|DDU|DAF|EX WORKS)(?![\p{L}\p{N}])( ?(?:\p{L}+ )?\(?20[12]0\)?)?/gu;

export function findIncoterms(line: Line): EntityOf<"Incoterm">[] {
  return Array.from(line.plain.matchAll(INCOTERM), (match) => ({
    type: "Incoterm",
    ...printedSpan(
      line,
      match.index,
      match.index + match[0].trimEnd().length,
      match[2] ? scores.incoterm.withPlace : scores.incoterm.bare,
    ),
    value: match[1] === "EX WORKS" ? "EXW" : match[1]!,
  }));
}

import type { Page, Token } from "../../src/extraction/document/document.ts";
import type { Chance } from "../chance.ts";
import words from "./short-papers.json" with { type: "json" };

const [width, height, margin, lineHeight] = [595, 842, 60, 22];

/** Makes a document with little text: a heading, and some fields with numbers of another document. */
export function shortPaper(numbers: readonly string[], chance: Chance): Page {
  const paper = chance.pick(words);
  const heading = chance.happens(0.5) ? paper.heading.toUpperCase() : paper.heading;
  const own = () => `${chance.between(1, 31)}.${chance.between(1, 12)}.2026`;
  const fields = chance
    .shuffled(paper.fields)
    .slice(0, chance.between(2, paper.fields.length))
    .map((field) => `${field}: ${chance.happens(0.6) ? chance.pick(numbers) : own()}`);
  const isLarge = heading === paper.heading || chance.happens(0.4);
  const top = chance.happens(0.25) ? [`${chance.pick(words).fields[0]} ${chance.pick(numbers)}`] : [];
  const numbered = chance.happens(0.4) ? `${heading} ${chance.pick(numbers)}` : heading;
  const lines = [...top, numbered, "", ...fields, "", ...(chance.happens(0.5) ? [paper.signature] : [])];
  const tokens = lines.flatMap((line, at) => tokensOf(line, at, isLarge && line === numbered));
  return { width, height, tokens, rulings: [], scanned: false };
}

function tokensOf(line: string, at: number, isHeading: boolean): Token[] {
  const size = isHeading ? 15 : 10;
  let x = margin;
  return line
    .split(" ")
    .filter(Boolean)
    .map((text) => {
      const x0 = x;
      const x1 = x0 + text.length * size * 0.55;
      x = x1 + size * 0.3;
      const y1 = margin + at * lineHeight + size;
      return { text, x0, x1, y0: y1 - size, y1, size, bold: isHeading, confidence: 1, source: "Pdf" };
    });
}

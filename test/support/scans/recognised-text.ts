import type { RecognisedPage } from "../../../src/extraction/images/recogniser.ts";

/** Makes the OCR result of a page with these lines. `sureOf` returns the confidence of a word. */
export function seenIn(lines: readonly string[], sureOf: (word: string) => number = () => 0.9): RecognisedPage {
  const [wide, high] = [12, 36];
  const words = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/gu)].map(({ 0: text, index }) => ({
      text,
      confidence: sureOf(text),
      size: 20,
      x0: index * wide,
      x1: (index + text.length) * wide - 4,
      y0: row * high,
      y1: row * high + 20,
    })),
  );
  return { width: 1500, height: 2100, words, rulings: [], confidence: 0.9, turn: 0, memory: 0 };
}

import type { OcrCertainty } from "../../document/extraction-result.ts";
import { tokensOf, type LaidOutPage } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";

/** Shorter text repeats on a document by chance. */
const telling = 4;

/** Words separated by single spaces, without punctuation: " 12 11 2026 ". */
const bareOf = (text: string): string =>
  ` ${text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()} `;

/** The pages of a document that are images, and how well their words were recognised. */
export class Pictures {
  private readonly pages: readonly LaidOutPage[];
  private words: string | undefined;

  constructor(pages: readonly LaidOutPage[]) {
    this.pages = pages;
  }

  /** @returns undefined for text in the file */
  seen({ segment, start, end }: Pick<TextSpan, "segment" | "start" | "end">): OcrCertainty | undefined {
    const scanned = tokensOf(segment, start, end).filter(({ source }) => source === "Ocr");
    if (scanned.length === 0) return undefined;
    return {
      worst: Math.min(...scanned.map(({ confidence }) => confidence)),
      again: this.isTwice(bareOf(segment.text.slice(start, end))),
    };
  }

  private isTwice(words: string): boolean {
    if (words.replaceAll(" ", "").length < telling) return false;
    this.words ??= this.pages.flatMap(({ rows }) => rows.flat().map(({ text }) => bareOf(text))).join("\n");
    return this.words.indexOf(words, this.words.indexOf(words) + 1) >= 0;
  }
}

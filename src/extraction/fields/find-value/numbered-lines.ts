import type { Entity } from "../../entities/entity.ts";
import type { Layout, Segment } from "../../layout/layout.ts";
import type { TextRange } from "../../layout/text-span.ts";

/** A row of a page with its id, as a language model receives it. */
export interface NumberedLine {
  /** Page and line, both counted from 1: "2:14". */
  id: string;
  /** The segments of the row, joined by a bar. */
  text: string;
  /** Offset of each segment in `text`. */
  parts: { segment: Segment; start: number }[];
}

const bar = " | ";
/**
 * Maximum number of characters of a prompt: about fifteen dense pages, which the smallest supported models can process.
 */
const mostCharacters = 40_000;
const longestLine = 2_000;
/** Invisible characters, which a model would still read. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;

/** Returns the rows of all pages in order. */
export function numberedLines({ pages }: Layout): NumberedLine[] {
  return pages.flatMap(({ number, rows }) => rows.map((row, at) => lineOf(`${number}:${at + 1}`, row)));
}

function lineOf(id: string, row: readonly Segment[]): NumberedLine {
  const parts: NumberedLine["parts"] = [];
  let text = "";
  for (const segment of row) {
    if (text) text += bar;
    parts.push({ segment, start: text.length });
    text += segment.text;
  }
  return { id, text, parts };
}

/** Returns the first lines, as many as fit in the prompt. */
export function shownLines(lines: readonly NumberedLine[]): NumberedLine[] {
  let left = mostCharacters;
  const end = lines.findIndex((line) => (left -= printed(line).length + 1) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

/** Formats a line for the prompt: "2:14| Loading | 24.11.2026". */
export function printed({ id, text }: NumberedLine): string {
  return `${id}| ${text.replace(unseen, "").slice(0, longestLine)}`;
}

/**
 * Converts a range of a line's text to a range of the segment in which it begins. The range ends with that segment at
 * the latest.
 */
export function stretchOf({ parts }: NumberedLine, start: number, end: number): TextRange | undefined {
  const part = parts.findLast((each) => each.start <= start);
  if (!part) return undefined;
  const { segment } = part;
  const within = (at: number) => Math.min(segment.text.length, at - part.start);
  return within(start) < segment.text.length ? { segment, start: within(start), end: within(end) } : undefined;
}

/** The range in which a value was found. */
export interface ValueMatch extends TextRange {
  /** False if only the digits of a number match there, and no entity of the expected type and unit was recognised. */
  recognised: boolean;
}

/** The lines to search, with their entities. */
export interface SearchScope {
  /**
   * Whether the model cited these lines. If not, a number counts only as an entity of the type and unit that the field
   * expects.
   */
  cited: boolean;
  lines: readonly NumberedLine[];
  entities: (segment: TextRange["segment"]) => readonly Entity[];
  languages: readonly string[];
}

/** Finds the first entity that satisfies the test. */
export function findRecognised(scope: SearchScope, says: (entity: Entity) => boolean): ValueMatch | undefined {
  for (const { parts } of scope.lines)
    for (const { segment } of parts) {
      const entity = scope.entities(segment).find(says);
      if (entity) return { segment, start: entity.start, end: entity.end, recognised: true };
    }
  return undefined;
}

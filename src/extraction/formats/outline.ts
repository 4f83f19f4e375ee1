import type { Page } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import type { ReaderContext } from "./reader.ts";
import { paragraphWidth, PageBuilder } from "./page-builder.ts";

/** A line of named data: how deep it stands, what it is called, what it says. */
export interface OutlineLine {
  depth: number;
  name: string;
  value: string;
}

const maxIndent = 20;

/** @throws ExtractionProblem `too_many_pages` where data has more values than pages may have words */
export function requireValueLimit(values: number, { limits }: Pick<ReaderContext, "limits">): void {
  if (values > limits.words) throw new ExtractionProblem("too_many_pages", "The data has too many values to be read.");
}

/** Sets data as a person would list it: "Loading Place: Poznań". */
export function layOutOutline(lines: Iterable<OutlineLine>, context: ReaderContext): Page[] {
  const sheet = new PageBuilder(context, "Text");
  let line = 0;
  for (const { depth, name, value } of lines) {
    const column = Math.min(depth, maxIndent) * 2;
    const text = value === "" ? spelled(name) : `${spelled(name)}: ${value}`;
    line += sheet.paragraph([{ text }], { line, column, width: paragraphWidth - column });
  }
  return [sheet.page()];
}

/** The words of a name written in one: loadingPlace, loading_place, LoadingPlace. */
function spelled(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_\-.]+/g, " ");
}

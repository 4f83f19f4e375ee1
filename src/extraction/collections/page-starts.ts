import { classScore, classWeights, logistic, type ClassWeights } from "../linear-model.ts";
import { startFeatures, type PageFeatures } from "./page-features.ts";
import model from "./start-weights.json" with { type: "json" };

/** How much each sign speaks for the start of a document. */
export type StartWeights = ClassWeights;

/** Trained on generated documents; {@link weightsAfter} adapts them to a company. */
export const baseWeights: StartWeights = classWeights(model, "start")!;

/** How likely a document begins on the page, given the pages since the last beginning. */
export function startProbability(
  page: PageFeatures,
  before: readonly PageFeatures[],
  by: StartWeights = baseWeights,
): number {
  const signs = startFeatures(page, before);
  if ("first" in signs) return 1;
  const chance = logistic(classScore(by, Object.entries(signs)));
  return chance >= doubtful ? Math.max(chance, tellingOf(signs)) : chance;
}

/** Where less speaks for a beginning nothing decides it alone. */
const doubtful = 0.05;

/**
 * In doubt a page begins a document that is surely of another kind, has the title of one, or a number of its own under its
 * title.
 */
const tellingOf = ({ newTitle = 0, otherKind = 0, anotherNumber = 0 }: Record<string, number>): number =>
  Math.max(newTitle > 0 || otherKind >= certain ? otherKind : 0, anotherNumber * numbered);
const [certain, numbered] = [0.8, 0.6];

/** Pages that belong together, from 1, and how sure that is. */
export interface PageRange {
  from: number;
  to: number;
  /** That it begins where it begins. */
  confidence: number;
}

/** Parts the pages of a file into documents. Blank pages part them and belong to none. */
export function splitPages(pages: readonly PageFeatures[], by: StartWeights = baseWeights): PageRange[] {
  const found: PageRange[] = [];
  let since: PageFeatures[] = [];
  for (const [index, page] of pages.entries()) {
    if (page.blank) {
      since.push(page);
      continue;
    }
    const chance = startProbability(page, since, by);
    const open = found.at(-1);
    if (!open || chance >= 0.5) {
      found.push({ from: index + 1, to: index + 1, confidence: chance });
      since = [page];
    } else {
      open.to = index + 1;
      since.push(page);
    }
  }
  return found;
}

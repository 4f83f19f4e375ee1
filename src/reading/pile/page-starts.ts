import { startSigns, type PageSketch } from "./page-features.ts";
import weights from "./start-weights.json" with { type: "json" };

/** Of each sign how much it speaks for a beginning. */
export type StartWeights = Record<string, number>;

/** How likely a document begins on the page, given the pages since the last beginning. */
export function startChance(page: PageSketch, before: readonly PageSketch[], by: StartWeights = weights): number {
  const signs = Object.entries(startSigns(page, before));
  if (signs.some(([name]) => name === "first")) return 1;
  const sum = signs.reduce((all, [name, strength]) => all + strength * (by[name] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Pages that belong together, from 1, and how sure that is. */
export interface Sheaf {
  from: number;
  to: number;
  /** That it begins where it begins. */
  confidence: number;
}

/** Parts the pages of a file into documents. Blank pages part them and belong to none. */
export function sheaves(pages: readonly PageSketch[], by: StartWeights = weights): Sheaf[] {
  const found: Sheaf[] = [];
  let since: PageSketch[] = [];
  for (const [index, page] of pages.entries()) {
    if (page.blank) {
      since.push(page);
      continue;
    }
    const chance = startChance(page, since, by);
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

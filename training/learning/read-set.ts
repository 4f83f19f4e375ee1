import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { KindName } from "../../src/extraction/kinds/kinds.ts";
import type { Recognise } from "../../src/extraction/images/recogniser.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { extractDocument } from "../../src/extraction/extract.ts";
import type { ExtractedItem } from "../../src/extraction/document/extraction-result.ts";
import { judged, wantedIn, type Judged } from "./compare.ts";

/** A file of a generated set, as in its `cases.json`. */
export interface Case {
  file: string;
  kind: KindName;
  truth: string | object;
  language: string;
  layout: string;
}

/** An extracted file with every value compared with the truth. */
export interface ReadCase extends Case {
  items: ExtractedItem<unknown>[];
  truths: unknown[];
  judged: Judged[];
  /** Number of values in the truth. */
  wanted: number;
  pages: number;
  /** CPU time of the extraction. */
  milliseconds: number;
}

/** CPU limit of one document, in milliseconds. */
const patience = 30_000;
const today = "2026-11-20";
const nobody = { names: [], vatCodes: [], emailDomains: [] };

/** Loads the `cases.json` of a folder. */
export function casesOf(folder: string): Case[] {
  return JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[];
}

/** Loads the expected extraction of a file: one view, or a list with one view for each document in the file. */
export function truthOf(folder: string, { truth }: Case): unknown {
  return typeof truth === "string" ? JSON.parse(readFileSync(join(folder, truth), "utf8")) : truth;
}

/**
 * Extracts the chosen files of the sets one after the other, as on 20 November 2026. The files alternate between the
 * gazetteers; scans need the recogniser.
 */
export async function* readSets(
  folders: readonly string[],
  gazetteerFolders: readonly string[],
  isChosen: (one: Case) => boolean = () => true,
  recognise?: Recognise,
): AsyncGenerator<ReadCase> {
  const gazetteers = gazetteerFolders.map(openGazetteerFromDisk);
  for (const folder of folders)
    for (const [turn, each] of casesOf(folder).filter(isChosen).entries()) {
      const gazetteer = gazetteers[turn % gazetteers.length]!;
      const given = truthOf(folder, each);
      const bytes = readFileSync(join(folder, each.file));
      const began = process.cpuUsage();
      const result = await extractDocument(
        each.kind,
        { bytes, name: each.file },
        { company: nobody, today },
        { gazetteer, budget: new Budget(patience), ...(recognise && { recognise }) },
      );
      const used = process.cpuUsage(began);
      const truths: unknown[] = Array.isArray(given) ? given : [given];
      const items = result.items as ExtractedItem<unknown>[];
      yield {
        ...each,
        items,
        truths,
        judged: items.flatMap(({ data, evidence }, at) =>
          truths[at] === undefined ? [] : judged(truths[at], data, evidence),
        ),
        wanted: wantedIn(truths),
        pages: result.pages,
        milliseconds: (used.user + used.system) / 1000,
      };
    }
}

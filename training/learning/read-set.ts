import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { KindName } from "../../src/extraction/kinds/kinds.ts";
import type { Recognise } from "../../src/extraction/images/recogniser.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { extractDocument } from "../../src/extraction/extract.ts";
import type { ExtractedItem } from "../../src/extraction/document/extraction-result.ts";
import { judged, wantedIn, type Judged } from "./compare.ts";

/** One file of a generated set, as its `cases.json` lists it. */
export interface Case {
  file: string;
  kind: KindName;
  truth: string | object;
  language: string;
  layout: string;
}

/** A file that was read, with every value held against the truth. */
export interface ReadCase extends Case {
  items: ExtractedItem<unknown>[];
  truths: unknown[];
  judged: Judged[];
  /** How many values the truths say the file gives. */
  wanted: number;
  pages: number;
  /** CPU of the reading. */
  milliseconds: number;
}

/** Milliseconds of CPU one document may take. */
const patience = 30_000;
const today = "2026-11-20";
const nobody = { names: [], vatCodes: [], emailDomains: [] };

/** The cases of a folder. */
export function casesOf(folder: string): Case[] {
  return JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[];
}

/** What is to be read from a file: one view, or one for each document in it. */
export function truthOf(folder: string, { truth }: Case): unknown {
  return typeof truth === "string" ? JSON.parse(readFileSync(join(folder, truth), "utf8")) : truth;
}

/** Reads the chosen files of sets one after the other, as of 20 November 2026, with the gazetteers in turn; scans by what recognises them. */
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

import { readFileSync } from "node:fs";
import { defaultLimits, open } from "../../src/reading/open/open.ts";
import type { GazetteerShards } from "../../src/reading/know/gazetteer.ts";
import { Budget } from "../../src/reading/problem.ts";
import { prepareGazetteer, seeingContext } from "../../src/reading/see/see.ts";
import { layOut } from "../../src/reading/understand/layout/layout.ts";
import { mark } from "../../src/reading/understand/labels/marks.ts";
import { joinPlaceFields } from "../../src/reading/understand/addresses/place-fields.ts";
import { proseOf } from "../../src/reading/understand/sections/prose.ts";
import { newest } from "../../src/reading/understand/layout/split.ts";
import type { Surroundings } from "../../src/reading/understand/labels/values.ts";

const today = { year: 2026, month: 11, day: 20 };
const patience = 30_000;

/** A file as the engine sees it before it fills any field. */
export async function surroundingsOf(file: string, gazetteers: GazetteerShards): Promise<Surroundings> {
  const budget = new Budget(patience);
  const document = await open({ bytes: readFileSync(file), name: file }, defaultLimits, budget);
  const layout = newest(layOut(document, budget));
  const lines = layout.segments.map((segment) => segment.text);
  const { gazetteer, context } = await prepareGazetteer(gazetteers, lines, seeingContext(lines, today));
  const marks = mark(layout, context, gazetteer, budget);
  joinPlaceFields(marks, context, gazetteer);
  return { marks, prose: proseOf(marks), languages: context.languages, countries: context.countries, budget };
}

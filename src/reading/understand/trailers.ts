import type { ConceptId } from "../know/concepts.ts";
import { fold } from "../know/fold.ts";
import trailers from "../know/trailers.json" with { type: "json" };
import { areasOf } from "./areas.ts";
import { Found } from "./found.ts";
import type { Segment } from "./layout.ts";
import { sightings } from "./marks.ts";
import type { Surroundings } from "./values.ts";

/** Words that are so common elsewhere that only a label makes them trailers. */
const onlyLabelled: ReadonlySet<string> = new Set([
  "box",
  "platform",
  "plane",
  "bus",
  "coil",
  "silo",
  "mega",
  "jumbo",
  "tent",
  "zeil",
  "lona",
  "plateau",
  "benne",
  "fourgon",
  "furgone",
  "zestaw",
  "tandem",
  "transporter",
  "platforma",
  "plataforma",
  "koffer",
  "gardine",
  "kurtyna",
  "perdea",
  "caixa",
  "refer",
  "zeil",
  "isotherm",
]);
const labels: ReadonlySet<ConceptId> = new Set(["trailerType", "vehicleRequirements", "vehicle"]);

interface Word {
  id: string;
  word: string;
  pattern: RegExp;
}

let known: Word[] | undefined;

/** Longest first, so that "mega trailer" is seen before "mega". */
function words(): Word[] {
  known ??= Object.entries(trailers)
    .flatMap(([id, list]) => list.map((word) => ({ id, word: fold(word).text })))
    .sort((a, b) => b.word.length - a.word.length)
    .map(({ id, word }) => ({
      id,
      word,
      pattern: new RegExp(`(?<![\\p{L}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}])`, "u"),
    }));
  return known;
}

/** Trailer types asked for, as ids of the contract's table: behind a vehicle label, else the first unmistakable word. */
export function trailersIn(around: Surroundings): Found<string>[] {
  const asked = around.marks.labels
    .filter((label) => label.standing !== "Loose" && label.meanings.some((each) => labels.has(each.concept)))
    .flatMap((label) =>
      areasOf(around.marks, label).filter((area) => area.way !== "Before" && area.order < 3 && area.crossed === 0),
    );
  for (const { segment, start, end } of asked) {
    const found = typesIn(segment, start, end, true);
    if (found.length > 0) return found;
  }
  for (const segment of around.marks.layout.segments) {
    const firm = sightings(around.marks, "Company", [segment]).length > 0;
    const found = firm || around.prose.has(segment) ? [] : typesIn(segment, 0, segment.text.length, false);
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether the words name nothing but a trailer: no goods. */
export function isTrailer(text: string): boolean {
  const folded = fold(text).text.trim();
  return words().some(({ word }) => word === folded);
}

function typesIn(segment: Segment, start: number, end: number, labelled: boolean): Found<string>[] {
  const folded = fold(segment.text.slice(start, end));
  const found = new Map<string, Found<string>>();
  let rest = folded.text;
  for (const { id, word, pattern } of words()) {
    const match = (labelled || !onlyLabelled.has(word)) && pattern.exec(rest);
    if (!match) continue;
    const from = start + folded.at(match.index);
    rest = rest.slice(0, match.index) + " ".repeat(word.length) + rest.slice(match.index + word.length);
    if (!found.has(id))
      found.set(
        id,
        new Found(id, labelled ? 0.85 : 0.7, {
          segment,
          start: from,
          end: start + folded.at(match.index + word.length),
        }),
      );
  }
  return [...found.values()].sort((a, b) => (a.piece?.start ?? 0) - (b.piece?.start ?? 0));
}

import type { MailHead } from "../../document.ts";
import type { ConceptId } from "../../know/concepts.ts";
import { countryOf, countryOfCode } from "../../know/countries.ts";
import type { Reading, ReadingContext } from "../../reading.ts";
import type { SeeingContext } from "../../see/entity.ts";
import { doubted } from "../../understand/confidence.ts";
import { Found, settle, type Draft } from "../../understand/found.ts";
import { textBehind } from "../../understand/labelled-words.ts";
import { sightings, type Sighting } from "../../understand/marks.ts";
import { titled } from "../../understand/titles.ts";
import { candidates, type Surroundings } from "../../understand/values.ts";
import { completed } from "../../understand/windows.ts";
import { withWrappedLabels } from "../../understand/wrapped-labels.ts";
import type { FineView } from "../../views/fine.ts";
import { amountsIn } from "./amounts.ts";
import { checksOfFine } from "./checks.ts";
import { paymentReferenceOf, referenceOf } from "./references.ts";
import { speedsIn } from "./speeds.ts";
import { authorityOf, offenceTypeOf } from "./words.ts";

type FineDraft = NonNullable<Draft<FineView>>;

/** Reads the notice of a fine, or undefined where the words are none. */
export function readFine(
  given: Surroundings,
  seeing: SeeingContext,
  _context: ReadingContext,
  _mail: MailHead | undefined,
): Reading<FineView> | undefined {
  const around = withWrappedLabels(given);
  if (!isFine(around)) return undefined;
  const { data, evidence } = settle<FineView>(draftOf(around, seeing), around.marks.layout.pages);
  const checks = checksOfFine(data);
  return { data, evidence: doubted(evidence, checks), checks };
}

const telling: ReadonlySet<ConceptId> = new Set([
  "offenceDate",
  "offencePlace",
  "offenceKind",
  "fineAmount",
  "discountedFine",
  "increasedFine",
  "measuredSpeed",
  "countedSpeed",
  "speedLimit",
  "fineReference",
]);

function isFine(around: Surroundings): boolean {
  const said = new Set(
    around.marks.labels.flatMap((label) =>
      label.meanings
        .filter(({ concept, weight }) => telling.has(concept) && weight >= 0.5)
        .map(({ concept }) => concept),
    ),
  );
  return said.size >= 3 || (titled(around, ["titleFine"]) && said.size >= 1);
}

function draftOf(around: Surroundings, seeing: SeeingContext): FineDraft {
  const plate = plateIn(around);
  const country = plateCountryIn(around, plate);
  const speeds = speedsIn(around);
  const reference = referenceOf(around);
  const authority = authorityOf(around);
  const offenceAt = offenceAtIn(around, seeing);
  const place = textBehind(around, ["offencePlace", "place"], {
    lines: 2,
    least: 0.25,
    fits: (text) => /\p{L}/u.test(text) && text.length > 3,
  });
  const type = offenceTypeOf(around, speeds.measuredSpeed !== undefined);
  const [iban] = sightings(around.marks, "Iban");
  const paymentReference = paymentReferenceOf(around);
  return {
    ...(reference && { reference }),
    ...(authority && { authority }),
    ...(offenceAt && { offenceAt }),
    ...(place && { place }),
    ...(type && { offenceType: type }),
    ...speeds,
    ...(plate && { licensePlate: foundAt(plate.entity.value.plate, plate, plate.score) }),
    ...(country && { plateCountry: country }),
    ...amountsIn(around, seeing),
    ...(iban && { iban: foundAt(iban.entity.value, iban, 0.95) }),
    ...(paymentReference && { paymentReference }),
  };
}

function foundAt<T>(value: T, { segment, entity }: Sighting, confidence: number): Found<T> {
  return new Found(value, confidence, { segment, start: entity.start, end: entity.end });
}

const besideClock = /^[\s,;.·–—-]*(?:\p{L}{1,8}[.:]?\s){0,3}[\s(,:]*$/u;
const otherDays: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "orderDate",
  "dueDate",
  "discountUntil",
  "discountedFine",
  "fineAmount",
  "birthDate",
  "invoiceDate",
  "paymentTerm",
]);

/** Day and hour of the offence: under its label, else the day that has a clock time beside it. */
function offenceAtIn(around: Surroundings, seeing: SeeingContext): Found<string> | undefined {
  const dates = sightings(around.marks, "Date").filter(
    ({ entity }) => entity.score >= 0.5 && entity.value.year !== undefined,
  );
  const best = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of candidates(around, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(score, scores.get(entity) ?? 0));
    return ({ entity }: Sighting) => scores.get(entity) ?? 0;
  };
  const ownOf = best(["offenceDate"]);
  const generalOf = best(["date", "time", "timeWindow", "offenceKind"]);
  const otherOf = best([...otherDays]);
  const weighed = dates.map((date) => {
    const time = timeBeside(around, date);
    const own = ownOf(date);
    const general = 0.3 * generalOf(date);
    const other = otherOf(date);
    return { date, time, points: Math.max(own, general) + (time ? 0.45 : 0) - 0.7 * other };
  });
  const [first] = weighed.sort((a, b) => b.points - a.points);
  if (!first || first.points < 0.3) return undefined;
  const time = first.time ?? candidates(around, { concepts: ["offenceTime", "time"], types: ["Time"] })[0];
  const day = completed(first.date.entity.value, seeing);
  const minutes = time?.entity.value.from ?? time?.entity.value.to;
  const clock = minutes === undefined ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return foundAt(day + clock, first.date, Math.min(0.97, 0.45 + 0.45 * first.points));
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The clock time right behind the day, or before it, with only small words between. */
function timeBeside({ marks }: Surroundings, { segment, entity }: Sighting<"Date">): Sighting<"Time"> | undefined {
  const times = sightings(marks, "Time", [segment]);
  const behind = times.find(
    (time) => time.entity.start >= entity.end && besideClock.test(segment.text.slice(entity.end, time.entity.start)),
  );
  return (
    behind ??
    times.find(
      (time) => time.entity.end <= entity.start && besideClock.test(segment.text.slice(time.entity.end, entity.start)),
    )
  );
}

type Plate = Sighting<"Plate"> & { score: number };

/** The plate behind its label, else the likeliest shape on the page. */
function plateIn(around: Surroundings): Plate | undefined {
  const labelled = candidates(around, {
    concepts: ["plates", "truckPlate", "vehicle", "trailerPlate"],
    types: ["Plate"],
  })[0];
  if (labelled && labelled.score >= 0.2) return labelled;
  const free = sightings(around.marks, "Plate").filter(
    ({ segment, entity }) =>
      entity.score >= 0.3 &&
      !(around.marks.entitiesIn[segment.index] ?? []).some(
        (other) =>
          ["Place", "Iban", "Date", "Street", "Vat"].includes(other.type) &&
          other.start < entity.end &&
          other.end > entity.start,
      ),
  );
  const [best] = free.sort((a, b) => b.entity.score - a.entity.score);
  return best && { ...best, score: 0.4 };
}

const letters = /^[\s,;/·–—-]*[([]?\s*([A-Z]{1,3})(?![\p{L}\p{N}])/u;

/** "WGM 12345 (PL)", "PL / WGM 12345", or a field of its own. */
function plateCountryIn(around: Surroundings, plate: Plate | undefined): Found<string> | undefined {
  const labelled = textBehind(around, ["plateCountry"], { least: 0.25, fits: (text) => countryIn(text) !== undefined });
  const country = labelled && countryIn(labelled.value);
  if (labelled && country) return labelled.as(country);
  if (!plate) return undefined;
  const { segment, entity } = plate;
  const behind = segment.text.slice(entity.end);
  const code = letters.exec(behind);
  const known = code?.[1] && countryOfCode(code[1]);
  if (code && known) {
    const end = entity.end + code[0].length;
    return new Found(known, 0.85, { segment, start: end - (code[1]?.length ?? 0), end });
  }
  const before = /(?:^|[\s(:])([A-Z]{1,3})\)?\s*[-/:]?\s*$/u.exec(segment.text.slice(0, entity.start));
  const ahead = before?.[1] && countryOfCode(before[1]);
  if (before && ahead)
    return new Found(ahead, 0.75, { segment, start: before.index, end: before.index + before[0].length });
  const words = behind
    .split(/[,;()/–—-]/u)
    .map((part) => part.trim())
    .find((part) => countryNamed(part));
  const named = words && countryNamed(words);
  if (!words || !named) return undefined;
  const start = segment.text.indexOf(words, entity.end);
  return new Found(named, 0.8, { segment, start, end: start + words.length });
}

/** A country's name, or its letters behind a word: "nationality SK". */
function countryNamed(text: string): string | undefined {
  const letters = /\p{L}{4}.*\s([A-Z]{1,3})$/u.exec(text)?.[1];
  return (letters && countryOfCode(letters)) ?? (text.length > 3 ? countryOf(text) : undefined);
}

function countryIn(text: string): string | undefined {
  const parts = [text, ...text.split(/[\s,;()/–—-]+/u)];
  return parts.map((part) => countryOf(part.trim())).find((country) => country !== undefined);
}

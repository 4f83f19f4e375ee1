import { addressesOf } from "../../fields/addresses/address.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { addressOf, nameOf, type Block, type PartyDraft } from "../../fields/parties/party.ts";
import { taxNumberOf } from "../../fields/parties/tax-numbers.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { completed } from "../../fields/route/windows.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";

const topRows = 4;
/** "Entry: Langres North": a place of the journey. */
const captioned = /^\p{L}[\p{L} .]{1,24}\s?:\s/u;

/** The first address of the receipt; without one the company or the words on its top. */
export function merchantIn(document: DocumentContext): PartyDraft | undefined {
  const address = addressesOf(document.annotations, document.countries).find(
    ({ place: { entity, segment } }) => entity.value.postalCode !== undefined || !captioned.test(segment.text),
  );
  const company = entitiesOfType(document.annotations, "Company").find(({ entity }) => entity.score >= 0.4);
  const name =
    company &&
    new FieldValue(company.entity.value, 0.7, {
      segment: company.segment,
      start: company.entity.start,
      end: company.entity.end,
    });
  const block: Block<string> = {
    role: "Merchant",
    ...(address && { address }),
    ...(name && { name }),
    confidence: 0.85,
  };
  const named = nameOf(block);
  const top = named.name ? named : topName(document);
  const located = addressOf(block);
  const street = located.street ?? (address && streetAbove(document, address.place.segment));
  const draft = {
    ...top,
    ...taxNumberOf(document, block, () => true, [block], new Set()),
    ...located,
    ...(street && { street }),
  };
  return Object.keys(draft).length > 0 ? draft : undefined;
}

/** On a till roll every line is centred: the street is the whole line above the town. */
function streetAbove({ annotations: marks }: DocumentContext, place: Segment): FieldValue<string> | undefined {
  const rows = marks.layout.pages[place.page - 1]?.rows ?? [];
  const at = rows.findIndex((row) => row.includes(place));
  const [line, ...others] = rows[at - 1] ?? [];
  if (!line || others.length > 0 || !/\p{L}{3}.*\d/u.test(line.text) || line.text.length > 40) return undefined;
  const labelled = (marks.labelsIn[line.index] ?? []).some(({ standing }) => standing === "Head");
  return labelled ? undefined : new FieldValue(line.text, 0.7, { segment: line, start: 0, end: line.text.length });
}

function topName({ annotations: marks }: DocumentContext): PartyDraft {
  const opensField = (index: number) =>
    (marks.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        standing !== "Loose" &&
        meanings.some(({ concept, weight }) => weight >= 0.6 && (start <= 2 || concept.startsWith("title"))),
    );
  const segment = marks.layout.segments
    .filter(({ page, row }) => page === 1 && row < topRows)
    .find(({ text, index }) => /\p{L}{3}/u.test(text) && !/\d{3}|\p{L}\s?:\s/u.test(text) && !opensField(index));
  return segment ? { name: new FieldValue(segment.text, 0.5, { segment, start: 0, end: segment.text.length }) } : {};
}

const nearestRows = 3;
/** A time printed once on the whole slip is the time of its day, however far off. */
const farthestRows = 30;

/** The day with the clock time printed beside it or close to it. */
export function momentIn(document: DocumentContext, locale: DocumentLocale): FieldValue<string> | undefined {
  const days = entitiesOfType(document.annotations, "Date").filter(({ entity }) => entity.score >= 0.4);
  const times = entitiesOfType(document.annotations, "Time").filter(
    ({ entity, segment }) =>
      entity.value.from !== undefined &&
      entity.score >= 0.4 &&
      /\d[:.h]\s?\d\d/i.test(segment.text.slice(entity.start, entity.end)) &&
      !isUntil(document, segment, entity.start),
  );
  const away = (day: LocatedEntity<"Date">, time: LocatedEntity<"Time">) =>
    day.segment.page === time.segment.page ? Math.abs(day.segment.row - time.segment.row) : Number.POSITIVE_INFINITY;
  const full = days.filter(({ entity }) => entity.value.year !== undefined);
  const pairs = (full.length > 0 ? full : days).flatMap((day) =>
    times.map((time) => ({ day, time, rows: away(day, time) })),
  );
  const least = Math.min(...pairs.map(({ rows }) => rows));
  const closest =
    least > (times.length === 1 ? farthestRows : nearestRows)
      ? undefined
      : pairs.filter(({ rows }) => rows === least).reduce((a, b) => (isLater(b, a) ? b : a));
  const day = closest?.day ?? days.find(({ entity }) => entity.value.year !== undefined) ?? days[0];
  if (!day) return undefined;
  const minutes = closest?.time.entity.value.from;
  const date = completed(day.entity.value, locale);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock =
    minutes === undefined || minutes >= 1440 ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return new FieldValue(date + clock, closest ? 0.85 : 0.7, {
    segment: day.segment,
    start: day.entity.start,
    end: day.entity.end,
  });
}

type Moment = { day: LocatedEntity<"Date">; time: LocatedEntity<"Time"> };

/** Where one drives in and out again, one pays when driving out. */
function isLater(one: Moment, other: Moment): boolean {
  const [a, b] = [one, other].map(({ day: { entity }, time }) => {
    const { year = 0, month, day } = entity.value;
    return ((year * 12 + month) * 31 + day) * 1440 + (time.entity.value.from ?? 0);
  });
  return (a ?? 0) > (b ?? 0);
}

const until: ReadonlySet<ConceptId> = new Set(["validTo", "dueDate", "dateTo", "expiresOn", "paymentTerm"]);

/** A ticket is valid until later than it was paid. */
function isUntil({ annotations: marks }: DocumentContext, segment: Segment, at: number): boolean {
  return (marks.labelsIn[segment.index] ?? []).some(
    ({ end, meanings }) =>
      end <= at &&
      at - end <= farthestWords &&
      meanings.some(({ concept, weight }) => until.has(concept) && weight >= 0.6),
  );
}

const farthestWords = 16;

/** Points hide a number only in groups of four: a row of them leads the eye to a sum. */
const masked = /(?<![*x•#·.\p{L}\p{N}])(?:[*x•#·][*x•#· -]{3,24}|(?:\.{4} ){2}\.{4} ?)(\d{4})(?![\d.,])/iu;
const cardDigits = /(?:\d[ -]?){8,19}|(?<![\d.,])\d{4}$/u;

/** The last four digits of the card: behind its stars, or of a number behind a label for cards. */
export function cardIn(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const match = masked.exec(segment.text);
    if (match?.[1]) {
      const end = match.index + match[0].length;
      return new FieldValue(match[1], 0.85, { segment, start: end - 4, end });
    }
  }
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept }) => concept === "cardNumber")) continue;
    const hidden = behindStars(document, label.segment);
    if (hidden) return hidden;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const digits = order === 0 ? cardDigits.exec(segment.text.slice(start, end)) : null;
      const last = digits?.[0].replace(/\D/gu, "").slice(-4);
      if (digits && last)
        return new FieldValue(last, 0.75, {
          segment,
          start: start + digits.index,
          end: start + digits.index + digits[0].length,
        });
    }
  }
  return undefined;
}

/** "Card 7002 **** **** 5518": the layout takes stars between blanks for a rule, four figures are left at the end of the line. */
function behindStars({ annotations: marks }: DocumentContext, label: Segment): FieldValue<string> | undefined {
  const row = marks.layout.pages[label.page - 1]?.rows.find((each) => each.includes(label)) ?? [];
  const last = row.at(-1);
  if (!last || last === label || !/^\d{4}$/u.test(last.text)) return undefined;
  return new FieldValue(last.text, 0.75, { segment: last, start: 0, end: 4 });
}

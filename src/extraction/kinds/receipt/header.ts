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
import { entityValue, segmentValue } from "../field-values.ts";
import { scores } from "./scores.ts";

const topRows = 4;
/**
 * A caption before a place on the journey, as in "Entry: Langres North". Such a place is not the merchant's address.
 */
const captioned = /^\p{L}[\p{L} .]{1,24}\s?:\s/u;

/** Finds the merchant: the first address of the receipt, with a company or the first words at the top as its name. */
export function merchantIn(document: DocumentContext): PartyDraft | undefined {
  const address = addressesOf(document.annotations, document.countries).find(
    ({ place: { entity, segment } }) => entity.value.postalCode !== undefined || !captioned.test(segment.text),
  );
  const company = entitiesOfType(document.annotations, "Company").find(
    ({ entity }) => entity.score >= scores.unlabelledEntity,
  );
  const name = company && merchantName(document, company);
  const block: Block<string> = {
    role: "Merchant",
    ...(address && { address }),
    ...(name && { name }),
    confidence: scores.merchant.address,
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

const owner = /^(?:Inh|Inhaber|Inhaberin|Prop|Titular|Titolare)\.?:?\s+/u;

/** The owner of an Italian inn belongs to its name: "TRATTORIA DEL PONTE di Salvi Marino S.n.c.". */
function merchantName({ annotations }: DocumentContext, company: LocatedEntity<"Company">): FieldValue<string> {
  const { segment, entity } = company;
  const before = segment.text.slice(0, entity.start);
  const whole = segment.text.slice(0, entity.end);
  const above = annotations.layout.segments[segment.index - 1];
  const confidence = scores.merchant.company;
  if (/\p{L}{3}.* di $/u.test(before)) return new FieldValue(whole, confidence, { segment, start: 0, end: entity.end });
  if (whole.startsWith("di ") && above?.page === segment.page && segment.row === above.row + 1)
    return new FieldValue(`${above.text} ${whole}`, confidence, { segment, start: 0, end: entity.end });
  return entityValue(entity.value.replace(owner, ""), company, confidence);
}

/** On a till receipt, each line is centred and stands alone; the line above the town is the street. */
function streetAbove({ annotations }: DocumentContext, place: Segment): FieldValue<string> | undefined {
  const rows = annotations.layout.pages[place.page - 1]?.rows ?? [];
  const at = rows.findIndex((row) => row.includes(place));
  const [line, ...others] = rows[at - 1] ?? [];
  if (!line || others.length > 0 || !/\p{L}{3}.*\d/u.test(line.text) || line.text.length > 40) return undefined;
  const labelled = (annotations.labelsIn[line.index] ?? []).some(({ standing }) => standing === "Head");
  return labelled ? undefined : segmentValue(line.text, line, scores.merchant.streetAboveTown);
}

function topName({ annotations }: DocumentContext): PartyDraft {
  const opensField = (index: number) =>
    (annotations.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        standing !== "Loose" &&
        meanings.some(({ concept, weight }) => weight >= scores.label && (start <= 2 || concept.startsWith("title"))),
    );
  const segment = annotations.layout.segments
    .filter(({ page, row }) => page === 1 && row < topRows)
    .find(({ text, index }) => /\p{L}{3}/u.test(text) && !/\d{3}|\p{L}\s?:\s/u.test(text) && !opensField(index));
  return segment ? { name: segmentValue(segment.text, segment, scores.merchant.topLine) } : {};
}

/** Maximum number of rows between a date and its time. The second value applies if only one time is printed. */
const [maxRows, maxRowsOfOnlyTime] = [3, 30];

/** Finds the date, with the time that is printed closest to it. */
export function issuedAtIn(document: DocumentContext, locale: DocumentLocale): FieldValue<string> | undefined {
  const days = entitiesOfType(document.annotations, "Date").filter(
    ({ entity }) => entity.score >= scores.unlabelledEntity,
  );
  const times = entitiesOfType(document.annotations, "Time").filter(
    ({ entity, segment }) =>
      entity.value.from !== undefined &&
      entity.score >= scores.unlabelledEntity &&
      /\d[:.h]\s?\d\d/i.test(segment.text.slice(entity.start, entity.end)) &&
      !isUntil(document, segment, entity.start),
  );
  const away = (day: LocatedEntity<"Date">, time: LocatedEntity<"Time">) =>
    day.segment.page === time.segment.page ? Math.abs(day.segment.row - time.segment.row) : Number.POSITIVE_INFINITY;
  const full = days.filter(({ entity }) => entity.value.year !== undefined);
  const pairs = (full.length > 0 ? full : days).flatMap((day) =>
    times.map((time) => ({ day, time, rows: away(day, time) })),
  );
  const fewestRows = Math.min(...pairs.map(({ rows }) => rows));
  const closest =
    fewestRows > (times.length === 1 ? maxRowsOfOnlyTime : maxRows)
      ? undefined
      : pairs.filter(({ rows }) => rows === fewestRows).reduce((a, b) => (isLater(b, a) ? b : a));
  const day = closest?.day ?? days.find(({ entity }) => entity.value.year !== undefined) ?? days[0];
  if (!day) return undefined;
  const minutes = closest?.time.entity.value.from;
  const date = completed(day.entity.value, locale);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock =
    minutes === undefined || minutes >= 1440 ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const { withTime, dateOnly } = scores.issuedAt;
  return entityValue(date + clock, day, closest ? withTime : dateOnly);
}

type Moment = { day: LocatedEntity<"Date">; time: LocatedEntity<"Time"> };

/** If an entry and an exit are printed, the later moment counts, because parking is paid at the exit. */
function isLater(one: Moment, other: Moment): boolean {
  const [a, b] = [one, other].map(({ day: { entity }, time }) => {
    const { year = 0, month, day } = entity.value;
    return ((year * 12 + month) * 31 + day) * 1440 + (time.entity.value.from ?? 0);
  });
  return (a ?? 0) > (b ?? 0);
}

const until: ReadonlySet<ConceptId> = new Set(["validTo", "dueDate", "dateTo", "expiresOn", "paymentTerm"]);

function isUntil({ annotations }: DocumentContext, segment: Segment, at: number): boolean {
  return (annotations.labelsIn[segment.index] ?? []).some(
    ({ end, meanings }) =>
      end <= at &&
      at - end <= maxCharactersToLabel &&
      meanings.some(({ concept, weight }) => until.has(concept) && weight >= scores.label),
  );
}

const maxCharactersToLabel = 16;

/**
 * The last digits of a masked number. Dots count as masking only in groups of four, because a row of dots may lead to
 * an amount.
 */
const masked =
  /(?<![*x•#·.\p{L}\p{N}])(?:[*x•#·][*x•#· -]{3,24}|(?:\.{4} ){2}\.{4} ?|(?<=\p{L} )\.{4})(\d{4})(?![\d.,])/iu;
const cardDigits = /(?:\d[ -]?){8,19}|(?<![\d.,])\d{4}$/u;

/** Finds the last four digits of the card: after masking characters, or of a number after a label for cards. */
export function cardIn(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const match = masked.exec(segment.text);
    if (match?.[1]) {
      const end = match.index + match[0].length;
      return new FieldValue(match[1], scores.card.masked, { segment, start: end - 4, end });
    }
  }
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept }) => concept === "cardNumber")) continue;
    const hidden = lastDigitsOfRow(document, label.segment);
    if (hidden) return hidden;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const digits = order === 0 ? cardDigits.exec(segment.text.slice(start, end)) : null;
      const last = digits?.[0].replace(/\D/gu, "").slice(-4);
      if (digits && last)
        return new FieldValue(last, scores.card.labelled, {
          segment,
          start: start + digits.index,
          end: start + digits.index + digits[0].length,
        });
    }
  }
  return undefined;
}

/** Finds "5518" in "Card 7002 **** **** 5518". The layout takes the asterisks for a ruling and removes them. */
function lastDigitsOfRow({ annotations }: DocumentContext, label: Segment): FieldValue<string> | undefined {
  const row = annotations.layout.pages[label.page - 1]?.rows.find((each) => each.includes(label)) ?? [];
  const last = row.at(-1);
  if (!last || last === label || !/^\d{4}$/u.test(last.text)) return undefined;
  return segmentValue(last.text, last, scores.card.labelled);
}

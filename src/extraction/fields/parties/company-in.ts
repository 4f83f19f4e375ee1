import type { ConceptId } from "../../lexicon/concepts.ts";
import { countryOf } from "../../lexicon/countries.ts";
import type { Address } from "../addresses/address.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { addressConcepts, tells } from "../labels/line-label.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import { addressOf, type PartyDraft } from "./party.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../route/stop-details.ts";
import type { DocumentContext } from "../labels/values.ts";

/** Lines of one part of the page, without captions. */
export type Lines = readonly TextSpan[];

/** Finds the company or person in these lines. The tax number may be anywhere in the text that `owned` accepts. */
export function companyIn(
  document: DocumentContext,
  addresses: readonly Address[],
  lines: Lines,
  owned: Owned,
): PartyDraft | undefined {
  const address = addresses.find(({ place }) => owned(place.segment, place.entity.start));
  const name = nameAmong(document, lines, address, owned);
  const vat = vatAmong(document, owned);
  const country = countryAmong(lines);
  const draft: PartyDraft = {
    ...(name && { name }),
    ...(vat && { vatCode: vat }),
    ...addressOf({ address, confidence: 0.92 }),
    ...(country && { country }),
  };
  return Object.keys(draft).length > 0 ? draft : undefined;
}

function nameAmong(
  document: DocumentContext,
  lines: Lines,
  address: Address | undefined,
  owned: Owned,
): FieldValue<string> | undefined {
  const firm = entitiesOfType(document.annotations, "Company").find(
    ({ segment, entity }) => entity.score >= 0.5 && owned(segment, entity.start),
  );
  if (address?.name && (address.named || !firm) && owned(address.name.segment, address.name.start))
    return withoutHonorific(address.name, address.named ? 0.93 : 0.75);
  if (firm) {
    const { segment, entity } = firm;
    return new FieldValue(cleanedText(entity.value), 0.5 + 0.4 * entity.score, {
      segment,
      start: entity.start,
      end: entity.end,
    });
  }
  const [first] = lines.filter(({ text }) => /\p{L}{2}/u.test(text) && !/[@:]|^\P{L}*\d/u.test(text));
  if (!first || isAddressed(document, first)) return undefined;
  const lead = honorific.exec(first.text)?.[0].length ?? 0;
  const upTo = first.text.slice(lead).split(/,\s/u)[0] ?? "";
  return new FieldValue(cleanedText(upTo), 0.5, {
    ...first,
    start: first.start + lead,
    end: first.start + lead + upTo.length,
  });
}

function withoutHonorific(name: TextSpan, confidence: number): FieldValue<string> {
  const lead = honorific.exec(name.text)?.[0].length ?? 0;
  return new FieldValue(cleanedText(name.text.slice(lead)), confidence, { ...name, start: name.start + lead });
}

const honorific =
  /^(?:Mrs?|Ms|Miss|Herrn?|Frau|Pan[ií]?|Monsieur|Madame|Mme|M\.|Sig(?:nor|\.ra|\.)?a?|Sra?\.|Don|Dhr|Mevr|Dl|Dna|Hr|Fru)\.?\s+(?=\p{Lu})/u;

function isAddressed(document: DocumentContext, { segment }: TextSpan): boolean {
  return (document.annotations.entitiesIn[segment.index] ?? []).some(
    (entity) => entity.type === "Place" && entity.value.postalCode && entity.start < 6 && entity.score >= 0.5,
  );
}

function vatAmong(document: DocumentContext, owned: Owned): FieldValue<string> | undefined {
  const sure = ({ entity }: LocatedEntity<"Vat">) => entity.score + (entity.value.checked ? 0.3 : 0);
  const [best] = entitiesOfType(document.annotations, "Vat")
    .filter(({ segment, entity }) => entity.score >= 0.3 && owned(segment, entity.start))
    .sort((a, b) => sure(b) - sure(a));
  if (!best) return undefined;
  const { segment, entity } = best;
  const code = entity.value.code.replace(/\s/gu, "");
  return new FieldValue(code, entity.value.checked ? 0.93 : 0.7, { segment, start: entity.start, end: entity.end });
}

function countryAmong(lines: Lines): FieldValue<string> | undefined {
  for (const line of lines) {
    const from = Math.max(line.text.lastIndexOf(","), line.text.search(/\s[–—-]\s[^–—-]*$/u)) + 1;
    const span = trimmedSpan(line.segment, line.start + from, line.end);
    const country = span.text.length > 3 && !/[\d.]/u.test(span.text) ? countryOf(span.text) : undefined;
    if (country) return new FieldValue(country, 0.9, span);
  }
  return undefined;
}

/**
 * Returns the lines of the wanted segments in reading order, without captions. Several parts on one line become
 * separate lines.
 * @param heads the labels that begin parts of the page. Each is a caption; any other label is a caption only if it is
 *   before a colon or alone on its line
 * @param beginOf returns the start of a part that does not begin with its label
 */
export function linesOf(
  document: DocumentContext,
  wanted: (segment: Segment, at: number) => boolean,
  heads: ReadonlySet<Label>,
  beginOf: (head: Label) => number = ({ start }) => start,
): TextSpan[] {
  const headsIn = Map.groupBy(heads, ({ segment }) => segment);
  return document.annotations.layout.segments.flatMap((segment) => {
    const own = (headsIn.get(segment) ?? []).sort((a, b) => a.start - b.start);
    const begins = own.map(beginOf);
    const parts = own.flatMap((head, at) => {
      const end = begins[at + 1] ?? segment.text.length;
      return at + 1 < own.length && isCaption(document, segment, head.end, end) ? [] : [{ head, end }];
    });
    const stretches = parts.length > 0 ? parts : [{ head: undefined, end: segment.text.length }];
    return stretches.flatMap(({ head, end }) => {
      const start = contentStart(document, segment, head, end);
      if (start === undefined || !wanted(segment, start)) return [];
      const span = trimmedSpan(segment, start, end);
      return span.text ? [span] : [];
    });
  });
}

function isCaption({ annotations }: DocumentContext, segment: Segment, start: number, end: number): boolean {
  return onlyLabels(segment.text.slice(start, end), annotations.labelsIn[segment.index] ?? [], start);
}

const partsOfAddress: ReadonlySet<ConceptId> = new Set<ConceptId>([
  ...addressConcepts,
  "companyName",
  "date",
  "time",
  "signature",
  "stamp",
]);

/** Returns the start of the text after the caption; undefined if there is only a caption before `end`. */
function contentStart(
  { annotations }: DocumentContext,
  segment: Segment,
  head: Label | undefined,
  end: number,
): number | undefined {
  const labels = (annotations.labelsIn[segment.index] ?? []).filter((label) => label.standing !== "Loose");
  const caption =
    head ??
    labels.findLast(
      (label) =>
        label.standing === "Head" && (tells(label, partsOfAddress) || /^\W*[:：]/u.test(segment.text.slice(label.end))),
    );
  if (!caption) return 0;
  const asideLength = head ? (aside.exec(segment.text.slice(caption.end, end))?.[0].length ?? 0) : 0;
  if (asideLength > 0 && caption.end + asideLength < end) return caption.end + asideLength;
  const rest = segment.text.slice(caption.end, end);
  const again = head ? translated.exec(rest)?.[0].length : undefined;
  if (again !== undefined) return caption.end + again >= end ? undefined : caption.end + again;
  const colon = /[:：]\s*/u.exec(rest);
  if (colon && onlyLabels(rest.slice(0, colon.index), labels, caption.end)) {
    const start = caption.end + colon.index + colon[0].length;
    return start >= end ? undefined : start;
  }
  if (onlyLabels(rest, labels, caption.end)) return head || onlyLabels(segment.text, labels, 0) ? undefined : 0;
  return head ? caption.end : 0;
}

/** Matches a translation of the caption in an unknown language: "Sender / Gönderen". */
const translated = /^\s?\/\s?[\p{L}'’ .&-]{3,50}(?:[:：]\s?|$)/u;

/** Matches an explanation after the caption of a form: "(name, address, country)". */
const aside = /^\s*\([^()\d]{3,80}\)\s*[:：]?\s*/u;

/** Whether labels, brackets and short words cover nearly the whole text. */
function onlyLabels(text: string, labels: readonly { start: number; end: number }[], offset: number): boolean {
  const left = [...text].map((letter, at) =>
    labels.some(({ start, end }) => at + offset >= start && at + offset < end) ? " " : letter,
  );
  return left.join("").replace(/\([^)]*\)?|(?<!\p{L})\p{L}{1,3}(?!\p{L})|[^\p{L}\p{N}]/gu, "").length < 4;
}

import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Entity } from "../../entities/entity.ts";
import { findCodes, type Code } from "../labels/codes.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { Route, Stop } from "./stops.ts";
import type { DocumentContext } from "../labels/values.ts";

const numberConcepts: Record<Stop["kind"], readonly ConceptId[]> = {
  Loading: [
    "loadingReference",
    "reference",
    "releaseNumber",
    "bookingNumber",
    "timeSlotNumber",
    "customerReference",
    "deliveryNoteNumber",
    "orderNumber",
  ],
  Unloading: [
    "unloadingReference",
    "reference",
    "timeSlotNumber",
    "deliveryNoteNumber",
    "customerReference",
    "bookingNumber",
    "orderNumber",
  ],
  Customs: ["reference", "customsDocument"],
  Stop: ["reference", "loadingReference", "unloadingReference", "timeSlotNumber"],
};

const leastScore = 0.35;

/** Finds the references of a stop (for example for the gate), without duplicates and without the `known` numbers. */
export function numbersAt(
  document: DocumentContext,
  route: Route,
  stop: Stop,
  known: ReadonlySet<string>,
): FieldValue<string>[] {
  const owned = (segment: Segment, at: number) => route.owner(segment, at) === stop;
  const found = new Map<string, FieldValue<string>>();
  for (const code of findCodes(document, numberConcepts[stop.kind], owned)) {
    const span = withKind(document, code);
    const overlaps = [...found.values()].some(
      (other) => other.span?.segment === span.segment && other.span.start < span.end && other.span.end > span.start,
    );
    if (code.score < leastScore || overlaps || known.has(code.span.text) || found.has(span.text)) continue;
    found.set(span.text, new FieldValue(span.text, code.score, span));
  }
  if (found.size > 0) return [...found.values()];
  const others = [...numbersBefore(document, stop, owned), ...unlabelledNumbers(document, owned)];
  return others.filter(({ value }, at) => !known.has(value) && others.findIndex((each) => each.value === value) === at);
}

const papers: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "deliveryNoteNumber",
  "customerReference",
  "timeSlotNumber",
  "releaseNumber",
  "bookingNumber",
]);
const saysNumber =
  /(?:^|[\s.-])(?:nr|no|num|č|št|br|бр|№|n[°ºr]?)(?![\p{L}])|\p{L}nr\.?$|n[uú]m(?:m?er|ber|éro|ero)|číslo|szám|номер|[°º#№]/iu;

/** Extends a number by the document type directly before it: "DDT 2241". */
function withKind({ annotations }: DocumentContext, { span, label, concept }: Code): TextSpan {
  const { segment } = label;
  const between = segment === span.segment ? segment.text.slice(label.end, span.start) : undefined;
  if (!papers.has(concept) || !between || !/^\.?\s$/u.test(between) || /^\p{L}/u.test(span.text)) return span;
  const word = segment.text.slice(label.start, label.end);
  if (saysNumber.test(word) || word.split(" ").length > 1) return span;
  const apart = (annotations.labelsIn[segment.index] ?? []).some(
    (other) => other !== label && other.end === label.start,
  );
  return apart ? span : { ...span, start: label.start, text: segment.text.slice(label.start, span.end) };
}

const codeAtEnd = /(?:^|[\s,;:|])((?=[\p{L}\p{N}/-]*\d\d)[\p{Lu}\p{N}][\p{Lu}\p{N}/-]{3,20})\s*[([]?$/u;

/** Finds numbers before their label: "LF-55108 (loading ref.)". */
function numbersBefore({ annotations }: DocumentContext, stop: Stop, owned: Owned): FieldValue<string>[] {
  const wanted: ReadonlySet<ConceptId> = new Set(numberConcepts[stop.kind]);
  return annotations.labels.flatMap(({ segment, start, standing, meanings }) => {
    const weight = Math.max(0, ...meanings.map((each) => (wanted.has(each.concept) ? each.weight : 0)));
    if (weight < 0.6 || standing === "Head" || standing === "Lead" || !owned(segment, start)) return [];
    const [, code] = codeAtEnd.exec(segment.text.slice(0, start)) ?? [];
    const at = code ? segment.text.lastIndexOf(code, start - 1) : -1;
    const span = { segment, start: at, end: at + (code?.length ?? 0), text: code ?? "" };
    return code && !isOther(annotations.entitiesIn[segment.index] ?? [], span) ? [new FieldValue(code, 0.5, span)] : [];
  });
}

const withWord =
  /^[^:\d]{3,30}:\s*((?:[\p{Lu}/]{1,6} (?=\d))?(?=[\p{L}\p{N}/-]*\d)[\p{Lu}\p{N}][\p{Lu}\p{N}/-]{3,20})$/u;
/** Matches text in the shape of a reference rather than a weight, gate or hall. */
const alone =
  /(?:^|[,;|(]\s*|\s{2,})((?:\p{L}{1,4}\.\s?){0,2}(?:\p{Lu}{2,5}[ -])?(?=[\p{Lu}\p{N}/-]*\d{3})[\p{Lu}\p{N}][\p{Lu}\p{N}/-]{2,20})(?=\s*(?:$|[,;|)]))/gu;

function unlabelledNumbers({ annotations }: DocumentContext, owned: Owned): FieldValue<string>[] {
  return annotations.layout.segments.flatMap((segment) => {
    const entities = annotations.entitiesIn[segment.index] ?? [];
    const labels = annotations.labelsIn[segment.index] ?? [];
    const [, behind] = labels.length === 0 ? (withWord.exec(segment.text) ?? []) : [];
    const lone = [...segment.text.matchAll(alone)].map((match) => ({
      code: match[1] ?? "",
      start: match.index + match[0].length - (match[1]?.length ?? 0),
    }));
    const codes = behind ? [{ code: behind, start: segment.text.length - behind.length }] : lone;
    return codes.flatMap(({ code, start }) => {
      const span = trimmedSpan(segment, start, start + code.length);
      const labelled = !behind && labels.some((label) => label.start < span.end && label.end > span.start);
      const letters = behind ?? (/\p{L}/u.test(span.text) ? code : undefined);
      return letters && !labelled && owned(segment, start) && !isOther(entities, span)
        ? [new FieldValue(span.text, 0.45, span)]
        : [];
    });
  });
}

function isOther(entities: readonly Entity[], { start, end }: TextSpan): boolean {
  return entities.some(
    (entity) => entity.type !== "Reference" && entity.score >= 0.5 && entity.end > start && entity.start < end,
  );
}

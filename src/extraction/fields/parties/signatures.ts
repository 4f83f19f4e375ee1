import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Entity } from "../../entities/entity.ts";
import type { Segment } from "../../layout/layout.ts";
import { tells } from "../labels/line-label.ts";
import { nameInMailbox } from "./mailboxes.ts";
import type { Annotations, LocatedEntity } from "../labels/annotations.ts";
import { indexAt, lineAbove, lineBelow } from "../../layout/page-index.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../labels/values.ts";

const nameWord = "\\p{Lu}[\\p{L}\\p{M}'’-]*\\.?";
const capitalised = new RegExp(`${nameWord}(?: ${nameWord}){1,4}`, "gu");
/** Matches academic and professional titles that are part of a name. */
const rank = /(?:(?:Ing|Mgr|Bc|JUDr|PhDr|Dr|Dipl\.-Ing|Dipl|Prof|MSc|Eng|mgr|inż|dr)\.\s?)+$/u;
const elsewhere: ReadonlySet<Entity["type"]> = new Set(["Company", "Street", "Date", "Vat", "Iban", "Amount"]);
const callWords: ReadonlySet<ConceptId> = new Set(["phone", "mobile", "email", "driverPhone"]);

/** Finds the owner of a mailbox: the nearest name in the document whose letters form the part before the @. */
export function signerOf(
  { annotations }: DocumentContext,
  { segment, entity }: LocatedEntity<"Email">,
): TextSpan | undefined {
  const mailbox = entity.value.split("@")[0] ?? "";
  const away = (other: Segment) => 100 * Math.abs(other.page - segment.page) + Math.abs(other.row - segment.row);
  let nearest: TextSpan | undefined;
  for (const other of annotations.layout.segments) {
    if (other.part !== segment.part || (nearest && away(other) >= away(nearest.segment))) continue;
    nearest = nameIn(annotations, other, mailbox) ?? nearest;
  }
  return nearest;
}

function nameIn(annotations: Annotations, segment: Segment, mailbox: string): TextSpan | undefined {
  for (const words of namesIn(segment)) {
    const found = nameInMailbox(
      mailbox,
      words.map(({ text }) => text),
    );
    if (!found) continue;
    const start = words[found.from]!.start;
    const last = words[found.to - 1]!;
    const end = last.start + last.text.length;
    if (!isTaken(annotations, segment, start, end)) return ranked(segment, start, end);
  }
  return undefined;
}

interface Word {
  text: string;
  start: number;
}

function namesIn(segment: Segment): Word[][] {
  const known = namesBefore.get(segment);
  if (known) return known;
  const names = [...segment.text.matchAll(capitalised)].map(({ 0: name, index }) =>
    [...name.matchAll(/\S+/gu)].map((word) => ({ text: word[0], start: index + word.index })),
  );
  namesBefore.set(segment, names);
  return names;
}

const namesBefore = new WeakMap<Segment, Word[][]>();

function ranked(segment: Segment, start: number, end: number): TextSpan {
  const from = start - (rank.exec(segment.text.slice(0, start))?.[0].length ?? 0);
  const to = end - (segment.text.slice(from, end).endsWith(".") ? 1 : 0);
  return { segment, start: from, end: to, text: segment.text.slice(from, to) };
}

function isTaken({ entitiesIn, labelsIn }: Annotations, { index }: Segment, start: number, end: number): boolean {
  const within = (other: { start: number; end: number }) => other.start < end && other.end > start;
  return (
    (entitiesIn[index] ?? []).some((entity) => elsewhere.has(entity.type) && entity.score >= 0.4 && within(entity)) ||
    (labelsIn[index] ?? []).some((label) => label.meanings.some(({ weight }) => weight >= 0.5) && within(label))
  );
}

const nameAtEnd = /(?:^|[\s:;,.(/|–-])(\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]+){1,2})$/u;
const signsAtEnd = /[\s,;:(|/–-]+$/u;

/** Finds the name directly before a phone number or mailbox on its line: "Anna Nowak, tel. 123 45 67". */
export function nameBefore(
  { annotations }: DocumentContext,
  { segment, entity }: LocatedEntity<"Phone" | "Email">,
): TextSpan | undefined {
  const word = (annotations.labelsIn[segment.index] ?? []).findLast(
    (label) => tells(label, callWords) && label.end <= entity.start && entity.start - label.end < 4,
  );
  const match = nameAtEnd.exec(segment.text.slice(0, word?.start ?? entity.start).replace(signsAtEnd, ""));
  if (!match?.[1]) return undefined;
  const start = match.index + match[0].indexOf(match[1]);
  const end = start + match[1].length;
  return isTaken(annotations, segment, start, end) ? undefined : ranked(segment, start, end);
}

const behalf = /^(?:(?:i\.? ?[av]|ppa|p\.? ?p|pp)\.?\s+)?/iu;
const signed = /^[\s,.!–-]*(\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]+){1,2})\s*(?:$|[,|·•(–-])/u;
const linesBelow = 2;
/** First row in which a greeting belongs to a signature. Further up, it begins the letter. */
const firstSigning = 3;

/** Finds the signatory, on the line of the greeting or shortly below: "Kind regards / Anna Nowak". */
export function signedName({ annotations }: DocumentContext): TextSpan | undefined {
  for (const { segment, end, standing, meanings } of annotations.labels) {
    if ((standing !== "Head" && standing !== "Lead") || segment.row < firstSigning) continue;
    if (!meanings.some(({ concept, weight }) => concept === "signature" && weight >= 0.6)) continue;
    const lines = [{ segment, from: end }];
    for (
      let below = lineBelow(annotations, segment);
      below && lines.length <= linesBelow;
      below = lineBelow(annotations, below)
    )
      lines.push({ segment: below, from: 0 });
    for (const { segment: line, from } of lines) {
      const rest = line.text.slice(from);
      const lead = behalf.exec(rest.trimStart())?.[0].length ?? 0;
      const [whole, name] = signed.exec(rest.trimStart().slice(lead)) ?? [];
      if (!whole || !name) continue;
      const start = line.text.indexOf(name, from);
      const last = start + name.length;
      if (!isTaken(annotations, line, start, last)) return ranked(line, start, last);
    }
  }
  return undefined;
}

const national = /(?<![\p{L}\p{N}/.+-])\(?\+?\d{1,4}\)?(?:[ /.–-]{1,3}\(?\d{1,4}\)?){1,5}(?![\p{L}\p{N}/]|[.,:-]\d)/gu;
const others: ReadonlySet<Entity["type"]> = new Set([
  "Date",
  "Time",
  "Vat",
  "Iban",
  "Amount",
  "Quantity",
  "Place",
  "Plate",
]);
const [minDigits, maxDigits] = [7, 13];

/**
 * Finds the phone number of a person or mailbox. It is on the same line, alone in the segment to the right, or alone on
 * a line below or above.
 */
export function numberBeside(
  { annotations }: DocumentContext,
  { segment, end }: TextSpan,
): LocatedEntity<"Phone"> | undefined {
  const own = numbersIn(annotations, segment);
  const behind = own.find(({ entity }) => entity.start >= end) ?? own[0];
  if (behind) return behind;
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const right = row[row.indexOf(segment) + 1];
  const [above, below] = [lineAbove(annotations, segment), lineBelow(annotations, segment)];
  const next = below && lineBelow(annotations, below);
  const alone = [right, below, above, next].filter((line) => line !== undefined);
  return alone.flatMap((line) => (isAlone(annotations, line) ? numbersIn(annotations, line) : []))[0];
}

function isAlone({ labelsIn, entitiesIn }: Annotations, { index, text }: Segment): boolean {
  const known = [
    ...(labelsIn[index] ?? []).filter((label) => tells(label, callWords)),
    ...(entitiesIn[index] ?? []).filter(({ type }) => type === "Email" || type === "Link"),
  ];
  const rest = [...text].filter((_, at) => !known.some(({ start, end }) => at >= start && at < end)).join("");
  return !/\p{L}{3}/u.test(rest);
}

function numbersIn(annotations: Annotations, segment: Segment): LocatedEntity<"Phone">[] {
  const entities = annotations.entitiesIn[segment.index] ?? [];
  const seen = entities.flatMap((entity) => (entity.type === "Phone" && entity.score >= 0.25 ? [entity] : []));
  const written = [...segment.text.matchAll(national)].flatMap((match) => {
    const figures = match[0].replace(/\D/gu, "").length;
    const [start, end] = [match.index, match.index + match[0].length];
    const other = entities.some(
      (entity) =>
        entity.start < end &&
        entity.end > start &&
        (entity.type === "Phone" || (others.has(entity.type) && entity.score >= 0.5)),
    );
    return figures < minDigits || figures > maxDigits || other
      ? []
      : [{ type: "Phone" as const, value: match[0], start, end, score: 0.4 }];
  });
  return [...seen, ...written]
    .filter(({ start }) => !isFax(annotations, segment, start))
    .sort((a, b) => a.start - b.start)
    .map((entity) => ({ segment, entity }));
}

function isFax({ labelsIn }: Annotations, { index }: Segment, at: number): boolean {
  const label = (labelsIn[index] ?? []).findLast(({ end }) => end <= at && at - end < 6);
  return (
    label !== undefined && tells(label, new Set<ConceptId>(["fax", "bankAccount", "registrationNumber", "vatNumber"]))
  );
}

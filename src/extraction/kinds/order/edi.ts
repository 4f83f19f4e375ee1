import { dayExists } from "../../entities/calendar.ts";

/** A segment of an EDI message. Each element is a list of components. */
export interface EdiSegment {
  tag: string;
  elements: string[][];
}

/** Returns a component of an element. Both positions are counted from 1. Undefined if the component is empty. */
export function part(segment: EdiSegment | undefined, element: number, component = 1): string | undefined {
  const text = segment?.elements[element - 1]?.[component - 1]?.trim();
  return text === "" ? undefined : text;
}

export const findSegment = (segments: readonly EdiSegment[], tag: string): EdiSegment | undefined =>
  segments.find((segment) => segment.tag === tag);

/** Joins all components of an element. Names and streets are split into several components. */
export function whole(segment: EdiSegment | undefined, element: number, between = " "): string | undefined {
  const text = (segment?.elements[element - 1] ?? [])
    .map((each) => each.trim())
    .filter(Boolean)
    .join(between);
  return text === "" ? undefined : text;
}

const defaultSeparators = ":+.? '";

/**
 * Splits an EDIFACT interchange into segments. UNA may declare other separators. A character after a release character
 * is text.
 */
export function edifactSegments(interchange: string): EdiSegment[] {
  const text = interchange.trimStart();
  const declared = text.startsWith("UNA") ? text.slice(3, 9) : defaultSeparators;
  const [component = ":", element = "+", , release = "?", , end = "'"] = declared;
  const segments: EdiSegment[] = [];
  let elements: string[][] = [[""]];
  const close = () => {
    const tag = elements[0]?.[0]?.trim() ?? "";
    if (tag !== "") segments.push({ tag, elements: elements.slice(1) });
    elements = [[""]];
  };
  for (let at = text.startsWith("UNA") ? 9 : 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    const open = elements.at(-1) as string[];
    if (letter === release && release !== " ") open[open.length - 1] += text[(at += 1)] ?? "";
    else if (letter === component) open.push("");
    else if (letter === element) elements.push([""]);
    else if (letter === end) close();
    else if (letter !== "\r" && letter !== "\n") open[open.length - 1] += letter;
  }
  close();
  return segments;
}

const separatorAt = { element: 3, component: 104, end: 105 };

/** Splits an X12 interchange into segments. Its header has a fixed length, with the separators at fixed positions. */
export function x12Segments(interchange: string): EdiSegment[] {
  const text = interchange.trimStart();
  const [element, component, end] = [
    text[separatorAt.element] ?? "*",
    text[separatorAt.component] ?? ">",
    text[separatorAt.end] ?? "~",
  ];
  return text.split(end).flatMap((printed): EdiSegment[] => {
    const [tag = "", ...elements] = printed.trim().split(element);
    return tag === "" ? [] : [{ tag, elements: elements.map((each) => each.split(component)) }];
  });
}

/**
 * Finds the messages of an interchange. Each begins with the tag `head` and ends before the tag `tail`: UNH and UNT, or
 * ST and SE.
 */
export function messagesIn(segments: readonly EdiSegment[], head: string, tail: string): EdiSegment[][] {
  const messages: EdiSegment[][] = [];
  let open: EdiSegment[] | undefined;
  for (const segment of segments) {
    if (segment.tag === head) messages.push((open = [segment]));
    else if (segment.tag === tail) open = undefined;
    else open?.push(segment);
  }
  return messages;
}

/**
 * Splits a message before every segment that opens a group. The first group contains the segments before the first such
 * segment.
 */
export function groupsOf(segments: readonly EdiSegment[], opens: (segment: EdiSegment) => boolean): EdiSegment[][] {
  const groups: EdiSegment[][] = [[]];
  for (const segment of segments) {
    if (opens(segment)) groups.push([segment]);
    else groups.at(-1)?.push(segment);
  }
  return groups;
}

/** A period in local time. */
export interface EdiPeriod {
  start?: string;
  end?: string;
}

const century = (digits: string) => `20${digits}`;

/**
 * Converts "20261124", "202611240800" or "20261124080000" to a moment in local time. A date without time begins at
 * midnight. Undefined for dates that do not exist.
 */
export function momentOf(digits: string): string | undefined {
  if (!/^\d{8}(?:\d{4}(?:\d{2})?)?$/.test(digits)) return undefined;
  const [year, month, date] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8)];
  const clock = digits.padEnd(12, "0");
  const [hour, minute] = [clock.slice(8, 10), clock.slice(10, 12)];
  const exists = dayExists({ year: Number(year), month: Number(month), day: Number(date) });
  return exists && Number(hour) < 24 && Number(minute) < 60
    ? `${year}-${month}-${date}T${hour}:${minute}:00`
    : undefined;
}

/** Reads a date, moment or period, according to the EDIFACT code of its format (2379). */
export function periodOf(value: string, format: string | undefined): EdiPeriod {
  const digits = value.replace(/[^\d-]/gu, "");
  if (format === "718" || format === "719") {
    const half = format === "718" ? 8 : 12;
    const bare = digits.replace("-", "");
    return period(momentOf(bare.slice(0, half)), momentOf(bare.slice(half)));
  }
  const short = format === "101" || format === "201";
  return period(momentOf(short ? century(digits) : digits), undefined);
}

function period(start: string | undefined, end: string | undefined): EdiPeriod {
  return { ...(start && { start }), ...(end && { end }) };
}

import { localName, streamXml } from "../../formats/xml-stream.ts";
import { defaultLimits } from "../../formats/limits.ts";
import { requireValueLimit } from "../../formats/page-builder.ts";
import type { Budget } from "../../problem.ts";
import { dayExists } from "../../entities/calendar.ts";

/** An XML element. Names are without namespace prefix. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Parses an XML text without external entities. Returns the root element, or undefined if there is none. */
export function treeOf(xml: string, budget: Budget): Element | undefined {
  const roots: Element[] = [];
  const open: Element[] = [];
  let count = 0;
  streamXml(
    xml,
    {
      open: (name, attributes) => {
        requireValueLimit(++count, { limits: defaultLimits });
        const element: Element = { name: localName(name), attributes: named(attributes), text: "", children: [] };
        (open.at(-1)?.children ?? roots).push(element);
        open.push(element);
      },
      close: () => open.pop(),
      text: (piece) => {
        const element = open.at(-1);
        if (element) element.text += piece;
      },
    },
    { limits: defaultLimits, budget },
  );
  return roots[0];
}

function named(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]));
}

/**
 * Finds all elements at a path of names below an element, such as "Party/PostalAddress/CityName". "ID|IssuerAssignedID"
 * matches either name.
 */
export function all(element: Element | undefined, path: string): Element[] {
  let elements = element ? [element] : [];
  for (const step of path.split("/")) {
    const names = step.split("|");
    elements = elements.flatMap((each) => each.children.filter((child) => names.includes(child.name)));
  }
  return elements;
}

/** Maps all elements at the path. Undefined results are left out. */
export function mapAll<T>(element: Element | undefined, path: string, map: (each: Element) => T | undefined): T[] {
  return all(element, path).flatMap((each) => map(each) ?? []);
}

export function first(element: Element | undefined, path: string): Element | undefined {
  return all(element, path)[0];
}

/** Returns the text of the first element at the path, with single spaces. Undefined if the text is empty. */
export function textAt(element: Element | undefined, path: string): string | undefined {
  return wordsOf(first(element, path));
}

export function wordsOf(element: Element | undefined): string | undefined {
  const words = element?.text.replace(/\s+/gu, " ").trim();
  return words ? words : undefined;
}

/** Reads the number at the path. Undefined if the text has another format than "-12.5". */
export function numberAt(element: Element | undefined, path: string): number | undefined {
  return numberOf(textAt(element, path));
}

export function numberOf(words: string | undefined): number | undefined {
  if (words === undefined || !/^[+-]?\d+(?:\.\d+)?$/.test(words)) return undefined;
  return Number(words);
}

/**
 * Reads the date at the path as ISO 8601. The text may be "2026-11-20", "20261120", "202611201030" or
 * "2026-11-20T10:30:00Z".
 */
export function dateAt(element: Element | undefined, path: string): string | undefined {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(textAt(element, path) ?? "");
  const [, year, month, day] = match ?? [];
  const exists = dayExists({ year: Number(year), month: Number(month), day: Number(day) });
  return exists ? `${year}-${month}-${day}` : undefined;
}

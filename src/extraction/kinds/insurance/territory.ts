import { FieldValue } from "../../fields/confidence/field-value.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { countryKeys, countryOf } from "../../lexicon/countries.ts";
import { foldName } from "../../lexicon/fold.ts";
import words from "../../lexicon/territory-words.json" with { type: "json" };
import { uniqueByValue } from "../field-values.ts";
import { scores } from "./scores.ts";

/**
 * Finds the territory: the countries or the region behind its label, otherwise the longest list of countries in a
 * sentence, row or column of the first page. Countries that are struck out or excluded do not count.
 */
export function territoryIn(document: DocumentContext): FieldValue<string>[] {
  const struckOut = new Set(document.annotations.layout.segments.flatMap((segment) => excludedIn(segment)));
  return labelledOrListed(document).filter(({ value }) => !struckOut.has(value));
}

function labelledOrListed(document: DocumentContext): FieldValue<string>[] {
  const labelled = document.annotations.labels.flatMap((label) => {
    const meaning = label.meanings.find(({ concept }) => concept === "territory");
    const areas = meaning ? valueAreasOf(document.annotations, label).filter(({ way }) => way !== "Before") : [];
    const [first] = areas;
    if (!meaning || !first) return [];
    const spans = areas
      .filter(({ way }) => way === first.way || first.way === "Same")
      .slice(0, maxAreas)
      .map(({ segment, start }) => trimmedSpan(segment, start, segment.text.length));
    return [{ spans, weight: meaning.weight }];
  });
  for (const { spans, weight } of labelled.sort((one, other) => other.weight - one.weight)) {
    const values = valuesOf(spans, weight * scores.territory.labelled);
    if (values.length > 0) return values;
  }
  return listedWithoutLabel(document);
}

const maxAreas = 24;
const minUnlabelled = 3;

function listedWithoutLabel({ annotations }: DocumentContext): FieldValue<string>[] {
  const segments = annotations.layout.segments.filter(({ page }) => page === 1);
  const columns = [...Map.groupBy(segments, ({ box, size }) => Math.round(box.x0 / size)).values()];
  const groups = [...segments.map((segment) => [segment]), ...columns.map(columnOfCountries)];
  const lists = groups.map((group) =>
    group.flatMap((segment) => countriesIn(wholeOf(segment)).filter(({ isName }) => isName)),
  );
  const [longest] = lists.map((list) => uniqueCountries(list)).sort((one, other) => other.length - one.length);
  if (!longest || longest.length < minUnlabelled) return [];
  return longest.map(({ country, span }) => new FieldValue(country, scores.territory.unlabelled, span));
}

/** The most lines below each other that are nothing but a country. */
function columnOfCountries(column: readonly Segment[]): Segment[] {
  let [best, run]: Segment[][] = [[], []];
  for (const segment of column) {
    run = isCountry(segment.text) ? [...run!, segment] : [];
    if (run.length > best!.length) best = run;
  }
  return best!;
}

const isCountry = (text: string): boolean => text.length > 3 && countryOf(text) !== undefined;

const wholeOf = (segment: Segment): TextSpan => trimmedSpan(segment, 0, segment.text.length);

interface Country {
  country: string;
  /** A name, not a code, which may be another abbreviation. */
  isName: boolean;
  span: TextSpan;
}

const uniqueCountries = (list: readonly Country[]): Country[] =>
  list.filter(({ country }, at) => list.findIndex((other) => other.country === country) === at);

const anyOf = (list: readonly string[]): string => list.map((word) => word.replace(/[.()]/gu, "\\$&")).join("|");
const excluding = new RegExp(`(?<!\\p{L})(?:${anyOf(words.without)})(?!\\p{L})(.*)$`, "iu");
const connecting = new RegExp(`^(?:(?:${anyOf(words.connecting)})\\s+)+`, "u");
const regions = new Set(words.regions);
const regionWords = new RegExp(words.regionWords.join("|"), "iu");
const maxRegionLength = 60;

/** The countries of some lines up to the first line without any, or the region that the first line names. */
function valuesOf(spans: readonly TextSpan[], confidence: number): FieldValue<string>[] {
  const lists = spans.map((span) => countriesIn(span));
  const from = lists.findIndex((list) => list.length > 0);
  const to = lists.findIndex((list, at) => at > from && list.length === 0);
  const values = from < 0 || from > 1 ? [] : lists.slice(from, to < 0 ? lists.length : to).flat();
  if (values.length > 0)
    return uniqueByValue(values.map(({ country, span }) => new FieldValue(country, confidence, span)));
  const [first] = spans;
  const region = first?.text.split(/[,;(/•·.]|\s[–—-]\s/u)[0]?.trim() ?? "";
  const isRegion = regionWords.test(region) && region.length < maxRegionLength && !excluding.test(region);
  return first && isRegion ? [new FieldValue(region, confidence, { ...first, end: first.start + region.length })] : [];
}

/** Matches what separates the entries of a list. Brackets contain remarks. */
const separator = /[,;·•/|:.)]|\([^)]*\)?|\s[–—-]\s/u;

function countriesIn(span: TextSpan): Country[] {
  const text = span.text.replace(/\([^)]*\)?/gu, (remark) => " ".repeat(remark.length)).replace(excluding, "");
  return text.split(separator).flatMap((entry) => {
    const isName = /\p{Ll}/u.test(entry) || entry.trim().length > 3;
    return countriesOfEntry(entry.trim()).map((country) => ({ country, span, isName }));
  });
}

/** The countries that the text excludes: "struck through: AL, AZ". */
function excludedIn(segment: Segment): string[] {
  const listed = excluding.exec(segment.text)?.[1];
  return listed ? listed.split(separator).flatMap((entry) => countriesOfEntry(entry.trim())) : [];
}

/** An entry may be a name, a code with spaces between its letters, or several names and codes with small words between. */
function countriesOfEntry(entry: string): string[] {
  const tight = /^(?:\p{Lu} ?){1,3}$/u.test(entry) ? entry.replaceAll(" ", "") : undefined;
  const one = tight ? countryOf(tight) : named(entry);
  if (one) return [one];
  if (regions.has(entry)) return [entry];
  const parts = entry.split(/\s+/u);
  const found: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const length = [3, 2, 1].find(
      (count) => at + count <= parts.length && isNamed(parts.slice(at, at + count).join(" ")),
    );
    const name = length === undefined ? undefined : parts.slice(at, at + length).join(" ");
    if (name) found.push(regions.has(name) ? name : named(name)!);
    at += (length ?? 1) - 1;
  }
  return found;
}

const isNamed = (text: string): boolean => regions.has(text) || named(text) !== undefined;

/** A country by its name or code, or by its name in another case: "Slovenska", "der Schweiz". */
function named(text: string): string | undefined {
  const bare = text.replace(connecting, "").trim();
  if (/^\p{Lu}{1,3}$/u.test(bare)) return countryOf(bare);
  if (bare.length < minName || !/^\p{Lu}/u.test(bare)) return undefined;
  return countryOf(bare) ?? inflected(foldName(bare));
}

const minName = 4;

function inflected(text: string): string | undefined {
  const ahead = text.slice(0, minName);
  const keys = (keysByStart.size > 0 ? keysByStart : fillKeys()).get(ahead) ?? [];
  return keys.find(([key]) => isCaseOf(key, text))?.[1];
}

const keysByStart = new Map<string, [string, string][]>();

function fillKeys(): typeof keysByStart {
  for (const [key, country] of countryKeys()) {
    const start = key.slice(0, minName);
    if (key.length > minName) keysByStart.set(start, [...(keysByStart.get(start) ?? []), [key, country]]);
  }
  return keysByStart;
}

/** Whether each word of one name differs from that of the other in its ending only. */
function isCaseOf(one: string, other: string): boolean {
  const [first, second] = [one.split(" "), other.split(" ")];
  return first.length === second.length && first.every((word, at) => sharesStem(word, second[at] ?? ""));
}

function sharesStem(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  let same = 0;
  while (same < longest && one[same] === other[same]) same += 1;
  return same >= longest - 2 && same >= Math.min(minName, longest);
}

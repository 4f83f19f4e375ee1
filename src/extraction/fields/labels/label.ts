import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import { findLabels, type LabelMatch } from "../../lexicon/lexicon.ts";
import type { Entity } from "../../entities/entity.ts";
import { yesOrNo } from "./answers.ts";
import type { Segment } from "../../layout/layout.ts";
import { findLoadingVerbs } from "./loading-verbs.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import words from "../../lexicon/direction-words.json" with { type: "json" };

/**
 * Position of a label in its segment. `Head`: at the start, followed by a colon or nothing. `Lead`: at the start,
 * followed directly by its value. `Inline`: after a separator, or before a colon. `Tail`: at the end of a few words
 * ("date raised by our office", "22 pallets total"). `Loose`: a word in a sentence.
 */
export type Standing = "Head" | "Lead" | "Inline" | "Tail" | "Loose";

/** A label with its position. A bilingual label ("Nakládka / Loading") is one label. */
export interface Label {
  index: number;
  segment: Segment;
  start: number;
  end: number;
  meanings: { concept: ConceptId; weight: number }[];
  standing: Standing;
  /** Number that is part of the label, as in "Delivery 2" or "Załadunek nr 1". */
  number?: number;
}

/** Finds the labels of a segment, in printed order. The caller assigns `index`. */
export function labelsOf(segment: Segment, seen: readonly Entity[], languages: readonly string[]): Label[] {
  if (answer.test(segment.text) && yesOrNo(segment.text) !== undefined) return [];
  const scanned = segment.tokens.some((token) => token.source === "Ocr");
  const labels: Label[] = [];
  const written = findLabels(segment.text, { fuzzy: scanned }).flatMap((hit) => inContext(hit, languages) ?? []);
  const spoken = findLoadingVerbs(segment.text, written, seen, languages);
  const hits = [...written, ...spoken, ...findDirectionWords(segment.text)].sort((a, b) => a.start - b.start);
  for (const hit of hits.slice(0, mostHits)) {
    if (partOfName(hit, seen, segment.text)) continue;
    const last = labels.at(-1);
    if (last && last.start === hit.start) addMeaning(last, hit);
    else if (last && isTranslation(last, hit, segment.text)) {
      last.end = hit.end;
      addMeaning(last, hit);
    } else labels.push({ index: -1, segment, start: hit.start, end: hit.end, meanings: [hit], standing: "Loose" });
  }
  for (const label of labels) Object.assign(label, numbered(label, seen));
  for (const label of labels) label.standing = standingOf(label, labels);
  return labels;
}

/**
 * Maximum number of matches per segment, because each is compared with all others. Terms and conditions have about
 * fifty.
 */
const mostHits = 200;

/** Matches a segment of a single word. A yes or no, such as "no" to the right of "ADR:", is a value, not a label. */
const answer = /^\p{L}+\.?$/u;
const foreignDoubt = 0.5;
const shortestForeign = 4;

/**
 * Lowers the weight of phrases in languages other than those of the document, and drops short ones: "del" is more
 * likely Spanish than an abbreviation of delivery. "FIX" is kept, because it is used in all languages.
 */
function inContext(hit: LabelMatch, languages: readonly string[]): LabelMatch | undefined {
  if (languages.length === 0 || hit.languages.some((language) => languages.includes(language))) return hit;
  return hit.end - hit.start < shortestForeign && hit.concept !== "fixedTime"
    ? undefined
    : { ...hit, weight: hit.weight * foreignDoubt };
}

/**
 * Whether the match is part of a name and therefore not a label: "Spedition" in a company name, "Am" in a street and
 * "DE" before a postal code.
 */
function partOfName(hit: LabelMatch, seen: readonly Entity[], text: string): boolean {
  const within = ({ start, end }: Entity) => start <= hit.start && end >= hit.end;
  if (seen.some((entity) => isWritten(entity, hit) && within(entity))) return true;
  if (seen.some((entity) => isStreetOfPlace(entity, hit, seen, text))) return true;
  if (colon.test(text.slice(hit.end))) return false;
  if (namesRole(hit, seen, text)) return false;
  return seen.some((entity) => {
    if (hit.start === 0 && entity.start === 0 && entity.end - hit.end <= 4) return false;
    if (entity.type === "Street" && wordsOf(hit) >= minCaptionWords) return false;
    const figures = /\d/.test(text.slice(entity.start, entity.end));
    const names = entity.type === "Company" || ((entity.type === "Street" || entity.type === "Place") && figures);
    return names && entity.score >= 0.75 && entity.start <= hit.start && entity.end >= hit.end;
  });
}

/**
 * Whether the match begins a street: a word and number between a comma and a postal code, as in "Hill Ltd, Loading 12,
 * 170 00 Praha".
 */
function isStreetOfPlace(
  { type, start, end }: Entity,
  hit: LabelMatch,
  seen: readonly Entity[],
  text: string,
): boolean {
  if (type !== "Street" || start !== hit.start || end <= hit.end || !/,\s*$/u.test(text.slice(0, start))) return false;
  return seen.some(
    (other) =>
      other.type === "Place" &&
      other.value.postalCode !== undefined &&
      other.start >= end &&
      /^,\s*$/u.test(text.slice(end, other.start)),
  );
}

/** Minimum number of words of a label that cannot be part of a street: "3 Place of delivery of the goods". */
const minCaptionWords = 3;
const wordsOf = ({ phrase }: LabelMatch): number => phrase.trim().split(/\s+/u).length;

/** Words within an e-mail address, link or plate are not labels. */
function isWritten({ type, score }: Entity, { start, end, concept }: LabelMatch): boolean {
  const ofPlates = conceptOf(concept).expects[0] === "Plate";
  return type === "Email" || type === "Link" || (type === "Plate" && score >= 0.33 && end - start <= 3 && !ofPlates);
}

/** Whether the match is a word for the role of a company, followed by its name: "Frachtführer Alfa GmbH". */
function namesRole({ start, end, concept, weight }: LabelMatch, seen: readonly Entity[], text: string): boolean {
  if (!enumeration.test(text.slice(0, start)) || weight < 1 || business.test(text.slice(start, end))) return false;
  if (concept !== "carrier" && concept !== "customer") return false;
  const firm = seen.find((entity) => entity.type === "Company" && entity.start <= start && entity.end > end);
  const words = firm ? text.slice(end, firm.end).trim().split(/\s+/u) : [];
  return words.length > 1 && /^["'„“«]?\p{Lu}/u.test(words[0] ?? "");
}

/** Matches words for a role that companies also use in their names. */
const business =
  /sped|exped|eksped|šped|trans|fuhr|fuvar|szállít|kuljetus|liikenn|logist|åkeri|vognm|prevoz|prijevoz|doprav|przewoz|veo|перевоз|превоз|транс|спед|експед|экспед|haul|truck|freight|forward|compan|agen|cargo|firma|company|broker/iu;

function addMeaning(label: Label, { concept, weight }: LabelMatch): void {
  const known = label.meanings.find((each) => each.concept === concept);
  if (known) known.weight = Math.max(known.weight, weight);
  else label.meanings.push({ concept, weight });
}

function isTranslation(label: Label, hit: LabelMatch, text: string): boolean {
  const between = text.slice(label.end, hit.start);
  return /^\s*[/|(–-]\s*$/u.test(between) && label.meanings.some((each) => each.concept === hit.concept);
}

const numberAfter = /^\s*(?:n[ro°º]?\.?\s*|#\s*)?(\d{1,2})(?=\s*(?:$|[:.)\]–—-](?!\d)|\s[–—-]\s|\s+\p{L}))/u;

function numbered(label: Label, seen: readonly Entity[]): { number?: number; end?: number } {
  const stops = label.meanings.some(
    ({ concept }) =>
      ["Stop", "Loading", "Unloading"].includes(conceptOf(concept).about) && conceptOf(concept).stands === "Heading",
  );
  const match = stops && numberAfter.exec(label.segment.text.slice(label.end));
  if (!match) return {};
  const end = label.end + match[0].length;
  const isDay = seen.some(
    ({ type, score, start, end: to }) => type === "Date" && score >= 0.5 && start < end && to > end,
  );
  return isDay ? {} : { number: Number(match[1]), end };
}

const enumeration =
  /^[\s\p{P}\p{S}]*(?:(?:\d{1,2}(?:\.\d{1,2}){0,2}|[A-Za-z]|[IVX]{1,4})\s*[.)\]·:–—-]+|\d{1,2}(?:\.\d{1,2})?(?=\s))?[\s\p{P}\p{S}]*$/u;
const colon = /^\s*\.?\s*(?:\([^)]{0,30}\)\s*)?[:：=]/u;
const nothing = /^[\s\p{P}]*$/u;

function standingOf(label: Label, labels: readonly Label[]): Standing {
  const { text } = label.segment;
  const [before, after] = [text.slice(0, label.start), text.slice(label.end)];
  const opens = enumeration.test(before) || coveredByLabels(label, labels);
  const closes = colon.test(after) || nothing.test(textBehind(label, labels));
  if (opens) return closes ? "Head" : "Lead";
  if (colon.test(after) || /[,;|•·–—(/]\s*$|\s[-]\s*$/u.test(before) || opensSentence(label)) return "Inline";
  return closes && text.length < 40 ? "Tail" : "Loose";
}

/** Whether the label is for a number and begins a sentence: "… Berlin. Reference 80424122.". */
function opensSentence({ segment: { text }, start, meanings }: Label): boolean {
  if (!meanings.some(({ concept }) => conceptOf(concept).expects[0] === "Reference")) return false;
  return /(?:\p{Ll}{3}|\d|\))[.!?]\s+$/u.test(text.slice(0, start)) && /^\p{Lu}/u.test(text.slice(start));
}

function textBehind(label: Label, labels: readonly Label[]): string {
  const { text } = label.segment;
  let rest = "";
  let at = label.end;
  for (const next of labels.filter((other) => other.start >= label.end)) {
    rest += text.slice(at, next.start);
    at = next.end;
  }
  return (rest + text.slice(at)).split(":")[0]?.replace(/\b\p{Ll}{1,3}\b/gu, "") ?? "";
}

/**
 * Whether labels cover nearly all the text before this one. In "Loading place and date", the second label therefore
 * also counts as being at the start.
 */
function coveredByLabels(label: Label, labels: readonly Label[]): boolean {
  const earlier = labels.filter((other) => other.end <= label.start);
  const letters = label.segment.text.slice(0, label.start).replace(/[^\p{L}]/gu, "").length;
  const covered = earlier.reduce((sum, other) => sum + other.end - other.start, 0);
  return earlier.length > 0 && letters - covered < 5 && !/[:,.;]/u.test(label.segment.text.slice(0, label.start));
}

const acts = { from: "loading", to: "unloading" } as const;
const meant = new Map(
  (["from", "to"] as const).flatMap((way) => words[way].map((word) => [foldText(word), acts[way]] as const)),
);
const alone = /^[\s\P{L}]*((?:\p{L}{1,8} )?\p{L}{1,8}) ?(?:[:：]|$)/u;
const short = /^[^:：]{1,20}(?:[:：]|$)/u;
/** Weight of a direction word. It is too low to begin a section without further evidence. */
const weight = 0.3;

/** "Nach:", "From": a word for "from" or "to" with only a colon or nothing after it marks a start or destination. */
function findDirectionWords(text: string): LabelMatch[] {
  if (!short.test(text)) return [];
  const folded = fold(text);
  const [whole = "", word = ""] = alone.exec(folded.text) ?? [];
  const concept = meant.get(word);
  if (!concept) return [];
  const start = folded.at(whole.indexOf(word));
  const end = folded.at(whole.indexOf(word) + word.length);
  return [{ concept, language: "", languages: [], start, end, phrase: text.slice(start, end), weight }];
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mailLabels, type MailLabel } from "../../src/extraction/mail/labels.ts";
import type { Chance } from "../chance.ts";

/** Phrases of one language. A phrase may contain alternatives ("[please|kindly|]") and placeholders ("{order}"). */
export interface Phrases {
  openers: string[];
  closings: string[];
  /** Lines that state origin and destination. */
  routes: string[];
  byLabel: Record<MailLabel, Acts>;
}

interface Acts {
  subjects: string[];
  /** Sentences that determine the label. */
  acts: string[];
  /** Accompanying sentences, which do not determine the label. */
  beside: string[];
}

const folder = join(import.meta.dirname, "phrases");

/** ISO 639-1 codes of the languages that have phrases. */
export const mailLanguages = readdirSync(folder)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => name.slice(0, -4))
  .sort();

/**
 * Parses a language's phrases. A line that begins with "=" opens a section: opener, closing, route or a label. In the
 * section of a label, "~" marks a subject, "-" a sentence that determines the label, and "+" an accompanying sentence.
 * @throws if a label has too few phrases
 */
export function phrasesOf(language: string): Phrases {
  const sections = Map.groupBy(linesIn(join(folder, `${language}.txt`)), ({ section }) => section);
  const lines = (name: string) => (sections.get(name) ?? []).map(({ line }) => line);
  const marked = (name: string, mark: string) =>
    lines(name).flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(2).trim()] : []));
  const acts = mailLabels.map((label) => {
    const phrases = { subjects: marked(label, "~"), acts: marked(label, "-"), beside: marked(label, "+") };
    if (phrases.acts.length < 3 || phrases.subjects.length < 1)
      throw new RangeError(`${language} has too few phrases for ${label}.`);
    return [label, phrases] as const;
  });
  return {
    openers: lines("opener"),
    closings: lines("closing"),
    routes: lines("route"),
    byLabel: Object.fromEntries(acts) as Phrases["byLabel"],
  };
}

function linesIn(file: string): { section: string; line: string }[] {
  let section = "";
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("= ")) section = line.slice(2).trim();
      else if (line.trim() !== "") return [{ section, line }];
      return [];
    });
}

/** Renders a phrase: picks one alternative of each bracket and fills the placeholders. */
export function renderPhrase(phrase: string, chance: Chance, fill: (place: string) => string): string {
  const chosen = phrase.replace(/\[([^\]]*)\]/g, (_, choices: string) => chance.pick(choices.split("|")));
  return chosen
    .replace(/\{(\w+)\}/g, (_, place: string) => fill(place))
    .replace(/ {2,}/g, " ")
    .replace(/ ([,.])/g, "$1")
    .trim();
}

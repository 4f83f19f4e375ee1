import { fold } from "../lexicon/fold.ts";
import { romanise } from "../lexicon/romanise.ts";
import { rankedClasses, type LinearModel } from "../linear-model.ts";
import hints from "./hints.json" with { type: "json" };
import model from "./label-model.json" with { type: "json" };
import type { MailLabel } from "./labels.ts";
import { findLabels } from "../lexicon/lexicon.ts";

/**
 * Hints at the meaning of words, by word prefix. Hints are the same in all languages, so that training data of one
 * language also helps with the others.
 */
let hintsByPrefix: Map<string, string[]> | undefined;

const minHintLength = 2;
const maxPrefixLength = 9;
/** Shorter prefixes match only a whole word. */
const minPrefixLength = 4;

/** @param word lower-case Latin letters without diacritics */
function hintsOf(word: string): readonly string[] {
  hintsByPrefix ??= indexHints();
  const matching: string[] = [...(hintsByPrefix.get(word) ?? [])];
  for (
    let length = Math.max(minHintLength, minPrefixLength);
    length <= Math.min(maxPrefixLength, word.length - 1);
    length++
  )
    for (const hint of hintsByPrefix.get(word.slice(0, length)) ?? [])
      if (!matching.includes(hint)) matching.push(hint);
  return matching;
}

function indexHints(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [hint, beginnings] of Object.entries(hints))
    for (const beginning of new Set(romanise(fold(beginnings).text).split(" ")))
      all.set(beginning, [...(all.get(beginning) ?? []), hint]);
  return all;
}

/** Input of the mail classifier. */
export interface MailText {
  subject: string;
  /** The lines of the newest mail, without its signature and disclaimer. */
  own: readonly string[];
  /** The lines of the quoted older mails. */
  quoted: readonly string[];
  /** According to the headers, a program sent the mail. */
  automatic: boolean;
  /** According to the headers, the mail was sent to a mailing list. */
  bulk: boolean;
  attachments: readonly string[];
}

/** A label and its probability. The probabilities of all labels add up to 1. */
export interface RankedLabel {
  label: MailLabel;
  confidence: number;
}

/** Classifies a mail. Returns all labels, the likeliest first. */
export const labelsOf = (mail: MailText): RankedLabel[] => likelyLabels(mailFeatures(mail), model);

/** Ranks all labels with another model, the likeliest first. */
export const likelyLabels = (features: MailFeatures, by: LinearModel): RankedLabel[] =>
  rankedClasses<MailLabel>(by, features).map(({ class: label, probability }) => ({ label, confidence: probability }));

/** Strengths of features, by name. */
export type MailFeatures = Map<string, number>;

const maxCharacters = 6000;
/**
 * A mail with fewer words of its own probably just forwards other mails. Then the quoted mails are also evaluated,
 * unless the subject marks the mail as an answer.
 */
const minWords = 8;
const stem = 5;
const root = 4;

/** A change of these values requires a new training of the model. */
const strengths = {
  subject: 0.35,
  concept: { text: 0.25, subject: 0.4, leastWeight: 0.5 },
  sign: 0.5,
  weakSign: 0.3,
  answer: 0.4,
  attachment: 0.6,
  most: 1.5,
};
/** In characters. */
const [shortMail, longMail] = [120, 900];

const forwarded = /^\s*(?:fwd?|wg|tr|i|pd|rv|enc|doorst|vb|vl|vs|továbbítás|przek|prosl|fw)\s*:/iu;
const answered = /^\s*(?:re|aw|odp|sv|vs|antw|rép|r|ats|vá|respuesta|отв)\s*:/iu;
const prefixes =
  /^\s*(?:(?:fwd?|wg|tr|pd|rv|enc|doorst|re|aw|odp|sv|vs|vb|vl|antw|rép|ats|vá|отв|i|r)\s*(?:\[\d+\])?:\s*)+/iu;

/** Computes the features of a mail: word stems, pairs of words, concepts, headers and kinds of attachments. */
export function mailFeatures(mail: MailText): MailFeatures {
  const subject = mail.subject.replace(prefixes, "");
  const own = wordsOf(mail.own.join("\n"));
  const features: MailFeatures = new Map();
  const share = (words: readonly string[][]) => 1 / Math.sqrt(Math.max(6, words.flat().length));
  const isPassedOn = own.flat().length < minWords && (forwarded.test(mail.subject) || !answered.test(mail.subject));
  addWords(features, "", own, share(own));
  addWords(features, "", wordsOf(subject), strengths.subject);
  for (const words of wordsOf(subject))
    for (const word of words) add(features, `s:${word.slice(0, stem)}`, strengths.subject);
  if (isPassedOn && mail.quoted.length > 0) {
    const quoted = wordsOf(mail.quoted.join("\n"));
    addWords(features, "", quoted, share(quoted));
    addConcepts(features, "c", mail.quoted.join("\n").slice(0, maxCharacters), strengths.concept.text);
  }
  addConcepts(features, "c", mail.own.join("\n").slice(0, maxCharacters), strengths.concept.text);
  addConcepts(features, "t", subject, strengths.concept.subject);
  addSigns(features, mail);
  return features;
}

function addSigns(features: MailFeatures, mail: MailText): void {
  const text = mail.own.join("\n").slice(0, maxCharacters);
  const letters = text.length;
  const { weakSign } = strengths;
  const sign = (name: string, is: boolean | number, strength = strengths.sign) =>
    is && add(features, `h:${name}`, strength);
  sign("one", true, weakSign);
  sign("automatic", mail.automatic, 1);
  sign("bulk", mail.bulk, 1);
  sign("answer", answered.test(mail.subject), strengths.answer);
  sign("question", /[?;]\s*$/m.test(text) || mail.subject.includes("?"));
  sign("link", /https?:|www\./.test(text));
  sign("amount", /\d\s?(?:€|eur|pln|zł|usd|gbp|£|\$|czk|kč|huf|ron|sek|dkk)\b|(?:€|eur|usd|£|\$)\s?\d/i.test(text));
  sign("weight", /\d\s?(?:t|kg|to|tonn|ldm)\b/i.test(text));
  sign("dates", Math.min(3, (text.match(/\b\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?\b/g) ?? []).length) / 3, weakSign);
  sign("clock", /\b\d{1,2}[:.]\d{2}\b/.test(text), weakSign);
  sign("route", /\p{Lu}\p{Ll}+\s*(?:-|–|→|->|>)\s*\p{Lu}\p{Ll}+/u.test(`${mail.subject}\n${text}`), weakSign);
  sign(letters < shortMail ? "short" : letters > longMail ? "long" : "middling", true, weakSign);
  sign("files", mail.attachments.length > 0, weakSign);
  for (const kind of new Set(mail.attachments)) add(features, `a:${kind}`, strengths.attachment);
}

function addConcepts(features: MailFeatures, where: string, text: string, strength: number): void {
  const seen = new Set(
    findLabels(text).flatMap(({ concept, weight }) => (weight >= strengths.concept.leastWeight ? [concept] : [])),
  );
  for (const concept of seen) add(features, `${where}:${concept}`, strength);
}

function addWords(features: MailFeatures, where: string, sentences: readonly string[][], strength: number): void {
  for (const words of sentences) {
    for (const [at, word] of words.entries()) {
      add(features, `w:${where}${word.slice(0, stem)}`, strength);
      for (const hint of hintsOf(word)) add(features, `k:${where}${hint}`, strength);
      if (word.length > root) add(features, `r:${where}${word.slice(0, root)}`, strength / 2);
      const next = words[at + 1];
      if (next) add(features, `p:${where}${word.slice(0, 5)} ${next.slice(0, 5)}`, strength);
      const after = words[at + 2];
      if (after) add(features, `g:${where}${word.slice(0, 5)} ${after.slice(0, 5)}`, strength / 2);
    }
  }
}

/** Returns the words of each sentence, in lower-case Latin letters and without words that contain digits. */
function wordsOf(text: string): string[][] {
  return romanise(fold(text.slice(0, maxCharacters)).text)
    .split(/[.!?\n:;]+/)
    .map((sentence) => sentence.match(/[\p{L}\p{N}_/-]+/gu) ?? [])
    .map((words) =>
      words.flatMap((word) => (/\d/.test(word) ? [] : word.split(/[_/-]/).filter(({ length }) => length > 0))),
    )
    .filter((words) => words.length > 0);
}

function add(features: MailFeatures, name: string, strength: number): void {
  features.set(name, Math.min(strengths.most, (features.get(name) ?? 0) + strength));
}

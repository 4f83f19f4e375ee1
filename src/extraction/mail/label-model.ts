import { conceptsOf, plainSentences } from "./concepts.ts";
import { rankedClasses, type LinearModel } from "../linear-model.ts";
import model from "./label-model.json" with { type: "json" };
import type { MailLabel } from "./labels.ts";

/** Input of the mail classifier. */
export interface MailText {
  subject: string;
  /** The sender's address. */
  from: string;
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

const maxCharacters = 4000;
const maxQuotedCharacters = 2500;
/** A mail with fewer words of its own may just forward other mails. Then the quoted mails are also evaluated. */
const fewWords = 12;
/** Concepts of a sentence with more concepts are not paired. */
const mostPaired = 14;
const [stem, shortStem, nameStem] = [6, 5, 7];

/** A mail with hardly a word of its own ("FYI", "see below") is about what the forwarded mail is about. */
const maxBareWords = 3;
const isBareForward = ({ own, quoted }: MailText): boolean =>
  quoted.length > 0 && plainSentences(own.join("\n")).flatMap(({ words }) => words).length <= maxBareWords;

/** Changes of this value and the next ones require a new training of the model. */
const lengthOfFeatures = 2;
const strengths = {
  most: 1,
  concept: 0.6,
  opening: 0.3,
  question: 0.42,
  pair: 0.4,
  subject: 0.5,
  subjectPair: 0.28,
  quoted: 0.3,
  word: 0.25,
  words: 0.2,
  sender: 0.8,
  host: 0.5,
  attachment: 0.8,
  header: 1.5,
  sign: 0.5,
  weakSign: 0.3,
};

const forwarded = /^\s*(?:fwd?|wg|tr|i|pd|rv|enc|doorst|vb|vl|továbbítás|przek|prosl|ilt)\s*:/iu;
const answered = /^\s*(?:re|aw|odp|sv|vs|antw|rép|r|ats|vá|respuesta|отв|ynt)\s*:/iu;
const prefixes =
  /^\s*(?:(?:fwd?|wg|tr|pd|rv|enc|doorst|re|aw|odp|sv|vs|vb|vl|antw|rép|ats|vá|отв|i|r|ynt|ilt)\s*(?:\[\d+\])?:\s*)+/iu;

/** Adds to the strength of a feature. */
type Add = (name: string, strength: number) => void;

/**
 * Computes the features of a mail: concepts and pairs of concepts of each sentence, apart for the first sentences,
 * questions, subject and quoted mails; word stems; signs, headers, sender and kinds of attachments.
 */
export function mailFeatures(received: MailText): MailFeatures {
  const mail = isBareForward(received) ? { ...received, own: received.quoted, quoted: [] } : received;
  const features: MailFeatures = new Map();
  const add: Add = (name, strength) =>
    features.set(name, Math.min(strengths.most, (features.get(name) ?? 0) + strength));
  const text = mail.own.join("\n").slice(0, maxCharacters);
  const subject = plainSentences(mail.subject.replace(prefixes, ""));
  const own = plainSentences(text);
  const isPassedOn = own.flatMap(({ words }) => words).length < fewWords;
  const quoted = isPassedOn ? plainSentences(mail.quoted.join("\n").slice(0, maxQuotedCharacters)) : [];
  const concepts = conceptsOf([...subject, ...own, ...quoted]);
  const refers = answered.test(mail.subject) || forwarded.test(mail.subject);
  addSubject(add, concepts.slice(0, subject.length), refers ? "sr" : "s");
  for (const [at, { isQuestion }] of own.entries())
    addSentence(add, concepts[subject.length + at]!, { isOpening: at < 2, isQuestion });
  for (const name of concepts.slice(subject.length + own.length).flat()) {
    add(`z:${name}`, strengths.quoted);
    if (forwarded.test(mail.subject)) add(`zf:${name}`, strengths.quoted);
  }
  for (const { words } of own) addWords(add, words);
  for (const word of subject.flatMap(({ words }) => words))
    for (const where of ["w", "sw"]) add(`${where}:${word.slice(0, stem)}`, strengths.word);
  addSender(add, mail.from);
  for (const kind of new Set(mail.attachments)) add(`a:${kind}`, strengths.attachment);
  for (const [name, strength] of signsOf(mail, text)) add(`h:${name}`, strength);
  return ofEqualLength(features);
}

/** Scales the strengths, so that a long mail says no more than a short one. */
function ofEqualLength(features: MailFeatures): MailFeatures {
  const length = Math.hypot(...features.values());
  return new Map([...features].map(([name, strength]) => [name, (strength * lengthOfFeatures) / length]));
}

function addSubject(add: Add, sentences: readonly (readonly string[])[], where: string): void {
  for (const names of sentences) {
    for (const name of names) {
      add(`${where}:${name}`, strengths.subject);
      add(`t:${name}`, strengths.opening);
    }
    for (const pair of pairsOf(names)) add(`sp:${pair}`, strengths.subjectPair);
  }
}

function addSentence(add: Add, names: readonly string[], is: { isOpening: boolean; isQuestion: boolean }): void {
  for (const name of names) {
    add(`c:${name}`, strengths.concept);
    if (is.isOpening) add(`1:${name}`, strengths.opening);
    if (is.isQuestion) add(`q:${name}`, strengths.question);
  }
  for (const pair of pairsOf(names)) add(`p:${pair}`, strengths.pair);
}

const pairsOf = (names: readonly string[]): string[] =>
  names.length > mostPaired
    ? []
    : names.toSorted().flatMap((one, at, all) => all.slice(at + 1).map((other) => `${one}+${other}`));

function addWords(add: Add, words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    add(`w:${word.slice(0, stem)}`, strengths.word);
    const next = words[at + 1];
    if (next) add(`b:${word.slice(0, shortStem)} ${next.slice(0, shortStem)}`, strengths.words);
  }
}

/** The sender's mailbox and domain often say what it is for: "invoices@", "no-reply@", "newsletter@". */
function addSender(add: Add, from: string): void {
  const [mailbox = "", host = ""] = from.split("@");
  const names = plainSentences(mailbox.replaceAll(/[._+\d-]+/g, " "));
  for (const word of names.flatMap(({ words }) => words)) add(`f:${word.slice(0, nameStem)}`, strengths.sender);
  for (const name of conceptsOf(names).flat()) add(`fc:${name}`, strengths.sender);
  const domain = plainSentences(host.replace(/\.\w+$/, "").replaceAll(/[._\d-]+/g, " "));
  for (const name of conceptsOf(domain).flat()) add(`hc:${name}`, strengths.host);
  if (/no-?_?reply|ne-?pas|nicht-?antw|no_?respond/i.test(mailbox)) add("h:noreply", strengths.sender);
}

const route = /\p{Lu}\p{L}+\s*(?:-+|–|→|->|>|=>)\s*(?:\p{Lu}{2} )?\p{Lu}\p{L}+/u;
const money =
  /\d\s?(?:€|eur\w*|pln|zł|zl|usd|gbp|£|\$|czk|kč|huf|ft|ron|lei|sek|dkk|nok|kr|грн|лв|tl)(?!\p{L})|(?:€|eur|usd|£|\$)\s?\d/giu;

/** Signs that do not depend on the language, with their strengths. */
function signsOf(mail: MailText, text: string): [name: string, strength: number][] {
  const { sign, weakSign, header } = strengths;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const words = plainSentences(text).flatMap((each) => each.words).length;
  const lines = mail.own.filter((line) => line.trim() !== "").length;
  const dates = count(/\b\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?\b/g);
  const numbers = count(/\b\d[\d.,]*\b/g);
  const amounts = count(money);
  const isQuestion = /[?;]\s*$/m.test(text);
  const signs: [name: string, is: boolean, strength?: number][] = [
    ["one", true, weakSign],
    ["automatic", mail.automatic, header],
    ["bulk", mail.bulk, header],
    ["answer", answered.test(mail.subject)],
    ["forwarded", forwarded.test(mail.subject)],
    ["question", isQuestion],
    ["question alone", isQuestion && words < 25],
    ["question in subject", mail.subject.includes("?")],
    ["exclamation", /!!/.test(`${mail.subject}\n${text}`)],
    ["link", /https?:|www\./.test(text)],
    ["amount", amounts > 0],
    ["amounts", amounts > 1],
    ["no number", numbers === 0],
    ["numbers", numbers > 12],
    ["weight", /\d\s?(?:t|kg|to|tonn\w*|ldm|pal\w*|пал\w*|ep)\b/iu.test(text)],
    ["date", dates > 0, weakSign],
    ["dates", dates > 2, weakSign],
    ["clock", /\b\d{1,2}[:.]\d{2}\b/.test(text)],
    ["percent", /\d\s?%/.test(text)],
    ["account", /\b[A-Z]{2}\d{2} ?(?:\w{4} ?){3,}/.test(text)],
    ["plates", /\b[A-Z]{1,3}[ -]?[A-Z0-9]{2,4}[ -]?\d{2,4}[ -]?[A-Z]{0,3}\s*\/\s*[A-Z]/.test(text)],
    ["phone", /\+\d{2}[ \d]{8,}/.test(text), weakSign],
    ["route", route.test(text)],
    ["route in subject", route.test(mail.subject.replace(prefixes, ""))],
    ["ticket", /\[?#\w+-?\d+\]?/.test(mail.subject)],
    ["bullets", count(/^\s*(?:[-*•·]|\d+[.)])\s+/gm) > 2],
    ["no subject", mail.subject.replace(prefixes, "").trim() === ""],
    [`words ${[6, 15, 40, 90].filter((most) => words >= most).length}`, true],
    [`lines ${[3, 8].filter((most) => lines >= most).length}`, true, weakSign],
    ["quoted", mail.quoted.length > 0, weakSign],
    ["files", mail.attachments.length > 0],
    ["no files", mail.attachments.length === 0, weakSign],
  ];
  return signs.flatMap(([name, is, strength = sign]) => (is ? [[name, strength]] : []));
}

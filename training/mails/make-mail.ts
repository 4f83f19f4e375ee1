import { type MailLabel, mailLabels } from "../../src/extraction/mail/labels.ts";
import type { MailText } from "../../src/extraction/mail/label-model.ts";
import { ownText } from "../../src/extraction/mail/own-text.ts";
import type { Chance } from "../chance.ts";
import { fillings, type Filling } from "./fillings.ts";
import { renderPhrase, type Phrases } from "./phrases.ts";

/** Selects phrases: all, only the held-out ones, or only the others. */
export type Allowed = (phrase: string, index: number) => boolean;

/** For each label, how often a mail has an attachment of each kind, in percent; "" stands for no attachment. */
const files: Record<MailLabel, Record<string, number>> = {
  Order: { order: 55, "": 38, other: 4, opportunity: 3 },
  OrderChange: { order: 35, "": 62, other: 3 },
  OrderCancellation: { "": 92, order: 8 },
  QuoteRequest: { "": 75, opportunity: 16, other: 6, order: 3 },
  QuoteAnswer: { "": 88, other: 9, opportunity: 3 },
  Invoice: { invoice: 80, "": 12, other: 8 },
  PaymentReminder: { "": 62, invoice: 22, statement: 8, other: 8 },
  DocumentDelivery: { cmr: 58, other: 18, insurance: 9, "": 12, "driver-document": 3 },
  StatusRequest: { "": 97, order: 3 },
  StatusUpdate: { "": 92, other: 5, cmr: 3 },
  Delay: { "": 96, other: 4 },
  Complaint: { "": 55, other: 33, cmr: 12 },
  Fine: { fine: 60, "": 25, other: 15 },
  VehicleOffer: { "": 92, other: 8 },
  Newsletter: { "": 94, other: 6 },
  Spam: { "": 90, other: 6, invoice: 4 },
  AutoReply: { "": 96, other: 4 },
  Other: { "": 86, other: 10, "driver-document": 2, insurance: 2 },
};

const withRoute: Partial<Record<MailLabel, number>> = {
  Order: 0.5,
  OrderChange: 0.15,
  QuoteRequest: 0.45,
  QuoteAnswer: 0.12,
  VehicleOffer: 0.1,
  StatusUpdate: 0.06,
  Delay: 0.05,
};

const disclaimers = [
  "This e-mail is confidential and intended solely for the addressee. If you are not the intended recipient please delete it and notify the sender.",
  "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, löschen Sie sie bitte und informieren Sie den Absender.",
  "Wiadomość jest poufna i przeznaczona wyłącznie dla adresata. Administratorem danych osobowych zgodnie z RODO jest nadawca tej wiadomości.",
];

/** Generates a mail with the given label. */
export function makeMail(chance: Chance, phrases: Phrases, label: MailLabel, allowed: Allowed = () => true): MailText {
  const filled = fillings(chance);
  const own = body(chance, phrases, label, allowed, filled);
  const others = mailLabels.filter((other) => other !== label && !["Spam", "Newsletter", "AutoReply"].includes(other));
  const quotes = label !== "Newsletter" && label !== "Spam" && chance.happens(0.25);
  const older = quotes ? body(chance, phrases, chance.pick(others), () => true, filled) : [];
  const kind = chance.weighted(files[label]);
  const mail = {
    subject: subjectOf(chance, phrases, label, allowed, filled, quotes ? chance.pick(others) : undefined),
    from: "",
    own: ownText(own.map((line) => withTypos(chance, line))),
    quoted: older,
    automatic: chance.happens(label === "AutoReply" ? 0.55 : 0.01),
    bulk: chance.happens(label === "Newsletter" ? 0.6 : label === "Spam" ? 0.1 : 0.02),
    attachments: kind === "" ? [] : [kind, ...(chance.happens(0.2) ? [label === "Invoice" ? "cmr" : "other"] : [])],
  };
  return mail;
}

/**
 * Picks a subject. A reply often keeps the subject of the mail that it answers, although it is about something else.
 */
function subjectOf(
  chance: Chance,
  phrases: Phrases,
  label: MailLabel,
  allowed: Allowed,
  filled: Filling,
  answered: MailLabel | undefined,
): string {
  if (chance.happens(0.07)) return "";
  const about = answered && chance.happens(0.5) ? answered : label;
  const subjects = phrases.byLabel[about].subjects.filter((phrase, at) => about !== label || allowed(phrase, at));
  const subject = renderPhrase(
    chance.pick(subjects.length > 0 ? subjects : phrases.byLabel[about].subjects),
    chance,
    filled,
  );
  if (about === label && subjects.length === 0) return renderPhrase("{order} {from} - {to}", chance, filled);
  const prefix = answered ? chance.pick(["Re: ", "RE: ", "AW: ", "Odp: ", "SV: ", "Re: Re: "]) : "";
  const neutral = chance.happens(0.18)
    ? renderPhrase(chance.pick(["{order}", "{from} - {to}", "{plate}", "{firm}"]), chance, filled)
    : "";
  return prefix + (neutral || subject);
}

function body(chance: Chance, phrases: Phrases, label: MailLabel, allowed: Allowed, filled: Filling): string[] {
  const { acts, beside } = phrases.byLabel[label];
  const usable = acts.filter(allowed);
  const count = Number(chance.weighted({ 1: 55, 2: 33, 3: 12 }));
  const sentences = chance.shuffled(usable.length > 0 ? usable : acts).slice(0, count);
  if (beside.length > 0 && chance.happens(0.4)) sentences.push(chance.pick(beside));
  const text = sentences.map((phrase) => renderPhrase(phrase, chance, filled));
  const routes = chance.happens(withRoute[label] ?? 0.01)
    ? [renderPhrase(chance.pick(phrases.routes), chance, filled)]
    : [];
  const formal = !["Newsletter", "Spam"].includes(label);
  return [
    ...(formal && chance.happens(0.8) ? [renderPhrase(chance.pick(phrases.openers), chance, filled)] : []),
    ...(chance.happens(0.5) ? [text.join(" ")] : text),
    ...routes,
    ...(formal && chance.happens(0.75)
      ? [renderPhrase(chance.pick(phrases.closings), chance, filled), ...signature(chance, filled)]
      : []),
    ...(chance.happens(0.12) ? [chance.pick(disclaimers)] : []),
  ];
}

const signature = (chance: Chance, filled: Filling): string[] =>
  [filled("name"), chance.maybe(0.7, () => filled("firm")), chance.maybe(0.5, () => `Tel. ${filled("phone")}`)].filter(
    (line) => line !== undefined,
  );

/** Adds typing mistakes. */
function withTypos(chance: Chance, line: string): string {
  const lower = chance.happens(0.08) ? line.toLowerCase() : line;
  if (!chance.happens(0.12)) return lower;
  return lower
    .split(" ")
    .map((word) => {
      if (word.length < 5 || /\d/.test(word) || !chance.happens(0.15)) return word;
      const at = chance.between(1, word.length - 3);
      return chance.happens(0.5)
        ? word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
        : word.slice(0, at) + word.slice(at + 1);
    })
    .join(" ");
}

import type { InvitationWriter } from "../../areas/freights/shares/jobs.ts";
import type { PublicFreight } from "../../areas/freights/views.ts";
import type { OfferNotificationWriter } from "../../areas/freights/guests/offer-notification-mails.ts";
import { townOf } from "../frame/format.ts";
import { type FreightLanguage, findLanguage, formatMessage } from "../../i18n/language.ts";
import { dayAt, moneyOf, periodAt } from "./format.ts";
import { paymentTermOf } from "./facts.ts";
import { briefOf, titleOf } from "./head.ts";
import { reasonOf, statusOf } from "./offer-view.ts";

/** Writes the mail that invites a guest: a summary of the freight, and the link to its page. */
export const invitationMail: InvitationWriter = ({ freight, name, message, link, language: tag }, company) => {
  const language = spoken(tag);
  const { words } = language;
  const parts = [
    name && formatMessage(words.mail.hello, { name }),
    formatMessage(words.mail.invitation, { company }),
    factsOf(freight, language).join("\n"),
    message,
    `${words.mail.way}\n${tag ? linkIn(link, language) : link}`,
    formatMessage(words.private, { company }),
  ];
  return { subject: subjectOf(freight, language), text: textOf(parts) };
};

/** Writes the mail about the company's answer to a guest's offer, with the link to the page. */
export const offerNotificationMail: OfferNotificationWriter = ({ freight, offer, link, language: tag }, company) => {
  const language = spoken(tag);
  const { words } = language;
  const parts = [
    statusOf(offer, company, language),
    offer.status === "Countered" ? offer.rounds.at(-1)?.comment : reasonOf(offer, language),
    linkIn(link, language),
    formatMessage(words.private, { company }),
  ];
  return { subject: subjectOf(freight, language), text: textOf(parts) };
};

function spoken(tag = "en"): FreightLanguage {
  const language = findLanguage("freightPages", tag) ?? findLanguage("freightPages", "en")!;
  return { ...language, chosen: true };
}

const linkIn = (link: string, { code }: FreightLanguage) => `${link}?lang=${code}`;

/** Writes `Freight Leipzig → Wrocław, Tue 24 Nov`. */
const subjectOf = (freight: PublicFreight, language: FreightLanguage) =>
  [`${language.words.freight} ${titleOf(freight)}`, dayAt(freight.locations[0]!, language)].filter(Boolean).join(", ");

function factsOf(freight: PublicFreight, language: FreightLanguage): string[] {
  const { words } = language;
  const { locations, currentPrice, payment } = freight;
  const stops = locations.map((stop) => {
    const where = [townOf(stop.address), periodAt(stop, language)].filter(Boolean).join(", ");
    return `${words.stop[stop.type]}: ${where}`;
  });
  const price =
    currentPrice === undefined
      ? words.priceOpen
      : `${words.price}: ${moneyOf(currentPrice, payment.currency, language)}`;
  const due = paymentTermOf(payment, language);
  return [...stops, briefOf(freight, language), price, due ? `${words.fact.term}: ${due}` : ""].filter(Boolean);
}

const textOf = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;

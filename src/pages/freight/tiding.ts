import type { TidingWriter } from "../../areas/freights/index.ts";
import { filled, languageNamed } from "../frame/language.ts";
import { moneyOf } from "./format.ts";
import { titleOf } from "./head.ts";
import { languages, type FreightLanguage } from "./language.ts";
import { reasonOf } from "./offer-view.ts";

/** The mail that tells a guest what was answered to its offer: what its page says too, and the way there. */
export const tidingMail: TidingWriter = ({ freight, offer, link, language: tag = "en" }, company) => {
  const language: FreightLanguage = { ...languageNamed(languages, tag)!, chosen: true };
  const { words } = language;
  const price = moneyOf(offer.price, offer.currency, language);
  const last = offer.rounds.at(-1);
  const lines = [
    filled(words.status[offer.status], { company, price }),
    offer.status === "Countered" ? last?.comment : reasonOf(offer, language),
    `${link}?lang=${language.code}`,
    filled(words.private, { company }),
  ];
  return {
    subject: `${words.freight} ${titleOf(freight)}`,
    text: `${lines.filter((line) => line !== undefined).join("\n\n")}\n`,
  };
};

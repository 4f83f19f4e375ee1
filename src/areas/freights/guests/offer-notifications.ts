import type { MovedOffer, Offer, OffersAfter } from "../offers/offer.ts";

// What guests hear of their offers by mail. Pure.

/** The work that mails it. */
export const notificationJob = "freights.answer";

/** Whoever offered by a link must hear of it when the company has countered, accepted or declined. */
export function requestNotifications({ offers, moved }: OffersAfter): { offers: Offer[]; jobs: string[] } {
  const answered = moved.filter(isAnswered).map(({ offer }) => offer);
  return {
    offers: offers.map((offer) => (answered.includes(offer) ? { ...offer, isUntold: true } : offer)),
    jobs: answered.length > 0 ? [notificationJob] : [],
  };
}

function isAnswered({ offer, before }: MovedOffer): boolean {
  const { source, status, declinedBy, reason } = offer;
  if (source !== "Guest") return false;
  if (status === "Declined") return declinedBy === "Owner" && reason !== "FreightExpired";
  // What was countered its carrier accepts itself.
  return status === "Countered" || (status === "Accepted" && before === "Submitted");
}

const answers: readonly Offer["status"][] = ["Countered", "Accepted", "Declined"];
/** What could not be told for so long is no news. */
const newsMilliseconds = 24 * 60 * 60 * 1000;

/** Whether there is still something to tell: nothing else has come of it since. */
const isNews = ({ status, updatedAt }: Offer, at: string) =>
  answers.includes(status) && Date.parse(at) - Date.parse(updatedAt) < newsMilliseconds;

/** Answers whose mail nobody has sent yet. */
export const offersToNotify = (offers: readonly Offer[], at: string): Offer[] =>
  offers.filter((offer) => offer.isUntold && isNews(offer, at));

/** An answer, told from a later one to the same offer. */
export type NotifiedOffer = Pick<Offer, "offerId" | "updatedAt">;

/** Some have been told, and of others there is nothing to tell any more. */
export const markNotified = (offers: readonly Offer[], notified: readonly NotifiedOffer[], at: string): Offer[] =>
  offers.map((offer) => {
    const { isUntold, ...rest } = offer;
    const isNotified = notified.some(
      ({ offerId, updatedAt }) => offerId === offer.offerId && updatedAt === offer.updatedAt,
    );
    return isUntold && (isNotified || !isNews(offer, at)) ? rest : offer;
  });

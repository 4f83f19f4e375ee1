import type { MovedOffer, Offer, OffersAfter } from "../offers/offer.ts";

// Decides which of the company's answers are mailed to guests. Pure functions.

/** Job that sends these mails. */
export const notificationJob = "freights.answer";

/** Marks guests' offers that the company countered, accepted or declined, and requests the job that sends the mails. */
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
  // If a countered offer is accepted, the carrier has accepted it and needs no notification.
  return status === "Countered" || (status === "Accepted" && before === "Submitted");
}

const answers: readonly Offer["status"][] = ["Countered", "Accepted", "Declined"];
/** Notifications that are not sent within this time are dropped. */
const newsMilliseconds = 24 * 60 * 60 * 1000;

const isNews = ({ status, updatedAt }: Offer, at: string) =>
  answers.includes(status) && Date.parse(at) - Date.parse(updatedAt) < newsMilliseconds;

export const offersToNotify = (offers: readonly Offer[], at: string): Offer[] =>
  offers.filter((offer) => offer.isUntold && isNews(offer, at));

/** Identifies an answer to an offer. */
export type NotifiedOffer = Pick<Offer, "offerId" | "updatedAt">;

/** Removes the mark `isUntold` from offers whose answer was mailed or is too old. */
export const markNotified = (offers: readonly Offer[], notified: readonly NotifiedOffer[], at: string): Offer[] =>
  offers.map((offer) => {
    const { isUntold, ...rest } = offer;
    const isNotified = notified.some(
      ({ offerId, updatedAt }) => offerId === offer.offerId && updatedAt === offer.updatedAt,
    );
    return isUntold && (isNotified || !isNews(offer, at)) ? rest : offer;
  });

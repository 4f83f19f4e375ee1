import type { CommandContext } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { ofFreight } from "../apply-due-changes.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import { shareLink } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";
import { guestOffer, type GuestOffer } from "./view.ts";
import { notificationJob, markNotified, offersToNotify, type NotifiedOffer } from "./offer-notifications.ts";

/** The company's answer to an offer, for the mail to the guest. */
export interface OfferNotification {
  freight: PublicFreight;
  offer: GuestOffer;
  /** The address that the guest's link was made for. */
  email: string;
  /** The link it has. */
  link: string;
  /** ISO 639-1, of the page the offer was made on. */
  language?: string;
}

// The area is named `tidings` in the names of its commands, which earlier releases use.
export const offerNotificationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "tidings",
)({
  /** The next notifications to send. */
  toTell: ofFreight(({ state }, { but, most }: { but: string[]; most: number }, context) => ({
    reply: pendingNotifications(state, context)
      .filter(({ offer }) => !but.includes(offer.offerId))
      .slice(0, most),
  })),

  /** Records sent notifications and completes the job if none is left. */
  told: ofFreight(({ state, events, jobs }, { those }: { those: NotifiedOffer[] }, context) => {
    const next = { ...state, offers: markNotified(state.offers, those, context.at) };
    const isChanged = next.offers.some((offer, at) => offer !== state.offers[at]);
    const isDone = pendingNotifications(next, context).length === 0;
    return {
      ...(isChanged && { state: next, events, jobs }),
      ...(isDone && { completedJobs: [notificationJob] }),
      reply: {},
    };
  }),
});

/** None while the freight is suspended. */
function pendingNotifications(state: Freight, context: CommandContext): OfferNotification[] {
  if (state.status === "Suspended") return [];
  const freight = publicView(state, context);
  return offersToNotify(state.offers, context.at).flatMap((offer): OfferNotification[] => {
    const share = state.shares.find(({ shareId }) => shareId === offer.shareId);
    if (!share) return [];
    const { language } = offer;
    return [
      {
        freight,
        offer: guestOffer(offer, context.id),
        email: share.email,
        link: shareLink(share, context),
        ...(language && { language }),
      },
    ];
  });
}

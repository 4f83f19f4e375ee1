import type { CommandContext } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { ofFreight } from "../apply-due-changes.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import { shareLink } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";
import { guestOffer, type GuestOffer } from "./view.ts";
import { answering, told, untold, type Told } from "./offer-notifications.ts";

/** What a guest is told by mail: what the company has answered to its offer. */
export interface Tiding {
  freight: PublicFreight;
  offer: GuestOffer;
  /** The address that the guest's link was made for. */
  email: string;
  /** The link it has. */
  link: string;
  /** ISO 639-1, of the page the offer was made on. */
  language?: string;
}

export const offerNotificationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "tidings",
)({
  /** What must be mailed next. */
  toTell: ofFreight(({ state }, { but, most }: { but: string[]; most: number }, context) => ({
    reply: tidingsOf(state, context)
      .filter(({ offer }) => !but.includes(offer.offerId))
      .slice(0, most),
  })),

  /** Some were told. The work is done when nothing else is to be told. */
  told: ofFreight(({ state: now, events, jobs }, { those }: { those: Told[] }, context) => {
    const state = { ...now, offers: told(now.offers, those, context.at) };
    const isChanged = state.offers.some((offer, at) => offer !== now.offers[at]);
    const isDone = tidingsOf(state, context).length === 0;
    return { ...(isChanged && { state, events, jobs }), ...(isDone && { completedJobs: [answering] }), reply: {} };
  }),
});

/** Of a suspended freight nobody hears. */
function tidingsOf(state: Freight, context: CommandContext): Tiding[] {
  if (state.status === "Suspended") return [];
  const freight = publicView(state, context);
  return untold(state.offers, context.at).flatMap((offer): Tiding[] => {
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

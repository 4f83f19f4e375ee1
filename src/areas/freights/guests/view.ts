import { isArchived, publicView, type Freight } from "../model.ts";
import type { OfferView } from "../offers/model.ts";
import { type Answer, type Offer, allowedTo, viewOfOffer } from "../offers/offer.ts";
import type { ArchiveReason } from "../input.ts";
import type { Share } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";

// The view of a guest. Pure functions.

/** The guest's offer, and the actions (`mayDo`) that the guest may take now. */
export type GuestOffer = Omit<OfferView, "aboveBudget" | "shareId" | "source"> & { mayDo: Answer["action"][] };

export interface GuestView {
  /** The freight, without its price if the share hides the price. */
  freight: PublicFreight;
  guest: Pick<Share, "shareId" | "email" | "name" | "message">;
  offer?: GuestOffer;
  mayOffer: boolean;
  /** Why the freight is no longer available. */
  gone?: ArchiveReason | "Suspended";
}

/** Whether an offer was made through the share, or was entered by the company for the same address. */
const isOwn =
  ({ shareId, email }: Share) =>
  (offer: Offer) =>
    offer.shareId === shareId || (offer.source === "Api" && offer.carrier.email.toLowerCase() === email);

export const offerOfGuest = ({ offers }: Freight, share: Share): Offer | undefined => offers.findLast(isOwn(share));

/** Returns the public view of the freight, without its price if the share hides the price. */
export function freightShownBy({ hidePrice }: Share, now: Freight, shown: { at: string; id: string }): PublicFreight {
  const view = publicView(now, shown);
  const { currentPrice: _, ...freight } = view;
  return hidePrice ? freight : view;
}

export function guestView(state: Freight, share: Share, shown: { at: string; id: string }): GuestView {
  const { shareId, email, name, message } = share;
  const own = offerOfGuest(state, share);
  const offer = own && guestOffer(own, shown.id);
  const gone = whyUnavailable(state);
  return {
    freight: freightShownBy(share, state, shown),
    guest: { shareId, email, ...(name && { name }), ...(message && { message }) },
    ...(offer && { offer }),
    mayOffer: gone === undefined && (offer === undefined || offer.turn === undefined),
    ...(gone && { gone }),
  };
}

function whyUnavailable(state: Freight): GuestView["gone"] {
  if (isArchived(state)) return state.archiveReason;
  return state.status === "Suspended" ? "Suspended" : undefined;
}

export function guestOffer(offer: Offer, freightId: string): GuestOffer {
  const { aboveBudget: _, shareId: __, source: ___, ...view } = viewOfOffer(offer, freightId, undefined);
  return { ...view, mayDo: allowedTo(offer, "Carrier") };
}

import type * as z from "zod";
import type { DomainEvent, CommandContext } from "../../../platform/decision.ts";
import { offerExample } from "./examples.ts";
import { OfferView } from "./shapes.ts";
import { viewOfOffer } from "./view.ts";
import type { MovedOffer } from "./offers.ts";

// What happens to an offer

const happening = (id: string, description: string) =>
  OfferView.meta({ id, description, examples: [{ ...offerExample, status: id.replace("Offer", "") }] });

export const offerEvents = {
  OfferSubmitted: happening(
    "OfferSubmitted",
    "A carrier said its price: in a new offer, in another one than before, against a counter, or anew after a change.",
  ),
  OfferCountered: happening("OfferCountered", "The owner of a freight named another price."),
  OfferAccepted: happening("OfferAccepted", "An offer was accepted, and the freight is booked."),
  OfferDeclined: happening("OfferDeclined", "An offer was declined; `reason` says why where somebody said so."),
  OfferWithdrawn: happening("OfferWithdrawn", "A carrier withdrew its offer."),
  OfferExpired: happening("OfferExpired", "The time of an offer, or of its freight, is over."),
  OfferOutdated: happening("OfferOutdated", "The freight was changed, and its carrier must confirm the offer anew."),
} satisfies Record<`Offer${z.output<typeof OfferView>["status"]}`, z.ZodType>;
export type OfferEvents = typeof offerEvents;

/** What became of offers is told by their status. @param growTo of the freight, in cents */
export const offersHappened = (
  moved: readonly MovedOffer[],
  growTo: number | undefined,
  { id }: Pick<CommandContext, "id">,
): DomainEvent<OfferEvents>[] =>
  moved.map(({ offer, before }) => ({
    type: `Offer${offer.status}`,
    status: offer.status,
    ...(before && { previousStatus: before }),
    offerId: offer.offerId,
    data: viewOfOffer(offer, id, growTo),
  }));

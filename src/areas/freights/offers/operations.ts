import * as z from "zod";
import { Answer } from "../../../http/responses.ts";
import { operationsOn } from "../../../http/operation.ts";
import type { Events, Freight } from "../model.ts";
import { bookNow, carrierOrderIdOf } from "./booking.ts";
import { offerExample, offerInputExample } from "../examples.ts";
import { listOffers, listOffersOf, OfferQuery } from "./search.ts";
import { AnsweredOffer, OfferAnswer, OfferInput, OfferList, OfferView } from "./model.ts";
import { offerCommands } from "./commands.ts";

const { get, post, put, del } = operationsOn<Freight, Events>({
  binding: "FREIGHTS",
  param: "freightId",
  scope: "freights",
});

const path = "/api/v1/freights/:freightId/offers/:offerId";

export const offerOperations = {
  create: post("/api/v1/freights/offers", {
    summary: "Enter a carrier's offer",
    description:
      "For a published freight, in the currency of the freight. A carrier has one open offer at a time; it is identified by its e-mail address or, for offers entered here, by its VAT code. A carrier that received a link makes its offer on the linked page.",
    body: OfferInput,
    ok: OfferView,
    status: 201,
    refuses: ["not_found", "duplicate_offer", "freight_already_booked", "invalid_state"],
    example: { body: offerInputExample, reply: offerExample },
    async handle({ body }, { execute, newId }) {
      const { reply, ...more } = await execute(offerCommands.submit, body.freightId, { offerId: newId, said: body });
      const location = `/api/v1/freights/${reply.freightId}/offers/${reply.offerId}`;
      return new Answer(reply, { ...more, headers: { location } });
    },
  }),

  list: get("/api/v1/freights/offers", {
    summary: "List offers",
    description:
      "Newest first. With `freightId`, the current offers of that freight; without it, the offers of all freights, with a delay of about a second.",
    query: OfferQuery,
    ok: OfferList,
    refuses: ["not_found", "invalid_cursor"],
    example: {
      query: { status: "Submitted", limit: "20" },
      reply: { items: [offerExample], nextCursor: "WyItY3JlYXRlZEF0Il0" },
    },
    handle: ({ query }, context) =>
      query.freightId ? listOffersOf(query.freightId, context, query) : listOffers(context, query),
  }),

  read: get(path, {
    summary: "Read an offer",
    ok: OfferView,
    example: { reply: offerExample },
    command: offerCommands.offer,
  }),

  answer: put(path, {
    summary: "Accept, decline, counter, update or confirm an offer",
    description:
      "The side named in `turn` answers the current price: `Accept`, `Decline`, or `Counter` with another price; an offer can have at most 20 prices. `Update` changes the last price while it is unanswered. `Confirm` renews an `Outdated` offer. " +
      "Accepting books the freight: every other open offer is declined with `OtherOfferAccepted`, the freight goes to the archive, and `carrierOrderId` is the carrier order that is created with the freight's `externalNumber`. If several offers are accepted at the same moment, one wins; the others are refused with `freight_already_booked`. " +
      "If an offer was made by link and it is the carrier's turn, only the carrier can answer; for an offer that was entered here, the company answers for both sides.",
    body: OfferAnswer,
    ok: AnsweredOffer,
    refuses: ["freight_already_booked", "invalid_state"],
    example: {
      body: { action: "Counter", price: 1100, comment: "Unloading is without waiting." },
      reply: offerExample,
    },
    async handle({ params: { freightId, offerId }, body }, { env, caller, execute }) {
      const carrierOrderId = await carrierOrderIdOf(freightId);
      const { reply, version } = await execute(offerCommands.answer, freightId, {
        offerId,
        answer: body,
        carrierOrderId,
      });
      if (reply.status !== "Accepted") return new Answer(reply, { version });
      await bookNow(env, caller.company, freightId);
      return new Answer({ ...reply, carrierOrderId }, { version });
    },
  }),

  withdraw: del(path, {
    summary: "Withdraw an offer",
    description:
      "On behalf of the carrier, if the offer was entered here; only the carrier itself can withdraw an offer that came by link. Repeating the request returns 204 again.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    command: offerCommands.withdraw,
  }),
};

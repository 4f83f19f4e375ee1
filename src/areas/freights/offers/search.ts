import * as z from "zod";
import type { Versioned } from "../../../platform/archive/archive.ts";
import { exact, searchable, words } from "../../../platform/archive/searchable.ts";
import { wordsIn } from "../../../platform/archive/terms.ts";
import type { Context } from "../../../http/operation.ts";
import type { Page } from "../../../platform/list-parameters.ts";
import { paginate } from "../../../http/paginate.ts";
import { choice, Id } from "../../../domain/shapes.ts";
import type { Freight } from "../model.ts";
import { offerStatuses, sides, type OfferView } from "./model.ts";
import { offerCommands } from "./commands.ts";
import { type Offer, turnOf, viewOfOffer } from "./offer.ts";

const textOf = ({ carrier: { name, email, vatCode } }: Pick<Offer, "carrier">) => [name, email, vatCode];

const search = searchable<Offer, OfferView>()({
  table: "offers",
  sort: ["createdAt", "updatedAt"],
  fields: {
    status: exact(choice(offerStatuses).optional(), ({ status }) => status),
    turn: exact(choice(sides).optional(), turnOf),
    text: words("Words of the carrier's name, address or VAT code."),
  },
  text: textOf,
});

const { status, turn, text, ...paging } = search.query.shape;
export const OfferQuery = z.object({ freightId: Id.optional(), status, turn, text, ...paging });
export type OfferQuery = z.output<typeof OfferQuery>;

/** Builds the archive rows of a freight's offers, each with the version in which the offer last changed. */
export const offerRows = ({ offers, said }: Freight, company: string, freightId: string): Versioned[] =>
  offers.map((offer) => {
    const { version, offerId: id, createdAt, updatedAt } = offer;
    const view = viewOfOffer(offer, freightId, said.payment.growTo);
    return { version, row: search.row(offer, { id, company, createdAt, updatedAt, view }) };
  });

/** Lists the offers of all freights, from the archive. */
export const listOffers = ({ env, caller }: Context, query: OfferQuery): Promise<Page<OfferView>> =>
  search.list(env.ARCHIVE, caller.company, query);

/**
 * Lists the current offers of one freight, from its aggregate.
 * @throws Problem `not_found`, `invalid_cursor`
 */
export async function listOffersOf(freightId: string, { send }: Context, query: OfferQuery): Promise<Page<OfferView>> {
  const { updatedSince, sort = "-createdAt", limit, cursor } = query;
  const words = wordsIn(query.text ?? "");
  const offers = (await send(offerCommands.offers, freightId, {})).filter(
    (offer) =>
      (!query.status || offer.status === query.status) &&
      (!query.turn || offer.turn === query.turn) &&
      (!updatedSince || offer.updatedAt >= updatedSince) &&
      words.every((word) => wordsIn(textOf(offer).join(" ")).some((own) => own.startsWith(word))),
  );
  return paginate(offers, { list: `offers ${freightId}`, sort, id: "offerId", limit, cursor });
}

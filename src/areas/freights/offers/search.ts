import { anyOf, listArchive, type ArchiveRow, type Versioned } from "../../../platform/archive/archive.ts";
import { wordsIn } from "../../../platform/archive/terms.ts";
import type { Context } from "../../../http/operation.ts";
import type { Page } from "../../../platform/lists.ts";
import { paginate } from "../../../http/paginate.ts";
import type { Freight } from "../model.ts";
import type { OfferQuery, OfferView } from "./model.ts";
import { offerCommands } from "./commands.ts";
import { type Offer, turnOf, viewOfOffer } from "./negotiation.ts";

/** What the archive keeps of the offers of a freight: a row each, of the version with which it last changed. */
export const offerRows = ({ offers, said }: Freight, company: string, freightId: string): Versioned[] =>
  offers.map((offer) => ({ version: offer.version, row: rowOf(offer, company, freightId, said.payment.growTo) }));

function rowOf(offer: Offer, company: string, freightId: string, growTo: number | undefined): ArchiveRow {
  const { offerId, status, createdAt, updatedAt } = offer;
  const turn = turnOf(offer);
  return {
    table: "offers",
    id: offerId,
    company,
    createdAt,
    updatedAt,
    terms: [`status:${status}`, ...(turn ? [`turn:${turn}`] : [])],
    text: wordsOf(offer),
    columns: {},
    view: viewOfOffer(offer, freightId, growTo),
  };
}

/** What it is found by, here and in the archive. */
const wordsOf = ({ carrier: { name, email, vatCode } }: Pick<Offer, "carrier">) =>
  [name, email, vatCode].filter(Boolean).join(" ");

/** Offers of all freights, as the archive has them. */
export const listOffers = ({ env, caller }: Context, query: OfferQuery): Promise<Page<OfferView>> =>
  listArchive<OfferView>(env.ARCHIVE, {
    table: "offers",
    company: caller.company,
    terms: [
      ...(query.status ? [anyOf(`status:${query.status}`)] : []),
      ...(query.turn ? [anyOf(`turn:${query.turn}`)] : []),
    ],
    ranges: [{ column: "updatedAt", from: query.updatedSince }],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  });

/** Offers of one freight, as they are at this moment. @throws Problem `not_found`, `invalid_cursor` */
export async function listOffersOf(
  freightId: string,
  { send }: Context,
  { status, turn, updatedSince, sort = "-createdAt", limit, cursor, text }: OfferQuery,
): Promise<Page<OfferView>> {
  const words = wordsIn(text ?? "");
  const asked = (await send(offerCommands.offers, freightId, {})).filter(
    (offer) =>
      (!status || offer.status === status) &&
      (!turn || offer.turn === turn) &&
      (!updatedSince || offer.updatedAt >= updatedSince) &&
      words.every((word) => wordsIn(wordsOf(offer)).some((own) => own.startsWith(word))),
  );
  return paginate(asked, { list: `offers ${freightId}`, sort, id: "offerId", limit, cursor });
}

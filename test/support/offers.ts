import type { OfferView } from "../../src/areas/freights/offers/model.ts";
import { Response } from "miniflare";
import type { ApiClient, Reply } from "./api-client.ts";
import type { Refused } from "./freights.ts";

/** An offer in a response. */
export type OfferAnswer = OfferView & { carrierOrderId?: string };

/** The response to an offer: the offer or a refusal. */
export type OfferReply = Reply<OfferAnswer & Refused>;

let carriers = 0;

/** Makes a new carrier. */
export function carrier() {
  const number = ++carriers;
  return { name: `Carrier ${number}`, email: `dispo-${number}@carrier.example` };
}

/** Makes the body of an offer by a new carrier. */
export const offerFor = (freightId: string, more: Record<string, unknown> = {}) => ({
  freightId,
  price: 1150,
  carrier: carrier(),
  ...more,
});

export const offer = (ask: ApiClient, freightId: string, more: Record<string, unknown> = {}): Promise<OfferReply> =>
  ask("POST", "/api/v1/freights/offers", { json: offerFor(freightId, more) });

/** Submits an offer. @throws if it is refused */
export async function createOffer(
  ask: ApiClient,
  freightId: string,
  more: Record<string, unknown> = {},
): Promise<OfferAnswer> {
  const { status, body } = await offer(ask, freightId, more);
  if (status !== 201) throw new Error(`It was answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}

type Named = Pick<OfferView, "freightId" | "offerId">;

const pathOf = ({ freightId, offerId }: Named) => `/api/v1/freights/${freightId}/offers/${offerId}`;

export const changeOffer = (
  ask: ApiClient,
  named: Named,
  action: string,
  more: Record<string, unknown> = {},
): Promise<OfferReply> => ask("PUT", pathOf(named), { json: { action, ...more } });

export const readOffer = (ask: ApiClient, named: Named): Promise<OfferReply> => ask("GET", pathOf(named));

export const withdrawOffer = (ask: ApiClient, named: Named): Promise<Reply<Refused>> => ask("DELETE", pathOf(named));

export interface ReceivedEvent {
  id: string;
  eventType: string;
  status: string;
  previousStatus?: string;
  offerId?: string;
  sequence: number;
  resource: { id: string };
}

/** Makes a receiver of webhooks that accepts every delivery. */
export function eventReceiver() {
  const heard: ReceivedEvent[] = [];
  return {
    internet: async (request: { json(): Promise<unknown> }) => {
      heard.push((await request.json()) as ReceivedEvent);
      return new Response(null, { status: 204 });
    },
    listen: (ask: ApiClient) =>
      ask("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl: "https://receiver.example/hook" } }),
    /** Returns the received events of a record, in order of arrival. */
    of: (id: string) => heard.filter(({ resource }) => resource.id === id),
  };
}

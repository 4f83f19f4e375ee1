import type { ApiClient } from "./api-client.ts";
import { createFreight } from "./freights.ts";
import type { TestService } from "./service.ts";

/** A freight and its share link. */
export interface GuestLink {
  freightId: string;
  shareId: string;
  /** Path of the page: `/freight/` followed by the token. */
  path: string;
  token: string;
}

export const carrier = { email: "dispo@vzorova-doprava.example", name: "Vzorová Doprava s.r.o." };

/** Creates a share link to a freight for one carrier. */
export async function shareWith(
  ask: ApiClient,
  freightId: string,
  recipient: { email: string; name?: string } = carrier,
  more: Record<string, unknown> = {},
): Promise<GuestLink> {
  const { status, body } = await ask<{ items: { shareId: string; link: string }[] }>("POST", "/api/v1/freights/share", {
    json: { freightIds: [freightId], recipients: [recipient], ...more },
  });
  if (status >= 300) throw new Error(`It was answered with ${status}: ${JSON.stringify(body)}`);
  const { shareId, link } = body.items[0]!;
  const path = new URL(link).pathname;
  return { freightId, shareId, path, token: path.split("/")[2]! };
}

/** Creates a freight and a share link to it. */
export async function shareFreight(
  ask: ApiClient,
  more: Record<string, unknown> = {},
  how: Record<string, unknown> = {},
): Promise<GuestLink> {
  const { freightId } = await createFreight(ask, more);
  return shareWith(ask, freightId, carrier, how);
}

/** The response of a page. */
export interface VisitedPage {
  status: number;
  headers: Headers;
  body: string;
}

/** Returns functions that send requests as a visitor without an API key. */
export function visitorOf(service: Pick<TestService, "fetch">) {
  const fetched = async (path: string, init: RequestInit): Promise<VisitedPage> => {
    const response = await service.fetch(path, { redirect: "manual", ...init });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const visit = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetched(path, { method, headers });
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetched(path, { method: "POST", body: new URLSearchParams(fields), headers });
  return { visit, send };
}

/** Returns the value of the hidden field `seen` in the forms of a page. */
export const seenOn = (body: string): string => /name="seen" value="([^"]+)"/.exec(body)?.[1] ?? "";

interface OfferAnswer {
  offerId: string;
  status: string;
  price: number;
  rounds: unknown[];
  carrier: Record<string, unknown>;
}

/** Reads the only offer for a freight, as the freight's company sees it. */
export async function offerOf(ask: ApiClient, freightId: string): Promise<OfferAnswer> {
  const { body } = await ask<{ items: OfferAnswer[] }>("GET", `/api/v1/freights/offers?freightId=${freightId}`);
  if (body.items.length !== 1) throw new Error(`There are ${body.items.length} offers.`);
  return body.items[0]!;
}

/** Answers the only offer for a freight. */
export async function answerOffer(ask: ApiClient, freightId: string, answer: Record<string, unknown>): Promise<void> {
  const { offerId } = await offerOf(ask, freightId);
  const { status, body } = await ask("PUT", `/api/v1/freights/${freightId}/offers/${offerId}`, { json: answer });
  if (status !== 200) throw new Error(`It was answered with ${status}: ${JSON.stringify(body)}`);
}

export type Town = [countryCode: string, postalCode: string, city: string];

/** Makes a stop that is `days` days from now, from 08:00 to 14:00 local time. */
export function stopAt(sequence: number, type: string, [countryCode, postalCode, city]: Town, days: number) {
  const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period = { startDate: `${day}T08:00`, endDate: `${day}T14:00` };
  return { sequence, type, address: { countryCode, postalCode, city }, period };
}

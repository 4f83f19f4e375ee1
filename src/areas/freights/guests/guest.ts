import { commands as accountCommands } from "../../accounts/commands.ts";
import { commands as companyCommands } from "../../companies/commands.ts";
import type { Actor } from "../../../platform/audit.ts";
import type { Env } from "../../../platform/env.ts";
import { newId } from "../../../platform/ids.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { Problem } from "../../../platform/problem.ts";
import { bookNow, carrierOrderIdOf } from "../offers/booking.ts";
import type { GuestAnswer, GuestOfferInput } from "../offers/model.ts";
import { offerCommands } from "../offers/commands.ts";
import { readGuestToken, type GuestToken } from "../shares/model.ts";
import type { GuestOffer, GuestView } from "./view.ts";

// Actions of a guest: the holder of a share's link, without an account.

/** The freight with its current price, and the guest's own offer. */
export type SharedFreight = GuestView & {
  company: string;
};

/** Reads the freight of a link; undefined if the link is not valid or the guest is blocked. */
export async function sharedFreight(env: Env, token: string): Promise<SharedFreight | undefined> {
  const link = readGuestToken(token);
  if (!link) return undefined;
  const { company } = link;
  try {
    const view = await readGuestView(env, link);
    const { reply: facts } = await executeCommand(env, companyCommands.facts, { company, id: company }, {});
    return { ...view, company: facts.name };
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/**
 * Submits an offer of the guest under the mail address of the link.
 * @param language ISO 639-1: the language of mails about the company's answers
 * @throws Problem `not_found` for an invalid link, `duplicate_offer`, `freight_already_booked`, `invalid_state`,
 *   `validation_failed` with `errors` that name `price` or `validUntil`
 */
export async function submitOffer(
  env: Env,
  token: string,
  { said, language }: { said: GuestOfferInput; language: string },
): Promise<GuestOffer> {
  const link = linkOf(token);
  const { company, freightId: id, digest } = link;
  const { guest } = await readGuestView(env, link);
  const ask = { digest, said, language, offerId: newId() };
  const by = byLink("freights.guestOffer", guest);
  return (await executeCommand(env, offerCommands.submitAsGuest, { company, id, by }, ask)).reply;
}

/**
 * Applies an action to the guest's newest offer, whose `mayDo` lists the allowed actions. Accepting books the freight.
 * @throws Problem `not_found` for an invalid link or if the guest has made no offer, `freight_already_booked`,
 *   `invalid_state`, `validation_failed` with `errors` that name `price` or `validUntil`
 */
export async function answerOffer(env: Env, token: string, answer: GuestAnswer): Promise<GuestOffer> {
  const link = linkOf(token);
  const { company, freightId: id, digest } = link;
  const { guest } = await readGuestView(env, link);
  const carrierOrderId = await carrierOrderIdOf(id);
  const ask = { digest, answer, carrierOrderId };
  const by = byLink("freights.guestAnswer", guest);
  const { reply } = await executeCommand(env, offerCommands.answerAsGuest, { company, id, by }, ask);
  if (reply.status === "Accepted") await bookNow(env, company, id);
  return reply;
}

/** @throws Problem `not_found`, also if the company has blocked the guest */
async function readGuestView(env: Env, { company, freightId: id, digest }: GuestToken): Promise<GuestView> {
  const { reply: view } = await executeCommand(env, offerCommands.shared, { company, id }, { digest });
  const { email } = view.guest;
  const { reply: standing } = await executeCommand(env, accountCommands.standing, { company, id: company }, { email });
  if (standing.isBlocked) throw new Problem("not_found");
  return view;
}

const byLink = (operation: string, { shareId }: GuestView["guest"]): Actor => ({ type: "Link", operation, shareId });

function linkOf(token: string): GuestToken {
  const link = readGuestToken(token);
  if (!link) throw new Problem("not_found");
  return link;
}

import type * as z from "zod";
import { commands as accountCommands } from "../../accounts/commands.ts";
import { Answer } from "../../../http/responses.ts";
import { partId } from "../../../platform/ids.ts";
import type { CommandOutcome } from "../../../platform/command.ts";
import { operationsOn, type Context } from "../../../http/operation.ts";
import { Problem } from "../../../platform/problem.ts";
import type { Events, Freight } from "../model.ts";
import { type Recipient, ShareInput, Shared } from "./model.ts";
import { shareCommands } from "./commands.ts";

const { post } = operationsOn<Freight, Events>({ binding: "FREIGHTS", scope: "freights" });

export const shareOperations = {
  share: post("/api/v1/freights/share", {
    summary: "Share freights with carriers",
    description:
      "Each recipient gets a mail in its `language` with its own link to a page that requires no account: the page shows the freight at its current price, and the recipient makes and answers offers there. " +
      "A recipient with whom the freight was shared before gets no second mail: only the message is replaced, and the `language` of a mail that is not sent yet. A tier is mailed when it is due, if the freight is still published. Links become invalid when the freight leaves the live list. " +
      "Addresses whose account is blocked are skipped and are not in the response. " +
      "All freights must be published; if one is not, none is shared.",
    body: ShareInput,
    ok: Shared,
    refuses: ["not_found", "invalid_state"],
    example: {
      body: {
        freightIds: ["0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91"],
        recipients: [{ email: "dispo@vzorova-doprava.example", name: "Vzorová Doprava s.r.o.", language: "cs" }],
        message: "Please answer by noon.",
        tiers: [{ afterMinutes: 30, recipients: [{ email: "biuro@przewozy-przyklad.example" }] }],
      },
      reply: {
        items: [
          {
            freightId: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91",
            shareId: "0193a60f-0c9d-7e31-b2a4-8d5e6f7a9b10",
            email: "dispo@vzorova-doprava.example",
            name: "Vzorová Doprava s.r.o.",
            tier: 0,
            dueAt: "2026-11-23T10:15:00.000Z",
            status: "Sent",
            link: "https://lorry.beispiel.de/freight/AZOl8Tt6fBCOVW0vmwpMMQGTpfJ8HnpEnStfDD4ai5Fexample-of-a-secret0",
          },
        ],
      },
    },
    handle: ({ body }, context) => share(body, context),
  }),
};

type Reply = z.input<typeof Shared>;

/**
 * Shares each freight with all recipients, or none: freights that cannot be shared are tried first, so that their
 * refusal ends the request.
 */
async function share(body: ShareInput, context: Context): Promise<Answer<Reply>> {
  const { message, hidePrice = false } = body;
  const freightIds = [...new Set(body.freightIds)];
  const recipients = await withoutBlocked(recipientsOf(body), context);
  const refused = await refusedOf(freightIds, context);
  const shared = new Map<string, CommandOutcome<Reply["items"]>>();
  for (const freightId of [...refused, ...freightIds.filter((id) => !refused.includes(id))]) {
    const named = await withIds(recipients, await partId(context.newId, freightIds.indexOf(freightId)));
    const ask = { recipients: named, hidePrice, ...(message && { message }) };
    shared.set(freightId, await context.execute(shareCommands.share, freightId, ask));
  }
  const outcomes = freightIds.map((id) => shared.get(id)!);
  return new Answer(
    { items: outcomes.flatMap(({ reply }) => reply) },
    { replayed: outcomes.every(({ replayed }) => replayed) },
  );
}

async function withoutBlocked<One extends { email: string }>(all: One[], { send, caller }: Context): Promise<One[]> {
  const emails = all.map(({ email }) => email);
  const blocked = await send(accountCommands.blockedOf, caller.company, { emails });
  return all.filter(({ email }) => !blocked.includes(email));
}

async function refusedOf(freightIds: string[], { send }: Context): Promise<string[]> {
  const checks = freightIds.map((id) => send(shareCommands.mayShare, id, {}).then(() => [], refusalOf(id)));
  return (await Promise.all(checks)).flat();
}

/** @throws errors that are not refusals */
const refusalOf =
  (id: string) =>
  (error: unknown): string[] => {
    if (error instanceof Problem) return [id];
    throw error;
  };

/** Lists each address once, with its earliest tier. */
function recipientsOf({ recipients = [], tiers = [] }: ShareInput): Omit<Recipient, "shareId">[] {
  const later = tiers.toSorted((a, b) => a.afterMinutes - b.afterMinutes);
  const named = [{ afterMinutes: 0, recipients }, ...later].flatMap(({ afterMinutes, recipients: ofTier }, tier) =>
    ofTier.map((one) => ({ ...one, tier, afterMinutes })),
  );
  const once = new Map<string, (typeof named)[number]>();
  for (const one of named) if (!once.has(one.email.toLowerCase())) once.set(one.email.toLowerCase(), one);
  return [...once.values()];
}

const withIds = (recipients: Omit<Recipient, "shareId">[], id: string): Promise<Recipient[]> =>
  Promise.all(recipients.map(async (one, index) => ({ ...one, shareId: await partId(id, index) })));

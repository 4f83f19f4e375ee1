import { everyone } from "../../../platform/archive/archive.ts";
import type { Env } from "../../../platform/env.ts";
import { newId } from "../../../platform/ids.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { Problem } from "../../../platform/problem.ts";
import { shareCommands } from "../shares/commands.ts";
import type { Recipient } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";
import { boardCommands } from "./commands.ts";

// What whoever comes by the board may do, without a link and without an account.

/** A freight of the board as it is at this moment; undefined when it does not stand there. */
export async function boardFreight(env: Env, freightId: string): Promise<PublicFreight | undefined> {
  const company = await companyOf(env, freightId);
  if (company === undefined) return undefined;
  try {
    return (await executeCommand(env, boardCommands.seen, { company, id: freightId }, {})).reply;
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/**
 * Shares a freight of the board with an address, and so mails the guest's link to it: whoever reads the mail has proved
 * that the address is its own. An address that has the link already is mailed nothing. What came of it is nobody's to
 * know who only names an address.
 * @param address where this deployment is reached
 */
export async function requestGuestLink(
  env: Env,
  freightId: string,
  who: Pick<Recipient, "email" | "name" | "language">,
  address: string,
): Promise<void> {
  const company = await companyOf(env, freightId);
  if (company === undefined) return;
  const recipient = { ...who, shareId: newId(), tier: 0, afterMinutes: 0 };
  const call = { company, id: freightId, address };
  try {
    await executeCommand(env, boardCommands.seen, call, {});
    await executeCommand(env, shareCommands.share, call, { recipients: [recipient], hidePrice: false, byBoard: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Whose freight it is, when it stands on the board. */
async function companyOf({ ARCHIVE }: Env, freightId: string): Promise<string | undefined> {
  const sql = `select f.company from board b join freights f on f.id = b.id where b.company = ?1 and b.id = ?2 limit 1`;
  return (await ARCHIVE.prepare(sql).bind(everyone, freightId).first<string>("company")) ?? undefined;
}

import { refuse } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { everyone } from "../../../platform/archive/archive.ts";
import type { Env } from "../../../platform/env.ts";
import { newId } from "../../../platform/ids.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { Problem } from "../../../platform/problem.ts";
import { board } from "../../sources/model.ts";
import { ofFreight } from "../lifecycle.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import { shareCommands } from "../shares/commands.ts";
import type { Recipient } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";

// Actions of visitors of the board, who have neither a link nor an account.

export const boardCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "board",
)({
  /**
   * Returns the public view of the freight.
   * @throws `not_found` if the freight is not on the board
   */
  seen: ofFreight(({ state: now }, _: object, context) =>
    now.status === "Published" && now.said.sources.includes(board)
      ? { reply: publicView(now, context) }
      : refuse("not_found"),
  ),
});

/** Reads the public view of a freight; undefined if the freight is not on the board. */
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
 * Mails a guest link for a freight of the board. Opening it proves that the address is the visitor's own. Refusals are
 * hidden from the visitor, because they would reveal who else has a link.
 * @param address base URL of this deployment
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

async function companyOf({ ARCHIVE }: Env, freightId: string): Promise<string | undefined> {
  const sql = `select f.company from board b join freights f on f.id = b.id where b.company = ?1 and b.id = ?2 limit 1`;
  return (await ARCHIVE.prepare(sql).bind(everyone, freightId).first<string>("company")) ?? undefined;
}

import { refuse } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { board } from "../../sources/model.ts";
import { ofFreight } from "../apply-due-changes.ts";
import { publicView, type Events, type Freight } from "../model.ts";

export const boardCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "board",
)({
  /** The freight at the price of this moment, while it stands on the board. */
  seen: ofFreight(({ state: now }, _ask: object, context) =>
    now.status === "Published" && now.said.sources.includes(board)
      ? { reply: publicView(now, context) }
      : refuse("not_found"),
  ),
});

import { commands } from "../src/areas/automations/commands.ts";
import { isOpen, nextDue, type Automation } from "../src/areas/automations/model.ts";
import { automationRow } from "../src/areas/automations/search.ts";
import { operations } from "../src/areas/automations/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each automation: the assignment of fines to drivers. */
export class AutomationObject extends Aggregate<Automation> {
  readonly noun = "Automation";
  readonly decisions = decisionsOf({ automations: { operations, commands } });
  protected override readonly clock = { command: commands.tick.name, due: nextDue };
  urlOf = (id: string) => `/api/v1/automations/${id}`;
  archiveRow = automationRow;
  protected override isComplete = (state: Automation) => !isOpen(state);
}

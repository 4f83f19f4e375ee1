import * as automations from "../src/areas/automations/index.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each automation: fines on their way to their drivers. */
export class AutomationObject extends Aggregate<automations.Automation> {
  readonly noun = "Automation";
  readonly decisions = decisionsOf({ automations });
  protected override readonly clock = { command: automations.commands.tick.name, due: automations.nextDue };
  urlOf = (id: string) => `/api/v1/automations/${id}`;
  archiveRow = (state: automations.Automation, company: string, id: string): ArchiveRow =>
    automations.automationRow(state, company, id);
  protected override isSettled = (state: automations.Automation) => !automations.isOpen(state);
}

import { operations } from "../src/areas/privacy/operations.ts";
import { commands } from "../src/areas/privacy/commands.ts";
import { nextDue, type PrivacyRequest } from "../src/areas/privacy/model.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each privacy request: the export or the erasure of a person's data. */
export class PrivacyObject extends Aggregate<PrivacyRequest> {
  readonly noun = "PrivacyRequest";
  readonly decisions = decisionsOf({ privacy: { operations, commands } });
  protected override readonly clock = { command: commands.tick.name, due: nextDue };
  urlOf = (id: string) => `/api/v1/privacy/requests/${id}`;
  archiveRow = () => undefined;
  protected override isComplete = ({ status }: PrivacyRequest) => status !== "Running";
}

import * as privacy from "../src/areas/privacy/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each request of a person: to see what is kept, or to have it erased. */
export class PrivacyObject extends Aggregate<privacy.PrivacyRequest> {
  readonly noun = "PrivacyRequest";
  readonly decisions = decisionsOf({ privacy });
  protected override readonly clock = { command: privacy.commands.tick.name, due: privacy.nextDue };
  urlOf = (id: string) => `/api/v1/privacy/requests/${id}`;
  archiveRow = () => undefined;
  protected override isSettled = ({ status }: privacy.PrivacyRequest) => status !== "Running";
}

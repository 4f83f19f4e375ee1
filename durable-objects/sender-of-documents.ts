import { commands, type Sender } from "../src/areas/senders/commands.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/**
 * One object for each sender of documents to a company, with the lessons from corrections. Two further objects hold the
 * list of senders and examples from corrected collections.
 */
export class SenderObject extends Aggregate<Sender> {
  readonly noun = "Sender";
  readonly decisions = decisionsOf({ senders: { commands: commands } });
  urlOf = () => "/api/v1/feedback";
  archiveRow = () => undefined;
}

import * as senders from "../src/areas/senders/index.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each sender of documents to a company: what corrections taught of him. Another holds which there are. */
export class SenderObject extends Aggregate<senders.Sender> {
  readonly noun = "Sender";
  readonly decisions = decisionsOf({ senders: { commands: senders.commands } });
  urlOf = () => "/api/v1/feedback";
  archiveRow = () => undefined;
}

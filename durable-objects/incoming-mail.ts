import { commands } from "../src/areas/mails/commands.ts";
import type { Mail } from "../src/areas/mails/model.ts";
import { operations } from "../src/areas/mails/operations.ts";
import { mailRow } from "../src/areas/mails/search.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each incoming mail: its kind, and the records made from it. */
export class IncomingMailObject extends Aggregate<Mail> {
  readonly noun = "Mail";
  readonly decisions = decisionsOf({ mails: { operations, commands } });
  urlOf = (id: string) => `/api/v1/mails/${id}`;
  archiveRow = mailRow;
  protected override isComplete = ({ status }: Mail) => status !== "Received";
}

import { commands } from "../src/areas/mails/commands.ts";
import { mailRow, type Mail } from "../src/areas/mails/mail.ts";
import { operations } from "../src/areas/mails/operations.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each mail that came in: what it is, and what was made of it. */
export class IncomingMailObject extends Aggregate<Mail> {
  readonly noun = "Mail";
  readonly decisions = decisionsOf({ mails: { operations, commands } });
  urlOf = (id: string) => `/api/v1/mails/${id}`;
  archiveRow = mailRow;
  protected override isSettled = ({ status }: Mail) => status !== "Received";
}

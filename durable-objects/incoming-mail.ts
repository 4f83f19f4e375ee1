import * as mails from "../src/areas/mails/index.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

/** One object for each mail that came in: what it is, and what was made of it. */
export class IncomingMailObject extends Aggregate<mails.Mail> {
  readonly noun = "Mail";
  readonly decisions = decisionsOf({ mails });
  urlOf = (id: string) => `/api/v1/mails/${id}`;
  archiveRow = (state: mails.Mail, company: string, id: string): ArchiveRow => mails.mailRow(state, company, id);
  protected override isSettled = ({ status }: mails.Mail) => status !== "Received";
}

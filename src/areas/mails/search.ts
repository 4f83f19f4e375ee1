import * as z from "zod";
import type { ArchiveRow } from "../../platform/archive/archive.ts";
import { createdBetween, exact, searchable, words } from "../../platform/archive/searchable.ts";
import { choice } from "../../domain/shapes.ts";
import { mailLabels } from "../../extraction/mail/labels.ts";
import { mailKinds, mailStatuses, viewOf, type Mail, type MailView } from "./model.ts";

export const search = searchable<Mail, MailView>()({
  table: "mails",
  sort: ["createdAt", "updatedAt"],
  fields: {
    status: exact(choice(mailStatuses).optional(), ({ status }: Mail) => status),
    label: exact(choice(mailLabels).optional(), ({ label }: Mail) => label),
    kind: exact(choice(mailKinds).optional(), ({ kind }: Mail) => kind),
    from: exact(
      z.string().max(254).optional().describe("Address of the sender."),
      ({ from }: Mail) => from,
      (address) => address.trim().toLowerCase(),
    ),
    ...createdBetween,
    text: words("Words of the subject; each matches the beginning of a word."),
  },
  text: ({ subject }) => [subject],
});

export const mailRow = (mail: Mail, company: string, id: string): ArchiveRow =>
  search.row(mail, {
    id,
    company,
    createdAt: mail.createdAt,
    updatedAt: mail.updatedAt,
    view: viewOf(mail, id),
  });

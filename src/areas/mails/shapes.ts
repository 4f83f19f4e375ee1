import * as z from "zod";
import { listParameters } from "../../platform/lists.ts";
import { choice, LineText, QueryMoment, QueryMomentEnd, said, Text } from "../../domain/shapes.ts";
import { mailLabels } from "../../extraction/mail/labels.ts";

/** What a mail was taken as: by this its sender is answered. */
export const mailKinds = ["order", "quoteRequest", "document", "fine", "statement", "other"] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStatuses = ["Received", "Routed", "Ignored", "Failed"] as const;
/** Why nothing was made of a mail. */
export const ignoredBecause = ["Automatic", "Unwanted", "SenderNotAllowed"] as const;
/** What became of the answer to its sender. */
export const answerStatuses = ["Sent", "NotConfigured", "Loop", "TooMany", "NotSent"] as const;

const Template = z
  .object({
    subject: said(LineText(300)).describe("`Re: ` and the subject of the mail when not said."),
    text: Text(10_000).min(1),
  })
  .meta({ id: "MailTemplate" });
export type Template = z.output<typeof Template>;

const Answers = z
  .object({
    order: said(Template),
    quoteRequest: said(Template),
    document: said(Template),
    fine: said(Template),
    statement: said(Template),
    other: said(Template),
  } satisfies Record<MailKind, unknown>)
  .describe(
    "What senders are answered, by what their mail was taken as; nothing where it is not said. Known in subject and text: `{{subject}}`, `{{from}}`, `{{company}}`, `{{label}}`, `{{ids}}`, `{{files}}`.",
  );

export const MailSettingsInput = z
  .object({
    answers: said(Answers),
    senders: said(z.array(LineText(254).min(3)).max(500)).describe(
      "Addresses and domains whose mails are taken; anybody's when not said.",
    ),
  })
  .meta({ id: "MailSettingsInput" });
export type MailSettingsInput = z.output<typeof MailSettingsInput>;

export const MailSettings = z
  .object({
    answers: z.record(z.string(), Template).optional().describe("By what a mail was taken as."),
    senders: z.array(z.string()).optional(),
  })
  .meta({ id: "MailSettings" });
export type MailSettings = z.output<typeof MailSettings>;

const Routed = z.object({
  path: z.string().describe("The operation that it was posted to."),
  attachment: z.string().optional().describe("The file that was posted; the mail itself when not said."),
  id: z.string().optional().describe("Of what was made of it."),
  duplicateOf: z.string().optional().describe("The same bytes had come before: this is what was made of them then."),
  errorCode: z.string().optional().describe("Why nothing was made of it."),
});

const NotRouted = z.object({
  attachment: z.string(),
  errorCode: z
    .string()
    .optional()
    .describe("Why it cannot be read, e.g. `unsupported_file_type`; where not said, nothing tells what it is for."),
});

export const MailAddress = z
  .object({ address: z.string().optional().describe("Absent where the deployment takes no mails in.") })
  .meta({ id: "MailAddress" });

export const MailView = z
  .object({
    mailId: z.string(),
    status: z
      .enum(mailStatuses)
      .describe("`Received` until it is routed; `Ignored`: nothing was to be made of it; `Failed`: it cannot be read."),
    ignoredBecause: z
      .enum(ignoredBecause)
      .optional()
      .describe("`Automatic`: a program sent it, as bounces and absence notes are; `Unwanted`: spam or a newsletter."),
    from: z.string().optional(),
    subject: z.string().optional(),
    messageId: z.string().optional(),
    label: z.enum(mailLabels).optional(),
    kind: z.enum(mailKinds).optional().describe("What it was taken as."),
    routed: z.array(Routed).describe("What was posted, and what was made of it."),
    notRouted: z.array(NotRouted).optional().describe("Its files that went nowhere, where there are any."),
    answer: z
      .object({ status: z.enum(answerStatuses), at: z.string() })
      .optional()
      .describe("`Loop`: a program would have got it. `TooMany`: the sender got twenty within a day."),
    sizeBytes: z.number().int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "IncomingMail" });
export type MailView = z.output<typeof MailView>;

export const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt"]),
  status: choice(mailStatuses).optional(),
  label: choice(mailLabels).optional(),
  kind: choice(mailKinds).optional(),
  from: z.string().max(254).optional().describe("An address."),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  text: z.string().max(200).optional().describe("Words of the subject; each may be the beginning of one."),
});

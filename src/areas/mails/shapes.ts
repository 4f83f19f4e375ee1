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
    subject: said(LineText(300)).describe("By default `Re: ` and the subject of the mail."),
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
    "Replies to senders by the kind of their mail; no reply if omitted. Placeholders in subject and text: `{{subject}}`, `{{from}}`, `{{company}}`, `{{label}}`, `{{ids}}`, `{{files}}`.",
  );

export const MailSettingsInput = z
  .object({
    answers: said(Answers),
    senders: said(z.array(LineText(254).min(3)).max(500)).describe(
      "Addresses and domains whose mails are accepted; all by default.",
    ),
  })
  .meta({ id: "MailSettingsInput" });
export type MailSettingsInput = z.output<typeof MailSettingsInput>;

export const MailSettings = z
  .object({
    answers: z.record(z.string(), Template).optional().describe("By the kind of the mail."),
    senders: z.array(z.string()).optional(),
  })
  .meta({ id: "MailSettings" });
export type MailSettings = z.output<typeof MailSettings>;

const Routed = z.object({
  path: z.string().describe("Path of the operation it was posted to."),
  attachment: z.string().optional().describe("The posted file; the mail itself if absent."),
  id: z.string().optional().describe("Id of the created record."),
  duplicateOf: z.string().optional().describe("The same bytes were received before; this is the record created then."),
  errorCode: z.string().optional().describe("Why no record was created."),
});

const NotRouted = z.object({
  attachment: z.string(),
  errorCode: z
    .string()
    .optional()
    .describe("Why it cannot be processed, such as `unsupported_file_type`; absent if its purpose is unknown."),
});

export const MailAddress = z
  .object({ address: z.string().optional().describe("Absent if the deployment does not accept mails.") })
  .meta({ id: "MailAddress" });

export const MailView = z
  .object({
    mailId: z.string(),
    status: z
      .enum(mailStatuses)
      .describe("`Received` until it is routed. `Ignored`: it needs no processing. `Failed`: it cannot be parsed."),
    ignoredBecause: z
      .enum(ignoredBecause)
      .optional()
      .describe(
        "`Automatic`: sent by a program, such as a bounce or an out-of-office reply. `Unwanted`: spam or a newsletter.",
      ),
    from: z.string().optional(),
    subject: z.string().optional(),
    messageId: z.string().optional(),
    label: z.enum(mailLabels).optional(),
    kind: z.enum(mailKinds).optional().describe("Kind that the mail was processed as."),
    routed: z.array(Routed).describe("Posted files and the records created from them."),
    notRouted: z.array(NotRouted).optional().describe("Files that were not posted."),
    answer: z
      .object({ status: z.enum(answerStatuses), at: z.string() })
      .optional()
      .describe(
        "`Loop`: the reply would have gone to a program. `TooMany`: the sender already received twenty replies within a day.",
      ),
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
  from: z.string().max(254).optional().describe("Address of the sender."),
  createdFrom: QueryMoment.optional(),
  createdTo: QueryMomentEnd.optional(),
  text: z.string().max(200).optional().describe("Words of the subject; each matches the beginning of a word."),
});

import * as z from "zod";
import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { LineText, optional, Text } from "../../domain/shapes.ts";
import { mailLabels, type MailLabel } from "../../extraction/mail/labels.ts";

/** Kinds of mails. The company can set a reply for each. */
export const mailKinds = ["order", "quoteRequest", "document", "fine", "statement", "other"] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStatuses = ["Received", "Routed", "Ignored", "Failed"] as const;
/** Reasons why a mail is not processed. */
export const ignoredBecause = ["Automatic", "Unwanted", "SenderNotAllowed"] as const;
/** Results of the reply to the sender. */
export const answerStatuses = ["Sent", "NotConfigured", "Loop", "TooMany", "NotSent"] as const;

const Template = z
  .object({
    subject: optional(LineText(300)).describe("By default `Re: ` and the subject of the mail."),
    text: Text(10_000).min(1),
  })
  .meta({ id: "MailTemplate" });
export type Template = z.output<typeof Template>;

const Answers = z
  .object({
    order: optional(Template),
    quoteRequest: optional(Template),
    document: optional(Template),
    fine: optional(Template),
    statement: optional(Template),
    other: optional(Template),
  } satisfies Record<MailKind, unknown>)
  .describe(
    "Replies to senders by the kind of their mail; no reply if omitted. Placeholders in subject and text: `{{subject}}`, `{{from}}`, `{{company}}`, `{{label}}`, `{{ids}}`, `{{files}}`.",
  );

export const MailSettingsInput = z
  .object({
    answers: optional(Answers),
    senders: optional(z.array(LineText(254).min(3)).max(500)).describe(
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

/** Mails have no events, but the records that are created from them do. */
export const events = {};

/** An incoming mail. Its bytes are in R2. */
export interface Mail {
  status: MailView["status"];
  ignoredBecause?: MailView["ignoredBecause"];
  file: StoredFile;
  /** The envelope sender, who gets the reply. Absent for a bounce. */
  from?: string;
  subject?: string;
  messageId?: string;
  /** Whether a program or this deployment sent the mail, which therefore gets no reply. */
  isAutomatic: boolean;
  label?: MailLabel;
  kind?: MailKind;
  routed: MailView["routed"];
  notRouted?: MailView["notRouted"];
  /** Number of interrupted routing attempts, for example because the mail exceeds the limits of a worker. */
  attempts?: number;
  faults?: number;
  lease?: Lease;
  answer?: { status: NonNullable<MailView["answer"]>["status"] | "Sending"; at: string };
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** Job that classifies a mail and submits its files. */
export const routeJob = "mails.route";
/**
 * A mail fails after this many interrupted attempts. The attempt with this number, and each later one, skips files that
 * cannot be submitted, so that they do not hold up the rest of the mail. For this, attempts that ended with an internal
 * error count too.
 */
export const maxAttempts = 8;
/**
 * A mail fails after this many internal errors. The job is repeated every five minutes, so a mail can still be
 * classified after an outage of 16 hours.
 */
export const maxFaults = 200;
/** R2 folder of mails. */
export const folder = "mails";

export function viewOf(state: Mail, mailId: string): MailView {
  const { file, answer, isAutomatic: _, attempts: __, faults: ___, metadata: ____, lease: _____, ...rest } = state;
  const sent = answer && { status: answer.status === "Sending" ? ("NotSent" as const) : answer.status, at: answer.at };
  return { mailId, ...rest, ...omitUndefined({ answer: sent }), sizeBytes: file.sizeBytes };
}

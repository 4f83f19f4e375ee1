import * as z from "zod";
import { takeClaim } from "../../platform/aggregates.ts";
import type { Env } from "../../platform/env.ts";
import { Id } from "../../domain/shapes.ts";
import { Base64File } from "../../http/uploads/read-upload.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { kindNames, kinds } from "../../extraction/kinds/kinds.ts";
import { mailLabels, type MailLabel } from "../../extraction/mail/labels.ts";

const maxFiles = 50;
const maxTextLength = 2_000_000;

/** Text that may contain any characters, because a mail is never refused for its content. */
const Words = (max: number) => z.string().max(max).nullish();

export const MailInput = z
  .object({
    subject: Words(2000),
    from: Words(1000).describe("The sender as in the mail header."),
    to: z.union([z.string().max(20_000), z.array(z.string().max(1000)).max(500)]).nullish(),
    text: Words(maxTextLength).describe("The body as plain text."),
    html: Words(maxTextLength).describe("The body as HTML; preferred if it has the same content as the text."),
    attachments: z
      .array(z.object({ ...Base64File.shape, fileName: z.string().max(500).nullish() }))
      .max(maxFiles)
      .nullish(),
  })
  .refine(
    ({ subject, text, html, attachments }) =>
      Boolean(subject?.trim() || text?.trim() || html?.trim() || attachments?.length),
    { path: ["text"], error: "subject, text, html or attachments is required" },
  )
  .meta({ id: "MailInput", description: "A mail in its parts." });
export type MailInput = z.output<typeof MailInput>;

const confidence = z.number().describe("0..1.");
const Label = z.enum(mailLabels);

/** The types of attachments, as the API spells them. */
export const attachmentTypes = Object.fromEntries([
  ...kindNames.map((kind) => [kind, kinds[kind].apiName.singular]),
  ["statement", "Statement"],
  ["other", "Other"],
]) as Record<DocumentKind, string>;

const AttachmentType = z.enum(Object.values(attachmentTypes) as [string, ...string[]]);

export const Classification = z
  .object({
    classificationId: Id.describe("Id for feedback, valid for 30 days."),
    label: Label,
    confidence,
    labels: z.array(z.object({ label: Label, confidence })).describe("Possible labels, the most likely first."),
    language: z.string().optional().describe("ISO 639-1; absent if the mail has too few words."),
    entities: z
      .object({
        orderNumbers: z.array(z.string()),
        licensePlates: z.array(z.string()),
        vatCodes: z.array(z.string()),
        amounts: z.array(z.object({ amount: z.number(), currency: z.string().optional() })),
        dates: z
          .array(z.string())
          .describe("ISO dates. A date without a year is the one closest to the date of the mail."),
        places: z.array(
          z.object({
            countryCode: z.string().optional(),
            postalCode: z.string().optional(),
            city: z.string().optional(),
          }),
        ),
      })
      .describe(
        "Entities in the subject and the newest part of the mail without its signature; VAT codes also from the signature.",
      ),
    attachments: z.array(z.object({ fileName: z.string(), type: AttachmentType, confidence })),
    suggestedActions: z
      .array(
        z.object({
          method: z.literal("POST"),
          path: z.string(),
          attachment: z.string().optional().describe("File name; if absent, send the mail itself."),
        }),
      )
      .describe("Operations that accept the file unchanged, as a form with `file` or as the raw body."),
  })
  .meta({ id: "Classification" });
export type Classification = z.output<typeof Classification>;

/** The stored result of a classification, for feedback. The mail itself is not stored. */
export interface ClassificationRecord {
  label: MailLabel;
  confidence: number;
  language?: string;
  createdAt: string;
  /** The correct label, if feedback has corrected it. */
  corrected?: MailLabel;
}

const retentionMilliseconds = 30 * 24 * 60 * 60 * 1000;

const claimName = (id: string) => `classifications/${id}`;

/**
 * Stores a classification for 30 days. A classification that exists is not changed, because feedback may have corrected
 * its label.
 * @returns whether it was stored; false if an earlier request with the same idempotency key has stored it
 */
export async function storeClassification(
  env: Env,
  company: string,
  id: string,
  record: ClassificationRecord,
): Promise<boolean> {
  const until = Date.now() + retentionMilliseconds;
  const claim = { holder: crypto.randomUUID(), note: JSON.stringify(record), until };
  return (await takeClaim(env, company, claimName(id), claim)).fresh;
}

/** Corrects the label of a stored classification that has not expired. */
export async function correctClassification(
  env: Env,
  company: string,
  id: string,
  corrected: MailLabel,
): Promise<void> {
  const { holder, note, fresh } = await readClaim(env, company, id);
  if (fresh || note === undefined) return;
  const record: ClassificationRecord = { ...(JSON.parse(note) as ClassificationRecord), corrected };
  const until = Date.now() + retentionMilliseconds;
  await takeClaim(env, company, claimName(id), { holder, note: JSON.stringify(record), until });
}

const readClaim = (env: Env, company: string, id: string) =>
  takeClaim(env, company, claimName(id), { holder: "", until: 1 });

/** Reads a stored classification. Returns undefined if it does not exist or has expired. */
export async function classificationOf(
  env: Env,
  company: string,
  id: string,
): Promise<ClassificationRecord | undefined> {
  const { note, fresh } = await readClaim(env, company, id);
  return fresh || note === undefined ? undefined : (JSON.parse(note) as ClassificationRecord);
}

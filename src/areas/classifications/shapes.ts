import * as z from "zod";
import { Id } from "../../domain/shapes.ts";
import { Base64File } from "../../http/uploads/read-upload.ts";
import type { DocumentKind } from "../../extraction/kinds/classify.ts";
import { kindNames, kinds } from "../../extraction/kinds/kinds.ts";
import { mailLabels } from "../../extraction/mail/labels.ts";

const mostFiles = 50;
const longestText = 2_000_000;

/** Mails come from anywhere: what is no text in them is left aside, not refused. */
const Words = (most: number) => z.string().max(most).nullish();

export const MailInput = z
  .object({
    subject: Words(2000),
    from: Words(1000).describe("The sender as in the mail header."),
    to: z.union([z.string().max(20_000), z.array(z.string().max(1000)).max(500)]).nullish(),
    text: Words(longestText).describe("The body as plain text."),
    html: Words(longestText).describe("The body as HTML; preferred if it has the same content as the text."),
    attachments: z
      .array(z.object({ ...Base64File.shape, fileName: z.string().max(500).nullish() }))
      .max(mostFiles)
      .nullish(),
  })
  .refine(
    ({ subject, text, html, attachments }) =>
      Boolean(subject?.trim() || text?.trim() || html?.trim() || attachments?.length),
    { path: ["text"], error: "A subject, text, html or attachments are required." },
  )
  .meta({ id: "MailInput", description: "A mail in its parts." });
export type MailInput = z.output<typeof MailInput>;

const confidence = z.number().describe("0..1.");
const Label = z.enum(mailLabels);

/** Type of an attachment, as the API spells it. */
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

import { bytesOf, safeName } from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { Problem, wrongField } from "../../platform/problem.ts";
import { withFileMemory } from "../intake/stored-files.ts";
import { requestWaitMilliseconds } from "../../http/memory-pool.ts";
import { classifyMail, type ClassifiedMail } from "../../extraction/classify-mail.ts";
import type { MailParts } from "../../extraction/formats/mail-content.ts";
import { Budget, ExtractionProblem } from "../../extraction/problem.ts";
import { actionsFor } from "./actions.ts";
import { example, inputExample } from "./examples.ts";
import { attachmentTypes, Classification, MailInput, storeClassification } from "./model.ts";

const { post } = operationsOn({ binding: "COMPANIES", scope: "documents" });

const rawMail = "message/rfc822";
const budgetMilliseconds = 20_000;
/** Labels other than the label of the mail are listed from this confidence on. */
const minListed = 0.05;
/** Minimum confidence of the best label. If it is lower, the label of the mail is `Other`. */
const minConfidence = 0.3;

export const operations = {
  email: post("/api/v1/classifications/email", {
    summary: "Classify a mail",
    description:
      "Accepts the parts of a mail as JSON, or a raw mail (`message/rfc822`), in any language. Only the newest part of a thread is classified; signatures and disclaimers are ignored. Attachments are opened, within limits, and classified; an unreadable attachment is classified by its name. A suggested action without `attachment` is for the mail itself. The mail is not stored; the label is stored for 30 days, so that feedback can refer to it.",
    body: MailInput,
    filesInJson: [["attachments", "*", "file"]],
    rawMedia: rawMail,
    ok: Classification,
    refuses: ["file_missing", "file_empty", "file_encrypted", "file_unreadable", "unsupported_file_type"],
    example: { body: inputExample, reply: example },
    async handle({ body }, context) {
      const classified = await classify(body, context);
      const [first] = classified.labels;
      const label = first!.confidence < minConfidence ? "Other" : first!.label;
      const best = classified.labels.find((each) => each.label === label)!;
      const { language } = classified;
      const isNew = await storeClassification(context.env, context.caller.company, context.newId, {
        label,
        confidence: round(best.confidence),
        ...(language && { language }),
        createdAt: new Date().toISOString(),
      });
      const others = classified.labels.filter((each) => each.label !== label && each.confidence >= minListed);
      const reply = {
        classificationId: context.newId,
        label,
        confidence: round(best.confidence),
        labels: [best, ...others].map((each) => ({ ...each, confidence: round(each.confidence) })),
        ...(language && { language }),
        entities: classified.entities,
        attachments: classified.attachments.map(({ fileName, kind, confidence }) => ({
          fileName,
          type: attachmentTypes[kind],
          confidence: round(confidence),
        })),
        suggestedActions: actionsFor(label, classified.attachments),
      };
      return new Answer(reply, { replayed: !isNew });
    },
  }),
};

async function classify(body: MailInput | undefined, context: Context): Promise<ClassifiedMail> {
  const { env, file } = context;
  const tools = { gazetteer: gazetteerOf(env), budget: new Budget(budgetMilliseconds) };
  try {
    const run = async () => {
      const mail = body ? await partsOf(body, context) : await bytesOf(env.FILES, file!);
      return classifyMail(mail, new Date().toISOString().slice(0, 10), tools);
    };
    return await withFileMemory(sizeOf(context), run, requestWaitMilliseconds);
  } catch (error) {
    if (!(error instanceof ExtractionProblem)) throw error;
    throw new Problem("file_unreadable", error.message, {
      errors: [wrongField([], "file_unreadable", error.message)],
    });
  }
}

const sizeOf = ({ file, filesInJson = [] }: Context): number =>
  [...(file ? [file] : []), ...filesInJson].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function partsOf(
  { subject, from, text, html, attachments }: MailInput,
  { env, filesInJson }: Context,
): Promise<MailParts> {
  const bytes = async (index: string) => (index ? bytesOf(env.FILES, filesInJson![Number(index)]!) : new Uint8Array());
  return {
    subject: subject ?? "",
    from: from ?? "",
    text: text ?? "",
    html: html ?? "",
    files: await Promise.all(
      (attachments ?? []).map(async ({ file, fileName }, at) => ({
        name: safeName(fileName || `attachment-${at + 1}`),
        bytes: await bytes(file),
      })),
    ),
  };
}

const round = (confidence: number) => Math.round(confidence * 1000) / 1000;

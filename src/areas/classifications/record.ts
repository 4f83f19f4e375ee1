import type { Env } from "../../kit/env.ts";
import { takeClaim } from "../../kit/owners.ts";
import type { MailLabel } from "../../reading/mails/labels.ts";

/** What is kept of a classification, so that feedback can name it; nothing of the mail itself. */
export interface ClassificationRecord {
  label: MailLabel;
  confidence: number;
  language?: string;
  createdAt: string;
  /** What a person said it is instead. */
  corrected?: MailLabel;
}

const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;

const nameOf = (id: string) => `classifications/${id}`;

/** Keeps it for 30 days. @returns whether it is new: asked for once more under an idempotency key it is not */
export async function keepClassification(
  env: Env,
  company: string,
  id: string,
  record: ClassificationRecord,
): Promise<boolean> {
  const until = Date.now() + keptMilliseconds;
  return (await takeClaim(env, company, nameOf(id), { holder: id, note: JSON.stringify(record), until })).fresh;
}

/** What was kept of a classification of this company, undefined where there is none or it is over. */
export async function classificationOf(
  env: Env,
  company: string,
  id: string,
): Promise<ClassificationRecord | undefined> {
  const { note, fresh } = await takeClaim(env, company, nameOf(id), { holder: "", until: 1 });
  return fresh || note === undefined ? undefined : (JSON.parse(note) as ClassificationRecord);
}

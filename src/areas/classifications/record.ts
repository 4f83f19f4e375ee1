import type { Env } from "../../platform/env.ts";
import { takeClaim } from "../../platform/aggregates.ts";
import type { MailLabel } from "../../extraction/mail/labels.ts";

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

/**
 * Keeps it for 30 days; what is kept already, and may have been put right, stays as it is.
 * @returns whether it is new: asked for once more under an idempotency key it is not
 */
export async function keepClassification(
  env: Env,
  company: string,
  id: string,
  record: ClassificationRecord,
): Promise<boolean> {
  const until = Date.now() + keptMilliseconds;
  const claim = { holder: crypto.randomUUID(), note: JSON.stringify(record), until };
  return (await takeClaim(env, company, nameOf(id), claim)).fresh;
}

/** Puts the label right of what is kept; nothing where it is over meanwhile. */
export async function correctClassification(
  env: Env,
  company: string,
  id: string,
  corrected: MailLabel,
): Promise<void> {
  const { holder, note, fresh } = await heldAs(env, company, id);
  if (fresh || note === undefined) return;
  const record: ClassificationRecord = { ...(JSON.parse(note) as ClassificationRecord), corrected };
  const until = Date.now() + keptMilliseconds;
  await takeClaim(env, company, nameOf(id), { holder, note: JSON.stringify(record), until });
}

const heldAs = (env: Env, company: string, id: string) => takeClaim(env, company, nameOf(id), { holder: "", until: 1 });

/** What was kept of a classification of this company, undefined where there is none or it is over. */
export async function classificationOf(
  env: Env,
  company: string,
  id: string,
): Promise<ClassificationRecord | undefined> {
  const { note, fresh } = await heldAs(env, company, id);
  return fresh || note === undefined ? undefined : (JSON.parse(note) as ClassificationRecord);
}

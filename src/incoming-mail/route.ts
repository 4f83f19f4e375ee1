import type { Email } from "postal-mime";
import { keepsFleet } from "../areas/automations/match-data.ts";
import { companyOf, isOwn } from "../areas/mails/address.ts";
import { folder, type Mail, type MailView } from "../areas/mails/model.ts";
import { isAutomatic, isAutomaticReply, replyTo } from "../areas/mails/reply.ts";
import { settingsCommands } from "../areas/mails/settings.ts";
import { commands } from "../areas/mails/commands.ts";
import { requireActive } from "../areas/tenants/jobs.ts";
import type { Env, Job } from "../platform/env.ts";
import { bytesOf, fileKey, deleteFiles, storeFile, type UploadedFile } from "../platform/files.ts";
import { newId, sha256 } from "../platform/ids.ts";
import { underLease } from "../platform/lease.ts";
import { log, logFault } from "../platform/log.ts";
import { sendMail } from "../platform/mail.ts";
import { executeCommand, takeClaim } from "../platform/aggregates.ts";
import { gazetteerOf } from "../domain/places/places.ts";
import { Problem } from "../platform/problem.ts";
import { readStoredFile, withFileMemory } from "../areas/intake/stored-files.ts";
import { fileHeadOf } from "../http/uploads/file-head.ts";
import { Uploads } from "../http/uploads/uploads.ts";
import { classifyMail } from "../extraction/classify-mail.ts";
import { attachmentsIn, headOf, parseMail } from "../extraction/formats/mail.ts";
import { mayHoldSeveralDocuments } from "../extraction/split-collection.ts";
import { Budget, ExtractionProblem } from "../extraction/problem.ts";
import type { InputFile } from "../extraction/formats/reader.ts";
import { earlierMailIdOf, isSameMail, mailIdOf } from "./identity.ts";
import { submitFiles, type SubmittedFile } from "./submit.ts";
import { kindOf, unroutedOf, planSubmissions, type PlanQueries } from "./plan.ts";

// Handles incoming mails. Each mail is stored once, classified, and submitted to the operations that extract it. Its
// sender gets a reply.

const rawMail = "message/rfc822";
const maxBytes = 25 * 1024 * 1024;
const budgetMilliseconds = 60_000;
/** In milliseconds. These limits are long, because no caller waits for the result. */
const patience = { each: 20_000, all: 40_000 };
const minConfidence = 0.3;
const maxAnswersPerDay = 20;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** A mail, and the company that received it. */
export interface DeliveredMail {
  company: string;
  /** Sender of the envelope; empty for a bounce. */
  from: string;
  file: Pick<UploadedFile, "sizeBytes" | "sha256" | "content">;
}

/** Accepts a mail from Email Routing. A mail to an unknown address is rejected, so that the sender is notified. */
export async function acceptMail(message: ForwardableEmailMessage, env: Env): Promise<void> {
  const company = companyOf(env, message.to);
  if (!company) return message.setReject("The address does not exist.");
  if (message.rawSize > maxBytes) return message.setReject("The mail is too large.");
  const uploads = new Uploads(env.FILES, newId());
  try {
    const file = await uploads.take("mail.eml", message.raw, maxBytes);
    await storeMail(env, { company, from: message.from, file });
  } catch (error) {
    if (!(error instanceof Problem && error.reason === "company_suspended")) throw error;
    message.setReject("This address does not accept mail at present.");
  } finally {
    await uploads.discard();
  }
}

/**
 * Stores a mail and requests its routing. Storing the same mail again has no effect.
 * @throws ExtractionProblem `file_corrupted` if the file is not a mail
 * @throws Problem `company_suspended`
 */
export async function storeMail(
  env: Env,
  { company, from, file }: DeliveredMail,
): Promise<{ mailId: string; isNew: boolean }> {
  await requireActive(env, company);
  const sender = oneLine(from, 254).toLowerCase();
  const { id, storedId, head } = await withFileMemory(file.sizeBytes, () =>
    inspectMail({ company, from: sender, file }, env),
  );
  if (storedId) return { mailId: storedId, isNew: false };
  const call = { company, id };
  const key = fileKey(company, folder, id, `original-${newId()}`);
  const whole = { ...file, name: "mail.eml", mediaType: rawMail };
  const stored = await storeFile(env.FILES, key, whole, { binding: "MAILS", ...call });
  const { reply } = await executeCommand(env, commands.receive, call, { file: stored, ...head });
  if (!reply.isNew && (await readMailRecord(call, env))?.file.key !== key) await deleteFiles(env.FILES, [stored]);
  log({ what: "mail.in", company, id, isNew: reply.isNew });
  return { mailId: id, isNew: reply.isNew };
}

/** The bytes of the mail are in memory only during this call. */
async function inspectMail({ company, from, file }: DeliveredMail, env: Env) {
  const mail = await parseMail(await bytesOf(env.FILES, file));
  const id = await mailIdOf(company, mail);
  const isThere = await readMailRecord({ company, id }, env);
  const head = {
    ...(from && { from }),
    ...(mail.subject && { subject: oneLine(mail.subject, 1000) }),
    ...(mail.messageId && { messageId: oneLine(mail.messageId, 500) }),
    isAutomatic: isAutomatic(mail, from) || isOwn(env, from),
  };
  return { id, storedId: isThere ? id : await findByEarlierId(env, company, mail, file.sha256), head };
}

const readMailRecord = async (call: { company: string; id: string }, env: Env): Promise<Mail | undefined> =>
  (await executeCommand(env, commands.look, call, {}).catch(noneYet))?.reply;

function noneYet(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}

/** An earlier release stored mails under other ids. Without the stored file, the mail counts as new. */
async function findByEarlierId(env: Env, company: string, mail: Email, digest: string): Promise<string | undefined> {
  const id = await earlierMailIdOf(company, mail, digest);
  const kept = await readMailRecord({ company, id }, env);
  if (!kept || !(await env.FILES.head(kept.file.key))) return undefined;
  const bytes = await bytesOf(env.FILES, { content: kept.file.key });
  return (await isSameMail(mail, await parseMail(bytes))) ? id : undefined;
}

/** Runs the job `mails.route`: classifies a mail, submits its parts and replies to the sender. It may run twice. */
export async function routeMail({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  await underLease({
    name: "mails.route",
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.begin, call, { token });
      return reply.go === "Route" ? reply : undefined;
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: async ({ mail, skipsFaulty }, lease) => {
      const { token, signal } = lease;
      if (mail.status === "Received") {
        const outcome = await decideOutcome(mail, { ...call, skipsFaulty, signal }, env);
        await executeCommand(env, commands.routed, call, { token, ...outcome });
      }
      await lease.confirm();
      const { reply: now } = await executeCommand(env, commands.look, call, {});
      await executeCommand(env, commands.answered, call, { token, status: await answerSender(now, call, env) });
    },
  });
}

type Label = NonNullable<Mail["label"]>;
type Outcome = Pick<Mail, "status" | "ignoredBecause" | "label" | "kind" | "routed" | "notRouted">;
interface RoutingContext {
  company: string;
  id: string;
  /** From attempt number `mails.maxAttempts` on, a file that cannot be submitted is skipped. */
  skipsFaulty: boolean;
  /** Aborted when another worker takes over the lease. */
  signal: AbortSignal;
}

async function decideOutcome(mail: Mail, context: RoutingContext, env: Env): Promise<Outcome> {
  const { reply: settings } = await executeCommand(
    env,
    settingsCommands.look,
    { company: context.company, id: context.company },
    {},
  );
  if (!isAllowed(mail.from ?? "", settings.senders)) return ignored("SenderNotAllowed");
  const uploads = new Uploads(env.FILES, newId());
  try {
    const plan = await readStoredFile(env.FILES, mail.file, (file) => planFor(file, mail, { context, uploads, env }));
    return "posts" in plan ? await submitPlan(plan, mail, context, env) : plan;
  } catch (error) {
    if (error instanceof ExtractionProblem) return { status: "Failed", routed: [] };
    throw error;
  } finally {
    await uploads.discard();
  }
}

/** Small files are in memory, and all others in R2 (see {@link Uploads}). */
interface Plan {
  label: Label;
  kind: NonNullable<Mail["kind"]>;
  posts: { path: string; at: number; isMail: boolean; files: SubmittedFile[] }[];
  notRouted: NonNullable<Mail["notRouted"]>;
  sentOn: string | undefined;
}

/** A file that cannot be checked in time counts as one document. */
function createPlanQueries({ company }: RoutingContext, env: Env): PlanQueries {
  const end = Date.now() + patience.all;
  return {
    keepsFleet: () => keepsFleet(env, company),
    holdsSeveral: async (part) => {
      const left = end - Date.now();
      if (left <= 0) return false;
      const tools = { gazetteer: gazetteerOf(env), budget: new Budget(Math.min(patience.each, left)) };
      try {
        return await mayHoldSeveralDocuments(part, today(), tools);
      } catch (error) {
        if (error instanceof ExtractionProblem) return false;
        throw error;
      }
    },
  };
}

const today = () => new Date().toISOString().slice(0, 10);

const ignored = (because: NonNullable<Mail["ignoredBecause"]>, label?: Label): Outcome => ({
  status: "Ignored",
  ignoredBecause: because,
  ...(label && { label }),
  routed: [],
});

/** `senders` contains addresses and domains. A domain includes its subdomains. */
function isAllowed(from: string, senders: string[] | undefined): boolean {
  if (!senders) return true;
  const domain = from.split("@")[1] ?? "";
  return senders.some((one) => (one.includes("@") ? one === from : domain === one || domain.endsWith(`.${one}`)));
}

/**
 * Why mails with these labels are ignored. A mail with a file of a known kind is still routed, because programs also
 * send statements and orders, unless it is spam or its headers mark it as an automatic reply.
 */
const reasonsToIgnore: Partial<Record<Label, NonNullable<Mail["ignoredBecause"]>>> = {
  AutoReply: "Automatic",
  Newsletter: "Unwanted",
  Spam: "Unwanted",
};

async function planFor(
  file: InputFile | undefined,
  mail: Mail,
  { context, uploads, env }: { context: RoutingContext; uploads: Uploads; env: Env },
): Promise<Plan | Outcome> {
  if (!file) return { status: "Failed", routed: [] };
  const letter = await parseMail(file.bytes);
  const whole = { ...mail.file, content: mail.file.key, beginning: await fileHeadOf(file.bytes) };
  file.bytes = new Uint8Array();
  const budget = new Budget(budgetMilliseconds, context.signal);
  const classified = await classifyMail(letter, today(), { gazetteer: gazetteerOf(env), budget, timeLimits: patience });
  const [first] = classified.labels;
  const label = first!.confidence < minConfidence ? "Other" : first!.label;
  const parts = attachmentsIn(letter);
  const because = reasonsToIgnore[label];
  const isHeard = !because || (label !== "Spam" && !isAutomaticReply(letter, mail.from ?? ""));
  const posts = isHeard
    ? await planSubmissions(label, classified.attachments, parts, createPlanQueries(context, env))
    : [];
  if (because && posts.length === 0) return ignored(because, label);
  const plan: Plan = {
    label,
    kind: kindOf(label, classified.attachments, posts),
    posts: [],
    notRouted: await unroutedOf(parts, posts),
    sentOn: headOf(letter).day,
  };
  for (const { path, places } of posts) {
    const files: SubmittedFile[] = places ? [] : [{ name: "mail.eml", file: whole }];
    for (const { name, bytes } of places?.map((which) => parts[which]!) ?? [])
      files.push({ name, file: await uploads.takeBytes(name, bytes) });
    // The index of the file, not of the submission, because a repeated job may plan differently.
    plan.posts.push({ path, at: places ? places[0]! + 1 : 0, isMail: !places, files });
  }
  return plan;
}

async function submitPlan(
  { label, kind, posts, notRouted, sentOn }: Plan,
  mail: Mail,
  context: RoutingContext,
  env: Env,
): Promise<Outcome> {
  const routed: MailView["routed"] = [];
  for (const { path, at, isMail, files } of posts) {
    context.signal.throwIfAborted();
    const result = await submitFiles(path, files, mail, { ...context, at, sentOn }, env);
    if (isMail) routed.push({ path, ...result });
    else routed.push(...files.map(({ name }) => ({ path, attachment: name.slice(0, 200), ...result })));
  }
  return { status: "Routed", label, kind, routed, ...(notRouted.length > 0 && { notRouted }) };
}

type AnswerStatus = NonNullable<MailView["answer"]>["status"];

/** Only a routed mail that was not sent by a program gets a reply, and only one. */
async function answerSender(
  mail: Mail,
  { company, id }: Pick<RoutingContext, "company" | "id">,
  env: Env,
): Promise<AnswerStatus | undefined> {
  if (mail.answer) return mail.answer.status === "Sending" ? "NotSent" : undefined;
  if (mail.status !== "Routed") return undefined;
  const { reply: settings } = await executeCommand(env, settingsCommands.look, { company, id: company }, {});
  const template = settings.answers?.[mail.kind ?? "other"];
  if (!template) return "NotConfigured";
  if (mail.isAutomatic || !mail.from) return "Loop";
  if (!(await claimAnswer(env, company, mail.from))) return "TooMany";
  const { reply } = await executeCommand(env, commands.answering, { company, id }, {});
  if (!reply.mayAnswer) return undefined;
  try {
    const letter = replyTo(mail, template, { company: settings.company, label: mail.label ?? "Other" });
    return (await sendMail(env, { id: newId(), to: mail.from, ...letter })) ? "Sent" : "NotSent";
  } catch (error) {
    logFault("mail.answer", error, { company, id });
    return "NotSent";
  }
}

/** Two programs must not reply to each other endlessly. */
async function claimAnswer(env: Env, company: string, address: string): Promise<boolean> {
  const until = Date.now() + dayMilliseconds;
  const name = `mails/answered/${(await sha256(address)).slice(0, 32)}`;
  for (let n = 0; n < maxAnswersPerDay; n++)
    if ((await takeClaim(env, company, `${name}/${n}`, { holder: newId(), until })).fresh) return true;
  return false;
}

const oneLine = (text: string, most: number) =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();

import type { Email } from "postal-mime";
import { keepsFleet } from "../areas/automations/match-data.ts";
import { answerTo } from "../areas/mails/answer.ts";
import { companyOf, isOwn } from "../areas/mails/address.ts";
import { folder, type Mail } from "../areas/mails/mail.ts";
import { isAnswer, isAutomatic } from "../areas/mails/loops.ts";
import { settingsCommands } from "../areas/mails/settings.ts";
import { commands } from "../areas/mails/commands.ts";
import type { MailView } from "../areas/mails/shapes.ts";
import { requireActive } from "../areas/tenants/jobs.ts";
import type { Env, Job } from "../platform/env.ts";
import { bytesOf, fileKey, forgetFiles, storeFile, type UploadedFile } from "../platform/files.ts";
import { newId, sha256 } from "../platform/ids.ts";
import { underLease } from "../platform/lease.ts";
import { log, logFault } from "../platform/log.ts";
import { sendMail } from "../platform/mail.ts";
import { executeCommand, takeClaim } from "../platform/aggregates.ts";
import { gazetteerOf } from "../domain/places/places.ts";
import { Problem } from "../platform/problem.ts";
import { readStored, whileReading } from "../areas/intake/read-stored.ts";
import { beginningOf } from "../http/uploads/beginning.ts";
import { Uploads } from "../http/uploads/uploads.ts";
import { classifyMail } from "../extraction/classify-mail.ts";
import { attachmentsIn, headOf, parseMail } from "../extraction/formats/mail.ts";
import { mayHoldSeveralDocuments } from "../extraction/split-collection.ts";
import { Budget, ExtractionProblem } from "../extraction/problem.ts";
import type { InputFile } from "../extraction/formats/reader.ts";
import { earlierMailIdOf, isSameMail, mailIdOf } from "./identity.ts";
import { posted, type PostedFile } from "./submit.ts";
import { kindOf, leftOf, postsFor, type Questions } from "./plan.ts";

// Mails that come in: taken once, told what they are, posted to the operation that reads them, and answered.

const rawMail = "message/rfc822";
/** The largest mail that is taken. */
const mostBytes = 25 * 1024 * 1024;
const budgetMilliseconds = 60_000;
/** Nobody waits: what a file is, is told by what stands in it. */
const patience = { each: 20_000, all: 40_000 };
/** A label below this share is not what the mail means. */
const leastSure = 0.3;
/** Answers that one address gets in a day. */
const mostAnswers = 20;
const aDay = 24 * 60 * 60 * 1000;

/** A mail with the addresses of its envelope. */
export interface Delivered {
  company: string;
  /** Empty of a bounce. */
  from: string;
  file: Pick<UploadedFile, "sizeBytes" | "sha256" | "content">;
}

/** Takes a mail that Email Routing hands over. One for nobody is refused, so that its sender hears of it. */
export async function acceptMail(message: ForwardableEmailMessage, env: Env): Promise<void> {
  const company = companyOf(env, message.to);
  if (!company) return message.setReject("There is no such address.");
  if (message.rawSize > mostBytes) return message.setReject("The mail is too large.");
  const uploads = new Uploads(env.FILES, newId());
  try {
    const file = await uploads.take("mail.eml", message.raw, mostBytes);
    await takeMail(env, { company, from: message.from, file });
  } catch (error) {
    if (!(error instanceof Problem && error.reason === "company_suspended")) throw error;
    message.setReject("This address does not accept mail at present.");
  } finally {
    await uploads.discard();
  }
}

/**
 * Puts a mail away and has it routed. The same mail once more changes nothing; another one with the same Message-ID is a
 * mail of its own.
 * @throws ExtractionProblem `file_corrupted` when it is no mail
 * @throws Problem `company_suspended`
 */
export async function takeMail(
  env: Env,
  { company, from, file }: Delivered,
): Promise<{ mailId: string; isNew: boolean }> {
  await requireActive(env, company);
  const sender = oneLine(from, 254).toLowerCase();
  const { id, known, head } = await whileReading(file.sizeBytes, () =>
    lookedInto({ company, from: sender, file }, env),
  );
  if (known) return { mailId: known, isNew: false };
  const call = { company, id };
  const key = fileKey(company, folder, id, `original-${newId()}`);
  const whole = { ...file, name: "mail.eml", mediaType: rawMail };
  const stored = await storeFile(env.FILES, key, whole, { binding: "MAILS", ...call });
  const { reply } = await executeCommand(env, commands.receive, call, { file: stored, ...head });
  if (!reply.isNew && (await keptAs(call, env))?.file.key !== key) await forgetFiles(env.FILES, [stored]);
  log({ what: "mail.in", company, id, isNew: reply.isNew });
  return { mailId: id, isNew: reply.isNew };
}

/** Which mail it is, whether it is there already, and what is kept of its headers. Its bytes are not held longer. */
async function lookedInto({ company, from, file }: Delivered, env: Env) {
  const mail = await parseMail(await bytesOf(env.FILES, file));
  const id = await mailIdOf(company, mail);
  const isThere = await keptAs({ company, id }, env);
  const head = {
    ...(from && { from }),
    ...(mail.subject && { subject: oneLine(mail.subject, 1000) }),
    ...(mail.messageId && { messageId: oneLine(mail.messageId, 500) }),
    isAutomatic: isAutomatic(mail, from) || isOwn(env, from),
  };
  return { id, known: isThere ? id : await keptByEarlierRelease(env, company, mail, file.sha256), head };
}

const keptAs = async (call: { company: string; id: string }, env: Env): Promise<Mail | undefined> =>
  (await executeCommand(env, commands.look, call, {}).catch(noneYet))?.reply;

function noneYet(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}

/** The id of a mail that an earlier release kept. Of one whose file is gone nobody knows what it said. */
async function keptByEarlierRelease(
  env: Env,
  company: string,
  mail: Email,
  digest: string,
): Promise<string | undefined> {
  const id = await earlierMailIdOf(company, mail, digest);
  const kept = await keptAs({ company, id }, env);
  if (!kept || !(await env.FILES.head(kept.file.key))) return undefined;
  const bytes = await bytesOf(env.FILES, { content: kept.file.key });
  return (await isSameMail(mail, await parseMail(bytes))) ? id : undefined;
}

/** The work `mails.route`: tells what a mail is, posts it, and answers its sender. Doing it twice makes nothing twice. */
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
    work: async ({ mail, isLast }, lease) => {
      const { token, signal } = lease;
      if (mail.status === "Received") {
        const outcome = await outcomeOf(mail, { ...call, isLast, signal }, env);
        await executeCommand(env, commands.routed, call, { token, ...outcome });
      }
      await lease.confirm();
      const { reply: now } = await executeCommand(env, commands.look, call, {});
      await executeCommand(env, commands.answered, call, { token, status: await answered(now, call, env) });
    },
  });
}

type Label = NonNullable<Mail["label"]>;
type Outcome = Pick<Mail, "status" | "ignoredBecause" | "label" | "kind" | "routed" | "notRouted">;
interface Place {
  company: string;
  id: string;
  /** Nobody will try once more: what cannot be posted is left out. */
  isLast: boolean;
  /** Aborted once somebody else routes it. */
  signal: AbortSignal;
}

async function outcomeOf(mail: Mail, place: Place, env: Env): Promise<Outcome> {
  const { reply: settings } = await executeCommand(
    env,
    settingsCommands.look,
    { company: place.company, id: place.company },
    {},
  );
  if (!isAllowed(mail.from ?? "", settings.senders)) return ignored("SenderNotAllowed");
  const uploads = new Uploads(env.FILES, newId());
  try {
    const plan = await readStored(env.FILES, mail.file, (file) => planFor(file, mail, { place, uploads, env }));
    return "posts" in plan ? await routedBy(plan, mail, place, env) : plan;
  } catch (error) {
    if (error instanceof ExtractionProblem) return { status: "Failed", routed: [] };
    throw error;
  } finally {
    await uploads.discard();
  }
}

/** What is posted of a mail. Its files lie in R2 by then, and none of them is in memory while another is posted. */
interface Plan {
  label: Label;
  kind: NonNullable<Mail["kind"]>;
  posts: { path: string; at: number; isMail: boolean; files: PostedFile[] }[];
  notRouted: NonNullable<Mail["notRouted"]>;
  sentOn: string | undefined;
}

/** Papers that cannot be told in time are one. */
function questionsIn({ company }: Place, env: Env): Questions {
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

/** Whether mails of an address are taken: it is named, or its domain or one above that. */
function isAllowed(from: string, senders: string[] | undefined): boolean {
  if (!senders) return true;
  const domain = from.split("@")[1] ?? "";
  return senders.some((one) => (one.includes("@") ? one === from : domain === one || domain.endsWith(`.${one}`)));
}

/** Why nothing is made of a mail, unless it brings a file that is known: programs send statements and orders too. */
const reasonsToIgnore: Partial<Record<Label, NonNullable<Mail["ignoredBecause"]>>> = {
  AutoReply: "Automatic",
  Newsletter: "Unwanted",
  Spam: "Unwanted",
};

async function planFor(
  file: InputFile | undefined,
  mail: Mail,
  { place, uploads, env }: { place: Place; uploads: Uploads; env: Env },
): Promise<Plan | Outcome> {
  if (!file) return { status: "Failed", routed: [] };
  const letter = await parseMail(file.bytes);
  const whole = { ...mail.file, content: mail.file.key, beginning: await beginningOf(file.bytes) };
  file.bytes = new Uint8Array();
  const budget = new Budget(budgetMilliseconds, place.signal);
  const told = await classifyMail(letter, today(), { gazetteer: gazetteerOf(env), budget, timeLimits: patience });
  const [first] = told.labels;
  const label = first!.confidence < leastSure ? "Other" : first!.label;
  const parts = attachmentsIn(letter);
  const because = reasonsToIgnore[label];
  const isHeard = !because || (label !== "Spam" && !isAnswer(letter, mail.from ?? ""));
  const posts = isHeard ? await postsFor(label, told.attachments, parts, questionsIn(place, env)) : [];
  if (because && posts.length === 0) return ignored(because, label);
  const plan: Plan = {
    label,
    kind: kindOf(label, told.attachments, posts),
    posts: [],
    notRouted: await leftOf(parts, posts),
    sentOn: headOf(letter).day,
  };
  for (const { path, places } of posts) {
    const files: PostedFile[] = places ? [] : [{ name: "mail.eml", file: whole }];
    for (const { name, bytes } of places?.map((which) => parts[which]!) ?? [])
      files.push({ name, file: await uploads.takeBytes(name, bytes) });
    // Of the file and not of its turn: once more the same file has the same place, whatever the others have become.
    plan.posts.push({ path, at: places ? places[0]! + 1 : 0, isMail: !places, files });
  }
  return plan;
}

async function routedBy(
  { label, kind, posts, notRouted, sentOn }: Plan,
  mail: Mail,
  place: Place,
  env: Env,
): Promise<Outcome> {
  const routed: MailView["routed"] = [];
  for (const { path, at, isMail, files } of posts) {
    place.signal.throwIfAborted();
    const made = await posted(path, files, mail, { ...place, at, sentOn }, env);
    if (isMail) routed.push({ path, ...made });
    else routed.push(...files.map(({ name }) => ({ path, attachment: name.slice(0, 200), ...made })));
  }
  return { status: "Routed", label, kind, routed, ...(notRouted.length > 0 && { notRouted }) };
}

type AnswerStatus = NonNullable<MailView["answer"]>["status"];

/** Answers the sender where the company has said what: once, and never a program. */
async function answered(
  mail: Mail,
  { company, id }: Pick<Place, "company" | "id">,
  env: Env,
): Promise<AnswerStatus | undefined> {
  if (mail.answer) return mail.answer.status === "Sending" ? "NotSent" : undefined;
  if (mail.status !== "Routed") return undefined;
  const { reply: settings } = await executeCommand(env, settingsCommands.look, { company, id: company }, {});
  const template = settings.answers?.[mail.kind ?? "other"];
  if (!template) return "NotConfigured";
  if (mail.isAutomatic || !mail.from) return "Loop";
  if (!(await mayBeAnswered(env, company, mail.from))) return "TooMany";
  const { reply } = await executeCommand(env, commands.answering, { company, id }, {});
  if (!reply.mayAnswer) return undefined;
  try {
    const letter = answerTo(mail, template, { company: settings.company, label: mail.label ?? "Other" });
    return (await sendMail(env, { id: newId(), to: mail.from, ...letter })) ? "Sent" : "NotSent";
  } catch (error) {
    logFault("mail.answer", error, { company, id });
    return "NotSent";
  }
}

/** A program that hides that it is one, and answers every answer, is not answered for ever. */
async function mayBeAnswered(env: Env, company: string, address: string): Promise<boolean> {
  const until = Date.now() + aDay;
  const name = `mails/answered/${(await sha256(address)).slice(0, 32)}`;
  for (let n = 0; n < mostAnswers; n++)
    if ((await takeClaim(env, company, `${name}/${n}`, { holder: newId(), until })).fresh) return true;
  return false;
}

const oneLine = (text: string, most: number) =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();

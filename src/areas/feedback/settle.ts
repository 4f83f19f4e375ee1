import type { Env, Job } from "../../platform/env.ts";
import { log } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { readStored } from "../intake/read-stored.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import { lessonsOfCorrections } from "../../extraction/memory/lessons-of-corrections.ts";
import { fieldOf, stepsOf, valueAt } from "../../extraction/memory/pointers.ts";
import type { AnnotatedPage } from "../../extraction/memory/lesson.ts";
import type { Sender } from "../../extraction/memory/sender.ts";
import { extractDocument } from "../../extraction/extract.ts";
import type { Evidence, ExtractedItem } from "../../extraction/document/extraction-result.ts";
import { evidenceKey, extractionDependencies, type Evidences, type Intake } from "../intake/index.ts";
import { teach } from "../senders/memory.ts";
import type { Feedback } from "./feedback.ts";
import { verdictsOf } from "./field-verdicts.ts";
import { commands } from "./commands.ts";
import { kindOf, subjects, type Subject } from "./subjects.ts";

/**
 * The work `feedback.settle`: what was said is applied if nobody came to that, and then learnt. All of it may be done twice.
 * @throws what is a fault of ours; the queue brings the work again
 */
export async function settle({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply: feedback } = await executeCommand(env, commands.look, call, {});
  if (feedback.status !== "Learning") return void (await executeCommand(env, commands.learnt, call, { lessons: 0 }));
  const { type } = feedback.subject;
  const isRead = type !== "Classification" && type !== "DocumentCollection" && type !== "Transaction";
  const subject = isRead ? subjects[type] : undefined;
  if (subject && !(await isApplied(subject, feedback, call, env))) return;
  const lessons = subject ? await learnt(subject, feedback, call, env) : 0;
  await executeCommand(env, commands.learnt, call, { lessons });
  log({ what: "feedback.settle", company, id, lessons });
}

type Call = { company: string; id: string };

/** Puts the record right, if it is not yet. A record that does not take it ends the feedback; one that was deleted is not asked. */
async function isApplied(
  subject: Subject,
  { subject: { id, sequenceId }, corrections }: Feedback,
  call: Call,
  env: Env,
): Promise<boolean> {
  if (corrections.length === 0) return true;
  const said = corrections.map(({ pointer, value }) => ({ path: pointer, value }));
  try {
    await executeCommand(
      env,
      subject.commands.correct,
      { company: call.company, id },
      { feedbackId: call.id, sequenceId, corrections: said },
    );
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    // It was there when the feedback was given.
    if (problem.reason === "not_found") return true;
    await executeCommand(env, commands.withdraw, call, {});
    return false;
  }
}

/** Teaches what is to be learnt of it: nothing where it was deleted meanwhile. @returns how many things */
async function learnt(subject: Subject, feedback: Feedback, { company, id }: Call, env: Env): Promise<number> {
  const { subject: about, corrections, rating } = feedback;
  const found = await executeCommand(env, subject.commands.look, { company, id: about.id }, {}).catch(ignoreNotFound);
  if (!found) return 0;
  const { reply: record } = found;
  const kind = kindOf(subject, record);
  if (!kind) return 0;
  const { evidence, alternatives } = await evidenceOf(subject, record, about, company, env);
  const data = subject.correctable.viewOf(record.envelopes[about.sequenceId]!);
  const verdicts = verdictsOf(
    evidence.filter(({ pointer, value }) => isIn(corrections, pointer) || valueAt(data, stepsOf(pointer)) === value),
    corrections,
    rating,
    data,
  );
  const seen = await lookedAgain(record, kind, company, `${subject.folder}/${about.id}`, env);
  if (!seen) return 0;
  const changes = corrections.flatMap(({ pointer, before, value }) => {
    const isScalar = value === null || typeof value !== "object";
    const own = alternatives.find((each) => each.pointer === pointer && each.reason === "differs");
    // What the engine had read itself before a lesson knew better is nothing to be learnt.
    return isScalar && own?.value !== value ? [{ pointer, before, value: value as string | null }] : [];
  });
  const lessons = lessonsOfCorrections(kind, data, changes, record.envelopes.length === 1 ? seen.page : undefined);
  await teach(env, company, {
    keys: seen.sender.keys,
    feedbackId: id,
    kind,
    signature: seen.sender.signature,
    lessons,
    verdicts: verdicts.flatMap(({ pointer, right, evidence: of }) =>
      of?.source === "Learned" && of.feedbackId
        ? [{ field: fieldOf(pointer, data), taughtBy: of.feedbackId, right }]
        : [],
    ),
    own: verdicts.flatMap(({ pointer, right, evidence: of }) => {
      const field = fieldOf(pointer, data);
      // Where nothing was read, nothing that was read was wrong.
      if (!of) return [];
      if (of.source !== "Learned") return [{ field, right }];
      const said = corrections.find((each) => each.pointer === pointer);
      const own = alternatives.find((each) => each.pointer === pointer && each.reason === "differs");
      return said && own ? [{ field, right: own.value === said.value }] : [];
    }),
  });
  return lessons.length;
}

const isIn = (corrections: Feedback["corrections"], pointer: string) =>
  corrections.some((each) => pointer === each.pointer || pointer.startsWith(`${each.pointer}/`));

/** The evidence as it was read, without what people said since. */
async function evidenceOf(
  { folder }: Subject,
  { evidence: name }: Intake,
  { id, sequenceId }: Feedback["subject"],
  company: string,
  env: Env,
): Promise<{ evidence: Evidence[]; alternatives: NonNullable<ExtractedItem<unknown>["alternatives"]> }> {
  const stored = await env.FILES.get(evidenceKey(company, folder, id, name));
  const kept = (await stored?.json<Evidences[]>())?.[sequenceId];
  const evidence = Object.entries(kept?.fields ?? {}).map(([pointer, rest]) => ({ pointer, ...rest }) as Evidence);
  return { evidence, alternatives: kept?.alternatives ?? [] };
}

/** Opens the stored file once more, to see what stands where. Nothing is asked of a model, nothing known is held against it. */
async function lookedAgain(
  record: Intake,
  kind: KindName,
  company: string,
  place: string,
  env: Env,
): Promise<{ sender: Sender; page: AnnotatedPage } | undefined> {
  const { context, tools } = await extractionDependencies(record, company, env, { place });
  const seen: { sender: Sender; page: AnnotatedPage }[] = [];
  const recall = async (sender: Sender, page: AnnotatedPage) => void seen.push({ sender, page });
  await readStored(env.FILES, record.file, async (file) => {
    if (file) await extractDocument(kind, file, context, { ...tools, model: undefined, recall });
  });
  return seen[0];
}

import type { Env, Job } from "../../platform/env.ts";
import { log } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { readStoredFile } from "../intake/stored-files.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import { lessonsOfCorrections } from "../../extraction/memory/lessons-of-corrections.ts";
import { learnDocument } from "../../extraction/memory/learn.ts";
import { fieldOf, stepsOf, valueAt } from "../../extraction/memory/pointers.ts";
import type { AnnotatedPage } from "../../extraction/memory/lesson.ts";
import type { Sender } from "../../extraction/memory/sender.ts";
import { extractDocument } from "../../extraction/extract.ts";
import type { Evidence, ExtractedItem } from "../../extraction/document/extraction-result.ts";
import type { Evidences } from "../intake/evidence.ts";
import { extractionDependencies } from "../intake/jobs.ts";
import { evidenceKey, type Intake } from "../intake/model.ts";
import { storeLayout, storeLessons } from "../senders/memory.ts";
import { commands } from "./commands.ts";
import { verdictsOf } from "./field-verdicts.ts";
import type { Feedback } from "./model.ts";
import { kindOf, subjects, type Subject } from "./subjects.ts";

/**
 * Runs the job `feedback.settle`: applies the corrections, in case the request was interrupted before it did, and
 * learns from them. May run twice.
 * @throws internal errors; the queue repeats the job
 */
export async function completeFeedback({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply: feedback } = await executeCommand(env, commands.look, call, {});
  if (feedback.status !== "Learning") return void (await executeCommand(env, commands.learnt, call, { lessons: 0 }));
  const { type } = feedback.subject;
  const isExtracted = type !== "Classification" && type !== "DocumentCollection" && type !== "Transaction";
  const subject = isExtracted ? subjects[type] : undefined;
  if (subject && !(await applyCorrections(subject, feedback, call, env))) return;
  const lessons = subject ? await learn(subject, feedback, call, env) : 0;
  await executeCommand(env, commands.learnt, call, { lessons });
  log({ what: "feedback.settle", company, id, lessons });
}

type Call = { company: string; id: string };

/** @returns false if the record refused the corrections and the feedback was therefore withdrawn */
async function applyCorrections(
  subject: Subject,
  { subject: { id, sequenceId }, corrections }: Feedback,
  call: Call,
  env: Env,
): Promise<boolean> {
  if (corrections.length === 0) return true;
  const input = {
    feedbackId: call.id,
    sequenceId,
    corrections: corrections.map(({ pointer, value }) => ({ path: pointer, value })),
  };
  try {
    await executeCommand(env, subject.commands.correct, { company: call.company, id }, input);
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.reason === "not_found") return true;
    await executeCommand(env, commands.withdraw, call, {});
    return false;
  }
}

/** @returns the number of stored lessons; 0 if the record was deleted */
async function learn(subject: Subject, feedback: Feedback, { company, id }: Call, env: Env): Promise<number> {
  const { subject: target, corrections, rating } = feedback;
  const outcome = await executeCommand(env, subject.commands.look, { company, id: target.id }, {}).catch(
    ignoreNotFound,
  );
  if (!outcome) return 0;
  const { reply: record } = outcome;
  const kind = kindOf(subject, record);
  if (!kind) return 0;
  const { evidence, alternatives } = await evidenceOf(subject, record, target, company, env);
  const data = subject.correctable.viewOf(record.envelopes[target.sequenceId]!);
  const verdicts = verdictsOf(
    evidence.filter(({ pointer, value }) => isIn(corrections, pointer) || valueAt(data, stepsOf(pointer)) === value),
    corrections,
    rating,
    data,
  );
  const opened = await openDocument(record, kind, company, `${subject.folder}/${target.id}`, env);
  if (!opened) return 0;
  const changes = corrections.flatMap(({ pointer, before, value }) => {
    const isScalar = value === null || typeof value !== "object";
    const own = alternatives.find((each) => each.pointer === pointer && each.reason === "differs");
    // A value that the engine extracts without lessons needs no lesson.
    return isScalar && own?.value !== value ? [{ pointer, before, value: value as string | null }] : [];
  });
  const lessons = lessonsOfCorrections(kind, data, changes, record.envelopes.length === 1 ? opened.page : undefined);
  await storeLessons(env, company, {
    keys: opened.sender.keys,
    feedbackId: id,
    kind,
    lessons,
    verdicts: verdicts.flatMap(({ pointer, right, evidence: of }) =>
      of?.source === "Learned" && of.feedbackId
        ? [{ field: fieldOf(pointer, data), taughtBy: of.feedbackId, right }]
        : [],
    ),
    own: verdicts.flatMap(({ pointer, right, evidence: of }) => {
      const field = fieldOf(pointer, data);
      // A value that was not extracted does not count as wrong.
      if (!of) return [];
      if (of.source !== "Learned") return [{ field, right }];
      const correction = corrections.find((each) => each.pointer === pointer);
      const own = alternatives.find((each) => each.pointer === pointer && each.reason === "differs");
      return correction && own ? [{ field, right: own.value === correction.value }] : [];
    }),
  });
  if (record.envelopes.length > 1 || !opened.item || (rating === "Bad" && corrections.length === 0))
    return lessons.length;
  const document = { kind, page: opened.page, data, extracted: opened.item, feedbackId: id };
  await storeLayout(env, company, opened.sender, id, (family) => learnDocument(family, document));
  return lessons.length + changes.filter(({ value }) => value !== null).length;
}

const isIn = (corrections: Feedback["corrections"], pointer: string) =>
  corrections.some((each) => pointer === each.pointer || pointer.startsWith(`${each.pointer}/`));

/** Without later corrections. */
async function evidenceOf(
  { folder }: Subject,
  { evidence: name }: Intake,
  { id, sequenceId }: Feedback["subject"],
  company: string,
  env: Env,
): Promise<{ evidence: Evidence[]; alternatives: NonNullable<ExtractedItem<unknown>["alternatives"]> }> {
  const stored = await env.FILES.get(evidenceKey(company, folder, id, name));
  const extraction = (await stored?.json<Evidences[]>())?.[sequenceId];
  const evidence = Object.entries(extraction?.fields ?? {}).map(
    ([pointer, rest]) => ({ pointer, ...rest }) as Evidence,
  );
  return { evidence, alternatives: extraction?.alternatives ?? [] };
}

/** Extracts the stored file again without language model and memory. */
async function openDocument(
  record: Intake,
  kind: KindName,
  company: string,
  path: string,
  env: Env,
): Promise<{ sender: Sender; page: AnnotatedPage; item?: ExtractedItem<unknown> } | undefined> {
  const { context, tools } = await extractionDependencies(record, company, env, { place: path });
  const opened: { sender: Sender; page: AnnotatedPage; item?: ExtractedItem<unknown> }[] = [];
  const recall = async (sender: Sender, page: AnnotatedPage) => void opened.push({ sender, page });
  await readStoredFile(env.FILES, record.file, async (file) => {
    if (!file) return;
    const { items } = await extractDocument(kind, file, context, { ...tools, model: undefined, recall });
    if (opened[0] && items[0]) opened[0].item = items[0];
  });
  return opened[0];
}

import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, Problem, wrongField, type ErrorItem } from "../../platform/problem.ts";
import { mailLabels, type MailLabel } from "../../extraction/mail/labels.ts";
import type { Evidence } from "../../extraction/document/extraction-result.ts";
import { classificationOf, correctClassification } from "../classifications/record.ts";
import { applyCorrections, readEvidence, stillProcessing, type Evidences } from "../intake/index.ts";
import { judgedFields, verdictsOf } from "./field-verdicts.ts";
import { ofCollection } from "./collections.ts";
import type { Feedback } from "./feedback.ts";
import type { CountedKind, FeedbackInput, FeedbackView } from "./shapes.ts";
import { commands } from "./commands.ts";
import { kindOf, subjects, type Subject } from "./subjects.ts";
import { ofTransaction } from "./transactions.ts";

type Given = Omit<Feedback, "status" | "createdAt" | "updatedAt">;

/**
 * Takes in what somebody says. The feedback is written down before its subject is put right, with the work that does
 * both to its end: whoever is interrupted in between loses nothing.
 * @throws Problem `not_found`, `invalid_state`, `validation_failed` naming each correction that cannot be
 */
export async function given(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { type } = body.subject;
  const known = await context.look(commands.look, context.newId, {}).catch(() => undefined);
  if (known) return context.execute(commands.give, context.newId, known);
  if (type === "Transaction") return ofTransaction(body, context);
  if (type === "DocumentCollection") return ofCollection(body, context);
  if (type === "Classification") return ofMail(body, context);
  const subject = subjects[type];
  const said = await saidOf(subject, body, context);
  const outcome = await context.execute(commands.give, context.newId, said);
  if (said.corrections.length > 0) await putRight(subject, said, context);
  return outcome;
}

/** What is said, with what it changes. */
async function saidOf(subject: Subject, body: FeedbackInput, context: Context): Promise<Given> {
  const { id, sequenceId = 0, type } = body.subject;
  const record = await context.look(subject.commands.look, id, {});
  const corrections = body.corrections ?? [];
  if (record.status === "Processing") throw new Problem("invalid_state", stillProcessing[0], stillProcessing[1]);
  const envelope = record.envelopes.find((each) => each.sequenceId === sequenceId);
  if (!envelope)
    throw invalid([
      wrongField(["subject", "sequenceId"], "not_found", `The file has no item with sequenceId ${sequenceId}.`),
    ]);
  const today = new Date().toISOString().slice(0, 10);
  const outcome =
    corrections.length > 0
      ? applyCorrections(subject.correctable, record, sequenceId, corrections, today)
      : { changes: [] };
  if ("errors" in outcome) throw invalid(outcome.errors);
  const { correctable, folder } = subject;
  const evidence = await evidenceOf(context, record, { folder, id, sequenceId }, correctable.viewOf);
  const verdicts = verdictsOf(evidence, outcome.changes, body.rating, correctable.viewOf(envelope));
  const kind = kindOf(subject, record) as CountedKind | undefined;
  return {
    subject: { type, id, sequenceId },
    ...(kind && { kind }),
    rating: body.rating,
    corrections: outcome.changes.map((change, at) => {
      const comment = corrections[at]?.comment;
      return { ...change, ...(comment !== undefined && { comment }) };
    }),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: judgedFields(verdicts),
  };
}

/** The evidence as it is now; none where nothing was read. */
async function evidenceOf(...asked: Parameters<typeof readEvidence>): Promise<Evidence[]> {
  const { fields } = await readEvidence<Evidences>(...asked).catch((problem: unknown): Pick<Evidences, "fields"> => {
    if (problem instanceof Problem && problem.reason === "not_found") return { fields: {} };
    throw problem;
  });
  return Object.entries(fields).map(([pointer, rest]) => ({ pointer, ...rest }) as Evidence);
}

/** Puts the record right. If it has changed meanwhile and takes nothing of it, nothing was said. */
async function putRight(subject: Subject, { subject: about, corrections }: Given, context: Context): Promise<void> {
  const { id, sequenceId } = about;
  const said = corrections.map(({ pointer, value }) => ({ path: pointer, value }));
  try {
    await context.look(subject.commands.correct, id, { feedbackId: context.newId, sequenceId, corrections: said });
  } catch (problem) {
    if (problem instanceof Problem) await context.look(commands.withdraw, context.newId, {});
    throw problem;
  }
}

/** Of a mail nothing is kept but its label, for 30 days: that can be put right. */
async function ofMail(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { env, caller } = context;
  const { id, type } = body.subject;
  const record = await classificationOf(env, caller.company, id);
  if (!record) throw new Problem("not_found", `There is no classification ${id}, or it is older than 30 days.`);
  const labels = (body.corrections ?? []).map(({ path, value }, at) => labelIn(path, value, at));
  const errors = labels.flatMap((each) => (typeof each === "string" ? [] : each));
  if (errors.length > 0) throw invalid(errors);
  const label = labels.at(-1) as MailLabel | undefined;
  const before = record.corrected ?? record.label;
  if (label) await correctClassification(env, caller.company, id, label);
  const isJudged = label !== undefined || body.rating === "Good";
  const isRight = label === undefined || label === record.label;
  return context.execute(commands.give, context.newId, {
    subject: { type, id, sequenceId: 0 },
    kind: "classification",
    rating: body.rating,
    corrections: (body.corrections ?? []).map(({ value, comment }) => ({
      pointer: "/label",
      before,
      value,
      ...(comment !== undefined && { comment }),
    })),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: isJudged ? [{ field: "/label", right: isRight ? 1 : 0, wrong: isRight ? 0 : 1 }] : [],
  });
}

function labelIn(path: string, value: unknown, at: number): MailLabel | ErrorItem[] {
  if (path !== "/label" && path !== "label")
    return [
      wrongField(["corrections", at, "path"], "unknown_path", "Only the label of a classification can be corrected."),
    ];
  const label = mailLabels.find((each) => each.toLowerCase() === String(value).toLowerCase());
  return (
    label ?? [wrongField(["corrections", at, "value"], "unknown_value", `label is one of ${mailLabels.join(", ")}.`)]
  );
}

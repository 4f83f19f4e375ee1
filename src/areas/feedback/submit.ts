import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { invalid, itemsOf, Problem, wrongField, type ErrorItem } from "../../platform/problem.ts";
import { Id } from "../../domain/shapes.ts";
import { mailLabels, type MailLabel } from "../../extraction/mail/labels.ts";
import type { Evidence } from "../../extraction/document/extraction-result.ts";
import { classificationOf, correctClassification } from "../classifications/model.ts";
import { commands as collectionCommands } from "../document-collections/commands.ts";
import { Bounds } from "../document-collections/model.ts";
import { stillProcessing } from "../intake/commands.ts";
import { applyCorrections } from "../intake/corrections.ts";
import { readEvidence, type Evidences } from "../intake/evidence.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { viewOf } from "../transactions/model.ts";
import { ChangeInput } from "../transactions/input.ts";
import { commands } from "./commands.ts";
import { countByField, verdictsOf } from "./field-verdicts.ts";
import type { CountedKind, FeedbackInput, FeedbackView, NewFeedback } from "./model.ts";
import { kindOf, subjects, type Subject } from "./subjects.ts";

/**
 * Stores feedback and corrects the record. The feedback is stored first, with a job that applies the corrections if the
 * request is interrupted.
 * @throws Problem `not_found`, `invalid_state`; `validation_failed` that names each wrong correction
 */
export async function submit(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { type } = body.subject;
  const existing = await context.send(commands.look, context.newId, {}).catch(() => undefined);
  if (existing) return context.execute(commands.give, context.newId, existing);
  if (type === "Transaction") return submitForTransaction(body, context);
  if (type === "DocumentCollection") return submitForCollection(body, context);
  if (type === "Classification") return submitForClassification(body, context);
  const subject = subjects[type];
  const feedback = await rateRecord(subject, body, context);
  const outcome = await context.execute(commands.give, context.newId, feedback);
  if (feedback.corrections.length > 0) await correctRecord(subject, feedback, context);
  return outcome;
}

async function rateRecord(subject: Subject, body: FeedbackInput, context: Context): Promise<NewFeedback> {
  const { id, sequenceId = 0, type } = body.subject;
  const record = await context.send(subject.commands.look, id, {});
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
    fields: countByField(verdicts),
  };
}

/** Empty if nothing was extracted. */
async function evidenceOf(...record: Parameters<typeof readEvidence>): Promise<Evidence[]> {
  const { fields } = await readEvidence<Evidences>(...record).catch((problem: unknown): Pick<Evidences, "fields"> => {
    if (problem instanceof Problem && problem.reason === "not_found") return { fields: {} };
    throw problem;
  });
  return Object.entries(fields).map(([pointer, rest]) => ({ pointer, ...rest }) as Evidence);
}

/** If the record refuses the corrections, because it has changed in the meantime, the feedback is withdrawn. */
async function correctRecord(
  subject: Subject,
  { subject: target, corrections }: NewFeedback,
  context: Context,
): Promise<void> {
  const { id, sequenceId } = target;
  const input = {
    feedbackId: context.newId,
    sequenceId,
    corrections: corrections.map(({ pointer, value }) => ({ path: pointer, value })),
  };
  try {
    await context.send(subject.commands.correct, id, input);
  } catch (problem) {
    if (problem instanceof Problem) await context.send(commands.withdraw, context.newId, {});
    throw problem;
  }
}

async function submitForClassification(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { env, caller } = context;
  const { id, type } = body.subject;
  const record = await classificationOf(env, caller.company, id);
  if (!record) throw new Problem("not_found", `The classification ${id} does not exist or is older than 30 days.`);
  requireOne(body.corrections ?? []);
  const labels = (body.corrections ?? []).map(({ path, value }, at) => parseLabel(path, value, at));
  const errors = labels.flatMap((each) => (typeof each === "string" ? [] : each));
  if (errors.length > 0) throw invalid(errors);
  const label = labels[0] as MailLabel | undefined;
  const before = record.corrected ?? record.label;
  if (label) await correctClassification(env, caller.company, id, label);
  const isRated = label !== undefined || body.rating === "Good";
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
    fields: isRated ? [{ field: "/label", right: isRight ? 1 : 0, wrong: isRight ? 0 : 1 }] : [],
  });
}

function parseLabel(path: string, value: unknown, at: number): MailLabel | ErrorItem[] {
  if (path !== "/label" && path !== "label")
    return [
      wrongField(["corrections", at, "path"], "unknown_path", "Only the label of a classification can be corrected."),
    ];
  const label = mailLabels.find((each) => each.toLowerCase() === String(value).toLowerCase());
  return (
    label ?? [
      wrongField(["corrections", at, "value"], "unknown_value", `label must be one of ${mailLabels.join(", ")}.`),
    ]
  );
}

/**
 * A correction states the page ranges of all documents of the collection, which is then split again.
 * @throws Problem `not_found`, `invalid_state`, `validation_failed` for pages that do not exist or belong to two
 *   documents
 */
async function submitForCollection(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { id, type } = body.subject;
  await context.send(collectionCommands.look, id, {});
  const corrections = body.corrections ?? [];
  requireOne(corrections);
  const bounds = corrections.map(({ path, value }, at) => parseBounds(path, value, at))[0];
  const before = bounds && (await context.send(collectionCommands.bound, id, { bounds })).before;
  const isRated = bounds !== undefined || body.rating === "Good";
  return context.execute(commands.give, context.newId, {
    subject: { type, id, sequenceId: 0 },
    rating: body.rating,
    corrections: corrections.map(({ comment }) => ({
      pointer: "/documents",
      before,
      value: bounds,
      ...(comment !== undefined && { comment }),
    })),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: isRated ? [{ field: "/documents", right: bounds ? 0 : 1, wrong: bounds ? 1 : 0 }] : [],
  });
}

function parseBounds(path: string, value: unknown, at: number): Bounds {
  if (path !== "/documents" && path !== "documents") {
    const message =
      "Only the documents of a collection can be corrected. Send all of them, each with fileId, pageFrom and pageTo.";
    throw invalid([wrongField(["corrections", at, "path"], "unknown_path", message)]);
  }
  const read = Bounds.safeParse(value);
  if (read.success) return read.data;
  throw invalid(itemsOf(read.error, ["corrections", at, "value"]));
}

/** Refuses several corrections of a record that has a single correctable field. */
function requireOne(corrections: readonly unknown[]): void {
  if (corrections.length > 1)
    throw invalid([wrongField(["corrections", 1], "invalid", "Only one correction is allowed for this subject.")]);
}

const correctableFields = ["licensePlate", "vehicleId", "driver"] as const;
type CorrectableField = (typeof correctableFields)[number];

/**
 * Stores feedback on the vehicle or driver of a transaction, and changes the transaction as its PUT operation does.
 * @throws Problem `not_found`, `invalid_state`; `validation_failed` that names each wrong correction
 */
async function submitForTransaction(body: FeedbackInput, context: Context): Promise<CommandOutcome<FeedbackView>> {
  const { env, caller, by, newId } = context;
  const { id, type } = body.subject;
  const ledger = ledgerOf(env, caller.company);
  const transaction = await ledger.read(id);
  if (!transaction) throw new Problem("not_found", `The transaction ${id} does not exist.`);
  const corrections = (body.corrections ?? []).map(({ path, value, comment }, at) => {
    const field = parseField(path, at);
    return { field, value: field === "vehicleId" ? (Id.safeParse(value).data ?? value) : value, comment };
  });
  const before = viewOf(transaction);
  const values = { licensePlate: before.licensePlate, vehicleId: before.vehicleId, driver: before.driver?.name };
  if (corrections.length > 0) {
    const change = ChangeInput.safeParse(Object.fromEntries(corrections.map(({ field, value }) => [field, value])));
    if (!change.success) throw invalid(itemsOf(change.error));
    const outcome = await ledger.change(id, change.data, undefined, by);
    if ("refused" in outcome) throw new Problem(outcome.refused, outcome.detail, outcome);
  }
  const isWrong = ({ field, value }: { field: CorrectableField; value: unknown }) => values[field] !== value;
  const isGood = body.rating === "Good" && corrections.length === 0 && values.vehicleId !== undefined;
  return context.execute(commands.give, newId, {
    subject: { type, id, sequenceId: 0 },
    kind: "transaction",
    rating: body.rating,
    corrections: corrections.map(({ field, value, comment }) => ({
      pointer: `/${field}`,
      before: values[field],
      value,
      ...(comment !== undefined && { comment }),
    })),
    ...(body.comment !== undefined && { comment: body.comment }),
    fields: isGood
      ? [{ field: "/vehicleId", right: 1, wrong: 0 }]
      : corrections.map((each) => ({
          field: `/${each.field}`,
          right: isWrong(each) ? 0 : 1,
          wrong: isWrong(each) ? 1 : 0,
        })),
  });
}

function parseField(path: string, at: number): CorrectableField {
  const name = path.replace(/^\//, "").replace(/^driver[./]name$/, "driver");
  const field = correctableFields.find((each) => each === name);
  if (field) return field;
  const message = `Only these fields of a transaction can be corrected: ${correctableFields.join(", ")}.`;
  throw invalid([wrongField(["corrections", at, "path"], "unknown_path", message)]);
}

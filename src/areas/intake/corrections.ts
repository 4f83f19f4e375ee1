import type * as z from "zod";
import type { ErrorItem } from "../../platform/problem.ts";
import { wrongField } from "../../platform/problem.ts";
import { Country } from "../../domain/addresses.ts";
import { Currency, MomentText } from "../../domain/shapes.ts";
import { isValid } from "../../extraction/fields/find-value/find-value.ts";
import { kindNamed, type KindName } from "../../extraction/kinds/kinds.ts";
import { inStep, leavesOf, pointerOf, shapeAt, stepsOf, valueAt, withValue } from "../../extraction/memory/pointers.ts";
import type { Check, Evidence } from "../../extraction/document/extraction-result.ts";
import type { AppliedCorrection, FieldChange, Intake } from "./model.ts";

/** A value that feedback sets at a path; `null` removes the field. */
export interface Correction {
  path: string;
  value?: unknown;
}

/** Converts the envelopes of an area to the engine's view of the document, and back. */
export interface Correctable<State extends Intake> {
  /** Returns the kind of the document; undefined if it is not detected yet. */
  kindOf: (state: State) => KindName | undefined;
  viewOf: (envelope: State["envelopes"][number]) => unknown;
  envelopeOf: (
    view: never,
    checks: Check[],
    before: State["envelopes"][number],
    kind: KindName,
  ) => State["envelopes"][number];
}

type CorrectionResult<Item> = { errors: ErrorItem[] } | { envelope: Item; changes: FieldChange[]; checks: Check[] };

/** Applies all corrections or none. */
export function applyCorrections<State extends Intake>(
  correctable: Correctable<State>,
  state: State,
  sequenceId: number,
  corrections: readonly Correction[],
  today: string,
): CorrectionResult<State["envelopes"][number]> {
  const before = state.envelopes.find((each) => each.sequenceId === sequenceId);
  const name = correctable.kindOf(state);
  if (!before) return failure(["subject", "sequenceId"], "not_found", "The file has no item with this sequenceId.");
  if (!name)
    return failure(
      ["subject", "id"],
      "not_known",
      "The kind of the document was not detected, so its fields cannot be corrected.",
    );
  const kind = kindNamed(name);
  const changes: FieldChange[] = [];
  const errors: ErrorItem[] = [];
  let data: unknown = correctable.viewOf(before) ?? {};
  for (const [at, { path, value }] of corrections.entries()) {
    const changed = changeValue(data, kind.view, path, value ?? undefined);
    if ("error" in changed) {
      const field = ["corrections", at, changed.at];
      errors.push(wrongField(field, changed.at === "path" ? "unknown_path" : "invalid", changed.error));
    } else {
      changes.push({
        pointer: changed.pointer,
        ...(changed.before !== undefined && { before: changed.before }),
        value: value === undefined ? null : changed.value,
      });
      data = changed.data;
    }
  }
  if (errors.length > 0) return { errors };
  const whole = kind.view.safeParse(data);
  if (!whole.success) {
    const issues = whole.error.issues
      .map(({ path, message }) => `${pointerOf(path as string[])}: ${message}`)
      .join(" ");
    return failure(["corrections", corrections.length - 1, "value"], "invalid", issues);
  }
  const checks = kind.check(whole.data, today);
  const view = kind.complete?.(whole.data, checks) ?? whole.data;
  return { envelope: correctable.envelopeOf(view as never, checks, before, name), changes, checks };
}

const failure = (field: (string | number)[], code: string, message: string) => ({
  errors: [wrongField(field, code, message)],
});

type ChangedValue =
  | { data: unknown; pointer: string; before: unknown; value: unknown }
  | { at: "path" | "value"; error: string };

const derivedFields = /^(?:sequence|checks|missing|normalized\w+|coordinates)$/;

function changeValue(data: unknown, view: z.ZodType, path: string, value: unknown): ChangedValue {
  const steps = stepsOf(path);
  const shape = shapeAt(view, steps);
  if (!shape || steps.some((step) => derivedFields.test(step)))
    return { at: "path", error: `${path} is not a correctable field of this kind of document.` };
  const name = steps.at(-1)!;
  const parsedValue = parseByName(name, value);
  if ("error" in parsedValue) return { at: "value", error: parsedValue.error };
  const placed = withValue(data, view, steps, withSequence(data, steps, parsedValue.value));
  if (!placed) return { at: "path", error: `${path} is beyond the end of the list. Add items one after another.` };
  const before = valueAt(data, placed.steps);
  if (parsedValue.value === undefined && before === undefined)
    return { at: "path", error: `${path} has no value to remove.` };
  const put = valueAt(placed.data, placed.steps);
  const parsed = shape.safeParse(put);
  if (parsedValue.value !== undefined && !parsed.success) {
    const issues = parsed.error.issues.map((issue) => issue.message).join(" ");
    return { at: "value", error: `${path}: ${issues}` };
  }
  return {
    data: placed.data,
    pointer: pointerOf(placed.steps),
    before,
    value: parsedValue.value === undefined ? null : put,
  };
}

/** A new stop may be sent without its sequence number. */
const withSequence = (data: unknown, steps: string[], value: unknown): unknown =>
  steps.length === 2 && steps[0] === "locations" && typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value, sequence: 1, ...sequenceAt(data, steps) }
    : value;

const sequenceAt = (data: unknown, steps: string[]): object => {
  const sequence = valueAt(data, [...steps, "sequence"]);
  return typeof sequence === "number" ? { sequence } : {};
};

/** Parses a text by the name of its field, for example as a country, a date or a number with check digits. */
function parseByName(name: string, value: unknown): { value: unknown } | { error: string } {
  if (typeof value !== "string") return { value };
  const shape = shapesByName.find(([names]) => names.test(name))?.[1];
  const parsed = shape?.safeParse(value);
  if (parsed && !parsed.success) return { error: `${name}: ${parsed.error.issues[0]?.message}.` };
  const result = parsed ? parsed.data : value;
  return isValid(name, result) ? { value: result } : { error: `The check digits of ${name} are wrong.` };
}

const shapesByName: [RegExp, z.ZodType][] = [
  [/^(?:countryCode|country|plateCountry|issuingCountry)$/, Country],
  [/^currency$/, Currency],
  [/(?:^date|Date|[a-z]At|^validFrom|^validTo|Until)$/, MomentText],
];

/** Applies corrections to the evidence. Corrected values get the confidence 1. */
export function withCorrections<
  Evidences extends { sequenceId: number; fields: Record<string, object>; checks: Check[] },
>(extraction: Evidences, corrected: readonly AppliedCorrection[] = [], data: unknown): Evidences {
  const applied = corrected.filter(({ sequenceId }) => sequenceId === extraction.sequenceId);
  const last = applied.at(-1);
  if (!last) return extraction;
  let evidence = Object.entries(extraction.fields).map(([pointer, rest]) => ({ pointer, ...rest }) as Evidence);
  for (const { feedbackId, changes } of applied)
    for (const change of changes) evidence = withChange(evidence, change, feedbackId);
  const fields = inStep(evidence, data).map(({ pointer, ...rest }) => [pointer, rest]);
  return { ...extraction, fields: Object.fromEntries(fields), checks: replaceChecks(extraction.checks, last.checks) };
}

const replaceChecks = (before: readonly Check[], repeated: readonly Check[]) => [
  ...repeated,
  ...before.filter(({ name }) => !repeated.some((check) => check.name === name)),
];

function withChange(evidence: Evidence[], { pointer, value }: FieldChange, feedbackId: string): Evidence[] {
  const others = evidence.filter((each) => each.pointer !== pointer && !each.pointer.startsWith(`${pointer}/`));
  if (value === null) return removeItem(others, pointer);
  const corrected = leavesOf(value, stepsOf(pointer)).map((leaf): Evidence => ({
    ...leaf,
    confidence: 1,
    source: "Human",
    feedbackId,
  }));
  return [...others, ...corrected];
}

/** After a list item was removed, the indexes of later items decrease by one. */
function removeItem(evidence: Evidence[], removed: string): Evidence[] {
  const [list, at] = [removed.replace(/\/[^/]*$/, ""), Number(removed.split("/").at(-1))];
  if (!Number.isInteger(at)) return evidence;
  return evidence.map((each) => {
    const match = each.pointer.startsWith(`${list}/`) && /^(\d+)(.*)$/.exec(each.pointer.slice(list.length + 1));
    return match && Number(match[1]) > at ? { ...each, pointer: `${list}/${Number(match[1]) - 1}${match[2]}` } : each;
  });
}

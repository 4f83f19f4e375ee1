import type * as z from "zod";
import type { ErrorItem } from "../../platform/problem.ts";
import { wrongField } from "../../platform/problem.ts";
import { Country, Currency, MomentText } from "../../domain/shapes.ts";
import { isValid } from "../../extraction/language-model/finders.ts";
import { kindNamed, type KindName } from "../../extraction/kinds/kinds.ts";
import { inStep, leavesOf, pointerOf, shapeAt, stepsOf, valueAt, withValue } from "../../extraction/memory/pointers.ts";
import type { Check, Evidence } from "../../extraction/document/reading.ts";
import type { Change, Corrected, Intake } from "./intake.ts";

/** What somebody says a value is; `null` where there is none. */
export interface Correction {
  path: string;
  value?: unknown;
}

/** How an area's envelopes become what the engine reads, and back. */
export interface Correctable<State extends Intake> {
  /** Undefined while nobody knows as what the file is read. */
  kindOf: (state: State) => KindName | undefined;
  viewOf: (envelope: State["envelopes"][number]) => unknown;
  envelopeOf: (
    view: never,
    checks: Check[],
    before: State["envelopes"][number],
    kind: KindName,
  ) => State["envelopes"][number];
}

/** An envelope as corrected, or every correction that cannot be. */
export type Outcome<Found> = { errors: ErrorItem[] } | { envelope: Found; changes: Change[]; checks: Check[] };

/** Applies all corrections or none. */
export function applied<State extends Intake>(
  desk: Correctable<State>,
  now: State,
  sequenceId: number,
  corrections: readonly Correction[],
  today: string,
): Outcome<State["envelopes"][number]> {
  const before = now.envelopes.find((each) => each.sequenceId === sequenceId);
  const name = desk.kindOf(now);
  if (!before) return wrong(["subject", "sequenceId"], "not_found", "The file has no such thing.");
  if (!name) return wrong(["subject", "id"], "not_known", "Nobody knows of what kind the document is.");
  const kind = kindNamed(name);
  const changes: Change[] = [];
  const errors: ErrorItem[] = [];
  let data: unknown = desk.viewOf(before) ?? {};
  for (const [at, { path, value }] of corrections.entries()) {
    const changed = changedBy(data, kind.view, path, value ?? undefined);
    if ("error" in changed) {
      const place = ["corrections", at, changed.at];
      errors.push(wrongField(place, changed.at === "path" ? "unknown_path" : "invalid", changed.error));
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
    const said = whole.error.issues.map(({ path, message }) => `${pointerOf(path as string[])}: ${message}`).join(" ");
    return wrong(["corrections", corrections.length - 1, "value"], "invalid", said);
  }
  const checks = kind.check(whole.data, today);
  const view = kind.complete?.(whole.data, checks) ?? whole.data;
  return { envelope: desk.envelopeOf(view as never, checks, before, name), changes, checks };
}

const wrong = (place: (string | number)[], code: string, message: string) => ({
  errors: [wrongField(place, code, message)],
});

type Changed =
  | { data: unknown; pointer: string; before: unknown; value: unknown }
  | { at: "path" | "value"; error: string };

/** What the service makes itself cannot be put right. */
const ours = /^(?:sequence|checks|missing|normalized\w+|coordinates)$/;

function changedBy(data: unknown, view: z.ZodType, path: string, value: unknown): Changed {
  const steps = stepsOf(path);
  const shape = shapeAt(view, steps);
  if (!shape || steps.some((step) => ours.test(step)))
    return { at: "path", error: `${path} is no field of this kind of document.` };
  const name = steps.at(-1)!;
  const meant = meaningOf(name, value);
  if ("error" in meant) return { at: "value", error: meant.error };
  const placed = withValue(data, view, steps, withSequence(data, steps, meant.value));
  if (!placed) return { at: "path", error: `${path} is behind the end of its list.` };
  const before = valueAt(data, placed.steps);
  if (meant.value === undefined && before === undefined)
    return { at: "path", error: `Nothing stands at ${path} that could be taken out.` };
  const put = valueAt(placed.data, placed.steps);
  const parsed = shape.safeParse(put);
  if (meant.value !== undefined && !parsed.success) {
    const said = parsed.error.issues.map((issue) => issue.message).join(" ");
    return { at: "value", error: `${path}: ${said}` };
  }
  return { data: placed.data, pointer: pointerOf(placed.steps), before, value: meant.value === undefined ? null : put };
}

/** A new stop need not say its place in the route. */
const withSequence = (data: unknown, steps: string[], value: unknown): unknown =>
  steps.length === 2 && steps[0] === "locations" && typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value, sequence: 1, ...sequenceAt(data, steps) }
    : value;

const sequenceAt = (data: unknown, steps: string[]): object => {
  const sequence = valueAt(data, [...steps, "sequence"]);
  return typeof sequence === "number" ? { sequence } : {};
};

/** A value of a field whose name says more than that it is a text: a country, a currency, a day, a number with check digits. */
function meaningOf(name: string, value: unknown): { value: unknown } | { error: string } {
  if (typeof value !== "string") return { value };
  const shape = meaningsByName.find(([names]) => names.test(name))?.[1];
  const parsed = shape?.safeParse(value);
  if (parsed && !parsed.success) return { error: `${name}: ${parsed.error.issues[0]?.message}.` };
  const meant = parsed ? parsed.data : value;
  return isValid(name, meant) ? { value: meant } : { error: `The check digits of ${name} are wrong.` };
}

const meaningsByName: [RegExp, z.ZodType][] = [
  [/^(?:countryCode|country|plateCountry|issuingCountry)$/, Country],
  [/^currency$/, Currency],
  [/(?:^date|Date|[a-z]At|^validFrom|^validTo|Until)$/, MomentText],
];

/** The evidence as people have put it right since: what they said is sure. */
export function withCorrections<
  Evidences extends { sequenceId: number; fields: Record<string, object>; checks: Check[] },
>(extraction: Evidences, corrected: readonly Corrected[] = [], data: unknown): Evidences {
  const ofThis = corrected.filter(({ sequenceId }) => sequenceId === extraction.sequenceId);
  const last = ofThis.at(-1);
  if (!last) return extraction;
  let evidence = Object.entries(extraction.fields).map(([pointer, rest]) => ({ pointer, ...rest }) as Evidence);
  for (const { feedbackId, changes } of ofThis)
    for (const change of changes) evidence = withChange(evidence, change, feedbackId);
  const fields = inStep(evidence, data).map(({ pointer, ...rest }) => [pointer, rest]);
  return { ...extraction, fields: Object.fromEntries(fields), checks: checksSince(extraction.checks, last.checks) };
}

const checksSince = (before: readonly Check[], made: readonly Check[]) => [
  ...made,
  ...before.filter(({ name }) => !made.some((check) => check.name === name)),
];

function withChange(evidence: Evidence[], { pointer, value }: Change, feedbackId: string): Evidence[] {
  const others = evidence.filter((each) => each.pointer !== pointer && !each.pointer.startsWith(`${pointer}/`));
  if (value === null) return closedUp(others, pointer);
  const said = leavesOf(value, stepsOf(pointer)).map((leaf): Evidence => ({
    ...leaf,
    confidence: 1,
    source: "Human",
    feedbackId,
  }));
  return [...others, ...said];
}

/** What stood behind an item that was taken out has moved up. */
function closedUp(evidence: Evidence[], gone: string): Evidence[] {
  const [list, at] = [gone.replace(/\/[^/]*$/, ""), Number(gone.split("/").at(-1))];
  if (!Number.isInteger(at)) return evidence;
  return evidence.map((each) => {
    const match = each.pointer.startsWith(`${list}/`) && /^(\d+)(.*)$/.exec(each.pointer.slice(list.length + 1));
    return match && Number(match[1]) > at ? { ...each, pointer: `${list}/${Number(match[1]) - 1}${match[2]}` } : each;
  });
}

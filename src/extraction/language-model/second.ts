import type {
  Check,
  Evidence,
  ExtractedItem,
  ExtractionContext,
  ExtractionResult,
} from "../document/extraction-result.ts";
import type { Kind } from "../kinds/kind.ts";
import { lowerDoubted } from "../fields/confidence/calibration.ts";
import { pairs } from "./align.ts";
import { ModelProblem, type LanguageModel, type Opinion, type SeenDocument, type Verified } from "./engine.ts";
import { merge, type Merged } from "./merge.ts";
import { readByModel } from "./model.ts";
import { answered, isUnsure } from "./unsure.ts";

const withModel = "+model";
/** Minimum number of critical fields that an item must have if only the model found it. */
const leastAnswered = 3;
const mostWarnings = 20;

/**
 * Merges the embedded engine's result with that of a language model, if the embedded result is unsure or the model is
 * always called. If the model fails, returns the embedded result with a warning.
 */
export async function withSecondOpinion<View, Result extends ExtractionResult<View>>(
  result: Result & ExtractionResult<View>,
  kind: Kind<View>,
  document: SeenDocument,
  context: ExtractionContext,
  model: LanguageModel,
): Promise<Result> {
  if (document.layout.segments.length === 0) return result;
  if (model.when === "WhenUnsure" && !isUnsure(result, kind)) return result;
  try {
    const opinion = await readByModel(document, kind, context.company, model);
    return joined(result, opinion, kind, document, context.today);
  } catch (problem) {
    if (!(problem instanceof ModelProblem)) throw problem;
    return { ...result, warnings: [...result.warnings, `${problem.reason}: ${problem.message}`] };
  }
}

function joined<View, Result extends ExtractionResult<View>>(
  result: Result,
  opinion: Opinion<View>,
  kind: Kind<View>,
  { locale }: SeenDocument,
  today: string,
): Result {
  const engine = result.engine + withModel;
  const warnings = [...result.warnings, ...opinion.warnings];
  if (result.items.length === 0) {
    const items = opinion.items.flatMap((item) => readingOf(item, kind, today) ?? []);
    if (items.length === 0) return { ...result, engine, warnings };
    const read = { status: "Read", reason: undefined, message: undefined, language: locale.languages[0] } as const;
    return { ...result, ...read, items, engine, warnings };
  }
  const partners = partnersOf(result.items, opinion.items);
  if (opinion.items.length !== result.items.length)
    warnings.push(`items_differ: The model found ${opinion.items.length} where ${result.items.length} were read.`);
  const items = result.items.map((embedded, at) => {
    const partner = opinion.items[partners.get(at) ?? -1];
    if (!partner) return embedded;
    const merged = mergeItems(embedded, partner, kind, today);
    warnings.push(...merged.warnings);
    return merged.reading;
  });
  return { ...result, items, engine, warnings: warnings.slice(0, result.warnings.length + mostWarnings) };
}

/** Two single items are always a pair; otherwise, items are paired by content. */
function partnersOf<View>(ours: ExtractedItem<View>[], its: Verified<View>[]): Map<number, number> {
  if (ours.length === 1 && its.length === 1) return new Map([[0, 0]]);
  return pairs(
    ours.map(({ data }) => data),
    its.map(({ data }) => data),
  );
}

/** Undefined if the item has too few values. */
function readingOf<View>(item: Verified<View>, kind: Kind<View>, today: string): ExtractedItem<View> | undefined {
  const { critical, check, complete = (view: View) => view } = kind;
  const counted = withSequences(item, kind.stops);
  const { success, data } = kind.view.safeParse(counted.data);
  if (!success || answered(data, critical) < Math.min(leastAnswered, critical.length)) return undefined;
  const made = check(data, today);
  const alternatives = item.dropped.map(({ pointer, value, reason }) => ({ pointer, value, confidence: 0, reason }));
  return { data: complete(data, made), evidence: lowerDoubted(counted.evidence, made), checks: made, alternatives };
}

function mergeItems<View>(
  embedded: ExtractedItem<View>,
  partner: Verified<View>,
  kind: Kind<View>,
  today: string,
): { reading: ExtractedItem<View>; warnings: string[] } {
  const merged = merge(embedded, partner);
  const { data: counted, evidence } = withSequences(merged, kind.stops);
  const { success, data } = kind.view.safeParse(counted);
  if (!success)
    return { reading: embedded, warnings: ["model_malformed: What the model read does not fit the document."] };
  const checks = [...checksOf(embedded, data, merged, kind, today), differCheck(merged)];
  const before = new Set(failing(embedded.checks).map((pointer) => merged.moved.get(pointer) ?? pointer));
  const fresh = checks.map((check) => ({ ...check, pointers: check.pointers.filter((each) => !before.has(each)) }));
  return {
    reading: {
      data: kind.complete?.(data, checks) ?? data,
      evidence: lowerDoubted(evidence, fresh),
      checks,
      alternatives: merged.alternatives,
    },
    warnings: warningsOf(merged, kind),
  };
}

/**
 * Runs the checks on the merged data. Checks that cannot be run again keep their result; their pointers are updated.
 */
function checksOf<View>(
  embedded: ExtractedItem<View>,
  data: View,
  { moved }: Merged<View>,
  { check }: Kind<View>,
  today: string,
): Check[] {
  const made = check(data, today);
  const others = embedded.checks.filter(({ name }) => !made.some((check) => check.name === name));
  return [
    ...made,
    ...others.map((check) => ({ ...check, pointers: check.pointers.map((each) => moved.get(each) ?? each) })),
  ];
}

const failing = (checks: readonly Check[]): string[] =>
  checks.filter(({ passed }) => !passed).flatMap(({ pointers }) => pointers);

const differCheck = ({ differing }: Merged<unknown>): Check => ({
  name: "EnginesDiffer",
  passed: differing.length === 0,
  detail: "The embedded engine and the language model must extract the same values.",
  pointers: differing,
});

function warningsOf<View>({ alternatives, uneven }: Merged<View>, { stops }: Kind<View>): string[] {
  const dropped = alternatives.filter(({ reason }) => reason !== "differs");
  return [
    ...(stops && uneven.includes(stops) ? ["stops_differ: The model does not see the same number of stops."] : []),
    ...dropped.map(({ pointer, reason }) => `${reason}: What the model read as ${pointer} ${faults[reason]}.`),
  ];
}

const faults = {
  differs: "is not what the embedded engine read",
  not_grounded: "does not stand in the document",
  not_valid: "is no valid value",
};

/** Stops are renumbered, because their positions may have changed. */
function withSequences<View>(
  { data, evidence }: { data: View; evidence: readonly Evidence[] },
  stops: string | undefined,
): { data: View; evidence: Evidence[] } {
  const name = stops?.slice(1) ?? "";
  const list = (data as Record<string, unknown>)[name];
  if (!Array.isArray(list)) return { data, evidence: [...evidence] };
  const known = new Map(evidence.map((each) => [each.pointer, each]));
  const numbers = list.map((_, at): Evidence => {
    const pointer = `${stops}/${at}/sequence`;
    return {
      pointer,
      confidence: surest(evidence, `${stops}/${at}/`),
      source: "Computed",
      ...known.get(pointer),
      value: at + 1,
    };
  });
  const counted = list.map((stop: object, at) => ({ ...stop, sequence: at + 1 }));
  const others = evidence.filter(({ pointer }) => !numbers.some((each) => each.pointer === pointer));
  return { data: { ...data, [name]: counted }, evidence: [...others, ...numbers] };
}

const surest = (evidence: readonly Evidence[], under: string) =>
  Math.max(0, ...evidence.filter(({ pointer }) => pointer.startsWith(under)).map(({ confidence }) => confidence));

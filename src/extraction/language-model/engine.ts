import type { Gazetteer } from "../lexicon/gazetteer.ts";
import type { ExtractedItem } from "../document/extraction-result.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Layout } from "../layout/layout.ts";

/*
 * An optional second engine: a language model extracts the same fields as the embedded engine. Its values count only if
 * the document contains them.
 *
 * 1. `unsure.ts` decides whether the embedded result is below its threshold. The model is called only then, unless it
 *    is configured to be called always.
 * 2. `shape.ts` and `prompt.ts` build the prompt: the document as numbered lines
 *    (`fields/find-value/numbered-lines.ts`) and a schema in which every value cites its lines. `model.ts` sends it,
 *    validates the answer and requests one correction.
 * 3. `verify.ts` searches the document for each value, beginning with the cited lines (`fields/find-value`). Values
 *    that are not found are dropped.
 * 4. `merge.ts` merges the two results field by field; `align.ts` pairs the items of lists. Values that are not used
 *    become alternatives, and the check `EnginesDiffer` reports differences.
 *
 * `second.ts` runs all steps. If the model fails, the embedded result is returned with a warning.
 */

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * Calls a language model. The answer should be JSON that fits the schema.
 * @throws ModelProblem if the model cannot be used, or does not answer in time
 */
export type Ask = (messages: Message[], schema: object, signal: AbortSignal) => Promise<string>;

export interface LanguageModel {
  ask: Ask;
  /** `WhenUnsure`: the model is called only if the result of the embedded engine is below its threshold. */
  when: "WhenUnsure" | "Always";
  /** Time limit for all calls for one file. */
  limitMilliseconds: number;
}

export type ModelReason = "model_timeout" | "model_unavailable" | "model_malformed";

/** The model could not be used. The message is shown to users and contains no text of the model. */
export class ModelProblem extends Error {
  readonly reason: ModelReason;
  constructor(reason: ModelReason, message: string) {
    super(message);
    this.name = "ModelProblem";
    this.reason = reason;
  }
}

/** A document that the embedded engine has prepared. */
export interface SeenDocument {
  layout: Layout;
  locale: DocumentLocale;
  gazetteer: Gazetteer;
}

/** A value from the model that is invalid or that the document does not contain. */
export interface Dropped {
  /** JSON pointer into the data of the extraction. */
  pointer: string;
  value: unknown;
  reason: "not_grounded" | "not_valid";
}

/** One item from the model, reduced to the values that the document contains. */
export interface Verified<View> extends ExtractedItem<View> {
  dropped: Dropped[];
}

/** The result of a model for a document. */
export interface Opinion<View> {
  items: Verified<View>[];
  warnings: string[];
}

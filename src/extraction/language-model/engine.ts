import type { Gazetteer } from "../lexicon/gazetteer.ts";
import type { Reading } from "../document/reading.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import type { Layout } from "../layout/layout.ts";

/*
 * A second engine beside the embedded one: a language model, asked for the same and answering in the same shape, a
 * `Reading` for each thing that is found. It is never believed by its word.
 *
 * 1. `unsure.ts` says whether the embedded reading is below its bar; only then the model is asked, or always.
 * 2. `lines.ts`, `shape.ts` and `prompt.ts` make the question: the document as numbered lines, the view as a shape whose
 *    every value names the lines it stands in. `model.ts` asks, checks the shape, and has it mended once.
 * 3. `verify.ts` looks for each value in the document, first where the model says it stands (`fields/find-value`).
 *    What does not stand there is dropped.
 * 4. `merge.ts` puts the two readings together, field by field (`align.ts` for lists). Neither engine is silenced: what was
 *    not taken is kept as an alternative, and where they differ the check `EnginesDiffer` says so.
 *
 * `second.ts` is the whole of it in one call. Whatever a model does, the embedded reading stands.
 */

/** A chat message for a model, in order. */
export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * Calls a language model; the answer should be JSON that fits the schema.
 * @throws ModelProblem if no answer arrives in time
 */
export type Ask = (messages: Message[], schema: object, signal: AbortSignal) => Promise<string>;

/** A configured language model. */
export interface LanguageModel {
  ask: Ask;
  /** `WhenUnsure`: only if the embedded engine is below its threshold. */
  when: "WhenUnsure" | "Always";
  /** Time limit for all calls about one file. */
  limitMilliseconds: number;
}

export type ModelReason = "model_timeout" | "model_unavailable" | "model_malformed";

/** The model cannot be used this time. The message is for people and contains no text of the model. */
export class ModelProblem extends Error {
  readonly reason: ModelReason;
  constructor(reason: ModelReason, message: string) {
    super(message);
    this.name = "ModelProblem";
    this.reason = reason;
  }
}

/** A document as prepared by the embedded engine. */
export interface SeenDocument {
  layout: Layout;
  locale: DocumentLocale;
  gazetteer: Gazetteer;
}

/** A value from the model that is invalid or not in the document. */
export interface Dropped {
  /** JSON pointer into the data of the extraction. */
  pointer: string;
  value: unknown;
  reason: "not_grounded" | "not_valid";
}

/** One item from the model, reduced to what the document supports. */
export interface Verified<View> extends Reading<View> {
  dropped: Dropped[];
}

/** The result of a model for a document. */
export interface Opinion<View> {
  items: Verified<View>[];
  warnings: string[];
}

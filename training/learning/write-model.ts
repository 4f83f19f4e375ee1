import { writeFileSync } from "node:fs";
import { formatVersion, type ClassWeights, type LinearModel } from "../../src/extraction/linear-model.ts";

/** Writes a trained model in the format of `src/extraction/linear-model.ts`; used by all trainers. */
export function writeModel<Model extends LinearModel>(file: string, model: Omit<Model, "version">): void {
  writeFileSync(file, `${JSON.stringify({ version: formatVersion, ...model }, undefined, 1)}\n`);
}

/** Joins single-class models into one. */
export function joinedClasses(
  models: ReadonlyMap<string, ClassWeights>,
  features: readonly string[],
): Pick<LinearModel, "classes" | "bias" | "weights"> {
  const all = [...models.values()];
  return {
    classes: [...models.keys()],
    bias: all.map(({ bias }) => bias),
    weights: Object.fromEntries(features.map((name) => [name, all.map(({ weights }) => weights[name] ?? 0)])),
  };
}

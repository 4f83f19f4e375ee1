import { describe, expect, test } from "vitest";
import calibration from "../../src/extraction/fields/confidence/calibration.json" with { type: "json" };
import starts from "../../src/extraction/collections/start-weights.json" with { type: "json" };
import labels from "../../src/extraction/fields/labels/weights.json" with { type: "json" };
import stops from "../../src/extraction/fields/route/stop-weights.json" with { type: "json" };
import kinds from "../../src/extraction/kinds/kind-model.json" with { type: "json" };
import mails from "../../src/extraction/mail/label-model.json" with { type: "json" };
import { otherClasses } from "../../src/extraction/kinds/classify.ts";
import { kindNames } from "../../src/extraction/kinds/kinds.ts";
import {
  classScores,
  classWeights,
  formatVersion,
  hashOf,
  packWeights,
  rankedClasses,
  type LinearModel,
} from "../../src/extraction/linear-model.ts";
import { mailLabels } from "../../src/extraction/mail/labels.ts";

const model: LinearModel = {
  version: formatVersion,
  training: "by hand",
  classes: ["tea", "coffee"],
  bias: [1, 0],
  weights: { hot: [2, 4], sweet: [-50, 100] },
  unit: 10,
};

describe("a linear model", () => {
  test("computes the score of every class from bias, weights and unit", () => {
    expect(
      classScores(model, [
        ["hot", 1],
        ["sweet", 0.5],
        ["unknown", 9],
      ]),
    ).toEqual([1 + 0.2 - 2.5, 0.4 + 5]);
  });

  test("ranks classes by probability; a higher temperature makes it less certain", () => {
    const [first, second] = rankedClasses(model, [["sweet", 0.5]]);
    expect(first!.class).toBe("coffee");
    expect(first!.probability + second!.probability).toBeCloseTo(1);
    const [warmer] = rankedClasses({ ...model, temperature: 3 }, [["sweet", 0.5]]);
    expect(warmer!.probability).toBeLessThan(first!.probability);
  });

  test("stores the weights of hashed features as integer steps", () => {
    const rows = new Map([
      [
        hashOf("hot"),
        [
          { class: 1, steps: -32 },
          { class: 0, steps: 31 },
        ],
      ],
    ]);
    const hashed = { ...model, weights: {}, hashed: { step: 0.5, entries: packWeights(rows) } };
    expect(classScores(hashed, [["hot", 2]])).toEqual([1 + 31, -32]);
  });

  test("returns the weights of one class", () => {
    expect(classWeights(model, "tea")).toEqual({ bias: 1, weights: { hot: 0.2, sweet: -5 } });
    expect(classWeights(model, "milk")).toBeUndefined();
  });
});

test.each(Object.entries({ calibration, starts, labels, stops, kinds, mails } as Record<string, LinearModel>))(
  "the model %s has this format",
  (_, { version, training, classes, bias, weights }) => {
    expect(version).toBe(formatVersion);
    expect(training).toMatch(/^node training\//);
    expect(new Set(classes).size).toBe(classes.length);
    expect(bias).toHaveLength(classes.length);
    for (const row of Object.values(weights)) expect(row).toHaveLength(classes.length);
  },
);

test("models have the classes that the code expects", () => {
  expect(kinds.classes).toEqual([...kindNames, ...otherClasses]);
  expect(mails.classes).toEqual(mailLabels);
  expect(Object.keys(calibration.curves)).toEqual(calibration.classes);
});

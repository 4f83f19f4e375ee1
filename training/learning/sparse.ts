import type { LinearModel } from "../../src/extraction/linear-model.ts";

/** Features of one case, and the classes that are right for it. `group`: its author or set. */
export interface SparseExample {
  features: ReadonlyMap<string, number>;
  classes: readonly string[];
  group: string;
}

interface Settings {
  rounds: number;
  penalty: number;
  /** Features of fewer cases are left out, and features of one group only, if there are several. */
  fewest: number;
}

const stepLength = 0.25;

/** Trains a logistic model for each class by stochastic gradient descent with adaptive steps (AdaGrad) on sparse features. */
export function learntClasses(
  classes: readonly string[],
  examples: readonly SparseExample[],
  { rounds, penalty, fewest }: Settings,
): Omit<LinearModel, "version" | "training"> {
  const names = commonFeatures(examples, fewest);
  const at = new Map(names.map((name, index) => [name, index]));
  const rows = examples.map(({ features, classes: right }) => ({
    features: [...features].flatMap(([name, value]) => {
      const index = at.get(name);
      return index === undefined ? [] : [[index, value] as const];
    }),
    right,
  }));
  const models = classes.map((name) => descend(rows.map((row) => ({ ...row, y: row.right.includes(name) ? 1 : 0 }))));
  const used = names.flatMap((name, index) => {
    const row = models.map((model) => Math.round(model.weights[index]! * 100));
    return row.some((weight) => Math.abs(weight) >= 3) ? [[name, row] as const] : [];
  });
  return { classes, bias: models.map(({ bias }) => bias), weights: Object.fromEntries(used), unit: 100 };

  function descend(all: readonly { features: readonly (readonly [number, number])[]; y: number }[]) {
    const [weights, squares] = [new Float64Array(names.length), new Float64Array(names.length).fill(1e-3)];
    let [bias, biasSquare] = [-2, 1e-3];
    let seed = 1;
    const order = all.map((_, index) => index);
    for (let round = 0; round < rounds; round++) {
      for (let index = order.length - 1; index > 0; index--) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        const other = (seed >>> 8) % (index + 1);
        [order[index], order[other]] = [order[other]!, order[index]!];
      }
      for (const index of order) {
        const { features, y } = all[index]!;
        let score = bias;
        for (const [feature, value] of features) score += weights[feature]! * value;
        const slope = 1 / (1 + Math.exp(-score)) - y;
        biasSquare += slope * slope;
        bias -= (stepLength * slope) / Math.sqrt(biasSquare);
        for (const [feature, value] of features) {
          const pull = slope * value + penalty * weights[feature]!;
          squares[feature]! += pull * pull;
          weights[feature]! -= (stepLength * pull) / Math.sqrt(squares[feature]!);
        }
      }
    }
    return { weights, bias };
  }
}

function commonFeatures(examples: readonly SparseExample[], fewest: number): string[] {
  const seen = new Map<string, { count: number; groups: Set<string> }>();
  for (const { features, group } of examples)
    for (const name of features.keys()) {
      const known = seen.get(name) ?? { count: 0, groups: new Set<string>() };
      seen.set(name, known);
      known.count++;
      known.groups.add(group);
    }
  const groups = new Set(examples.map(({ group }) => group)).size;
  return [...seen].flatMap(([name, { count, groups: of }]) =>
    count >= fewest && (of.size > 1 || groups === 1) ? [name] : [],
  );
}

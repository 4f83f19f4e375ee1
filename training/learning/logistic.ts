/** A training example: features of one case and whether it is correct. */
export interface Example {
  signs: readonly number[];
  right: boolean;
  /** Weight of the example; 1 by default. */
  weight?: number;
}

/** A logistic model with weights for raw features and a bias. */
export interface Logistic {
  weights: number[];
  bias: number;
}

const rounds = 25;
const enough = 1e-7;

/**
 * Trains a logistic regression by Newton's method. An L2 penalty keeps the weights close to those in `before` (zero by
 * default), so that the weight of a rare feature hardly changes. Features are standardised internally; the returned
 * weights apply to raw ones.
 */
export function learnt(examples: readonly Example[], penalty: number, before?: Logistic): Logistic {
  const scales = scalesOf(examples);
  const size = scales.length + 1;
  const held = scales.map(({ deviation }, at) => (before?.weights[at] ?? 0) * deviation);
  const rows = examples.map(({ signs, right, weight = 1 }) => ({
    x: [...scales.map(({ mean, deviation }, at) => (signs[at]! - mean) / deviation), 1],
    y: right ? 1 : 0,
    weight,
  }));
  const middle = before
    ? before.bias +
      dot(
        before.weights,
        scales.map(({ mean }) => mean),
      )
    : 0;
  const model = [...held, middle];
  const cost = (each: readonly number[]) =>
    rows.reduce((sum, { x, y, weight }) => sum + weight * softplus((1 - 2 * y) * dot(each, x)), 0) +
    (penalty / 2) * held.reduce((sum, was, at) => sum + (each[at]! - was) ** 2, 0);
  for (let round = 0; round < rounds; round++) {
    const slope = model.map((each, at) => (at < size - 1 ? penalty * (held[at]! - each) : 0));
    const curve = model.map((_, at) => model.map((__, other) => (at === other ? (at < size - 1 ? penalty : 1e-6) : 0)));
    for (const { x, y, weight } of rows) {
      const p = chanceOf(dot(model, x));
      const bend = Math.max(1e-9, p * (1 - p)) * weight;
      for (let at = 0; at < size; at++) {
        slope[at]! += (y - p) * weight * x[at]!;
        const pull = bend * x[at]!;
        if (pull !== 0) for (let other = 0; other <= at; other++) curve[at]![other]! += pull * x[other]!;
      }
    }
    for (let at = 0; at < size; at++) for (let other = 0; other < at; other++) curve[other]![at] = curve[at]![other]!;
    const step = shortened(solved(curve, slope), model, cost);
    for (const [at, each] of step.entries()) model[at]! += each;
    if (Math.max(...step.map(Math.abs)) < enough) break;
  }
  const weights = scales.map(({ deviation }, at) => model[at]! / deviation);
  return {
    weights,
    bias:
      model[size - 1]! -
      dot(
        weights,
        scales.map(({ mean }) => mean),
      ),
  };
}

/** Halves a step until the cost decreases. */
function shortened(step: number[], from: readonly number[], cost: (model: readonly number[]) => number): number[] {
  const before = cost(from);
  let way = step;
  for (let halved = 0; halved < 20 && cost(from.map((each, at) => each + way[at]!)) > before; halved++)
    way = way.map((each) => each / 2);
  return way;
}

const softplus = (odds: number) => (odds > 30 ? odds : Math.log1p(Math.exp(odds)));

/** Computes the model's probability for these features. */
export const probabilityOf = ({ weights, bias }: Logistic, signs: readonly number[]): number =>
  chanceOf(dot(weights, signs) + bias);

const chanceOf = (odds: number) => 1 / (1 + Math.exp(-odds));
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, at) => sum + each * b[at]!, 0);

function scalesOf(examples: readonly Example[]): { mean: number; deviation: number }[] {
  const total = examples.reduce((sum, { weight = 1 }) => sum + weight, 0);
  return (examples[0]?.signs ?? []).map((_, at) => {
    const mean = examples.reduce((sum, { signs, weight = 1 }) => sum + weight * signs[at]!, 0) / total;
    const spread = examples.reduce((sum, { signs, weight = 1 }) => sum + weight * (signs[at]! - mean) ** 2, 0) / total;
    return { mean, deviation: Math.sqrt(spread) || 1 };
  });
}

/** Solves a system of linear equations by Gaussian elimination with partial pivoting. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++) if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row;
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let row = at + 1; row < size; row++) {
      const part = rows[row]![at]! / rows[at]![at]!;
      if (part !== 0) for (let column = at; column <= size; column++) rows[row]![column]! -= part * rows[at]![column]!;
    }
  }
  const answer = Array.from({ length: size }, () => 0);
  for (let at = size - 1; at >= 0; at--) {
    const known = dot(rows[at]!.slice(at + 1, size), answer.slice(at + 1));
    answer[at] = (rows[at]![size]! - known) / rows[at]![at]!;
  }
  return answer;
}

/**
 * A monotonic curve of points [predicted probability, share of correct values]. Between points, it is interpolated
 * linearly.
 */
export type Curve = [number, number][];

interface Step {
  predicted: number;
  right: number;
  count: number;
}

/** Minimum number of values in a step. */
const fewest = 40;

/**
 * Fits a monotonic curve by the algorithm "pool adjacent violators". To smooth the curve, each step gets one additional
 * value with the overall share of correct values, so that no confidence reaches 1.
 */
export function risingCurve(values: readonly { predicted: number; right: boolean }[]): Curve {
  if (values.length === 0) return [];
  const overall = values.filter(({ right }) => right).length / values.length;
  const pooled: Step[] = [];
  for (const step of stepsOf(values)) {
    pooled.push(step);
    for (let last = pooled.length - 1; last > 0 && rate(pooled[last - 1]!) >= rate(pooled[last]!); last--)
      pooled.splice(last - 1, 2, joined(pooled[last - 1]!, pooled[last]!));
  }
  return pooled.map(({ predicted, right, count }) => [
    rounded(predicted / count),
    rounded((right + overall) / (count + 1)),
  ]);
}

function stepsOf(values: readonly { predicted: number; right: boolean }[]): Step[] {
  const steps: Step[] = [];
  for (const { predicted, right } of values.toSorted((a, b) => a.predicted - b.predicted)) {
    const last = steps.at(-1);
    if (!last || last.count >= fewest) steps.push({ predicted, right: right ? 1 : 0, count: 1 });
    else
      steps[steps.length - 1] = {
        predicted: last.predicted + predicted,
        right: last.right + (right ? 1 : 0),
        count: last.count + 1,
      };
  }
  const rest = steps.at(-1);
  return rest && rest.count < fewest && steps.length > 1 ? [...steps.slice(0, -2), joined(steps.at(-2)!, rest)] : steps;
}

const joined = (a: Step, b: Step): Step => ({
  predicted: a.predicted + b.predicted,
  right: a.right + b.right,
  count: a.count + b.count,
});
const rate = ({ right, count }: Step) => right / count;
const rounded = (part: number) => Math.round(part * 10_000) / 10_000;

/** Returns the median, or 0 for an empty list. */
export const median = (values: number[]) => percentile(values, 0.5);

/** Returns the quantile `part`, from 0 to 1, or 0 for an empty list. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}

/** The value in the middle, 0 of nothing. */
export const median = (values: number[]) => percentile(values, 0.5);

/** The value that so great a part of them (0..1) is below, 0 of nothing. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}

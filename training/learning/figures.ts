/** A value with its reported confidence and whether it is correct. */
export interface ReportedValue {
  kind: string;
  field: string;
  confidence: number;
  right: boolean;
  critical: boolean;
}

const bins = 10;
export const sure = 0.9;

/** Computes the expected calibration error over ten equal bins, weighted by their number of values. */
export function calibrationError(values: readonly ReportedValue[]): number {
  const steps = Map.groupBy(values, ({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)));
  return (
    [...steps.values()].reduce(
      (sum, step) =>
        sum +
        Math.abs(mean(step, ({ right }) => Number(right)) - mean(step, ({ confidence }) => confidence)) * step.length,
      0,
    ) / Math.max(1, values.length)
  );
}

/** Formats a Markdown table with the figures of each document kind. */
export function summaryByKind(values: readonly ReportedValue[]): string {
  const lines = [...Map.groupBy(values, ({ kind }) => kind)].map(([kind, ofKind]) => `| ${kind} ${summaryRow(ofKind)}`);
  return [
    "| kind | values | right | calibration error | of critical values | critical | confidence ≥ 0.9 | of these wrong |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...lines,
  ].join("\n");
}

/** Formats the cells that follow the name in a row. */
export function summaryRow(values: readonly ReportedValue[]): string {
  const important = values.filter((each) => each.critical);
  const reportedSure = important.filter(({ confidence }) => confidence >= sure);
  const wrong = reportedSure.filter(({ right }) => !right).length;
  const part = (of: number) => of.toFixed(3);
  return (
    `| ${values.length} | ${part(mean(values, ({ right }) => Number(right)))} | ${part(calibrationError(values))} ` +
    `| ${part(calibrationError(important))} | ${important.length} | ${reportedSure.length} ` +
    `| ${wrong} (${((100 * wrong) / Math.max(1, reportedSure.length)).toFixed(2)} %) |`
  );
}

const mean = <T>(list: readonly T[], of: (each: T) => number) =>
  list.reduce((sum, each) => sum + of(each), 0) / Math.max(1, list.length);

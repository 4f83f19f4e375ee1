/**
 * Determines the last line and the exit code of a run. In CI, a skipped test is a failure.
 *
 * @param {{ passed: number, failed: number, skipped: number }} total
 * @param {boolean} isCi
 * @returns {{ line: string, exitCode: 0 | 1 }}
 */
export function outcomeOf({ passed, failed, skipped }, isCi) {
  const isMissing = isCi && skipped > 0;
  const rest = skipped > 0 ? `, ${skipped} skipped${isMissing ? ", which is a failure in CI" : ""}` : "";
  return { line: `${passed} passed, ${failed} failed${rest}`, exitCode: failed > 0 || isMissing ? 1 : 0 };
}

export function outcomeOf(
  total: { passed: number; failed: number; skipped: number },
  isCi: boolean,
): { line: string; exitCode: 0 | 1 };

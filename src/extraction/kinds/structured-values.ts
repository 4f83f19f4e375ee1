/** An object without the members that nothing was given for; undefined where nothing is left. */
export function given<T extends object>(members: T): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => isGiven(value));
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Those that are given. */
export function present<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value): value is T => value !== undefined);
}

/** Every word once. */
export function once(words: readonly (string | undefined)[]): string[] {
  return [...new Set(present(words))];
}

/** Letters and figures of an account or tax number, in capitals. */
export function tight(words: string | undefined): string | undefined {
  return words?.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

/** Half up to cents, against the errors of adding binary fractions. */
export function cents(amount: number): number {
  return Math.round((amount + Number.EPSILON) * 100) / 100;
}

/** Removes the empty members of an object. Undefined if none is left. */
export function omitEmpty<T extends object>(members: T): T | undefined {
  const entries = Object.entries(members).filter(([, value]) => isFilled(value));
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

export function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value): value is T => value !== undefined);
}

/** Returns the defined words, each once. */
export function unique(words: readonly (string | undefined)[]): string[] {
  return [...new Set(defined(words))];
}

/** Returns the letters and digits of an account or tax number, in upper case. */
export function bareCode(words: string | undefined): string | undefined {
  return words?.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

/** Rounds to cents, half up, and removes rounding errors of binary addition. */
export function roundToCents(amount: number): number {
  return Math.round((amount + Number.EPSILON) * 100) / 100;
}

/** Returns the sum of amounts, rounded to cents. Undefined for an empty list. */
export function sumOfAmounts(amounts: readonly number[]): number | undefined {
  return amounts.length > 0 ? roundToCents(amounts.reduce((total, amount) => total + amount, 0)) : undefined;
}

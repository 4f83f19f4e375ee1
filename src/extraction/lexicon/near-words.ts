/**
 * Returns the word of a vocabulary that differs from `word` by at most one edit. If `word` has at least twelve letters,
 * one of its letters may also be in another place. A look-up is fast because the vocabulary is indexed by its words
 * with one letter removed.
 */
export function nearWords<T>(word: string, vocabulary: Map<string, T>): string | undefined {
  let index = indexes.get(vocabulary);
  if (!index) indexes.set(vocabulary, (index = indexOf(vocabulary.keys())));
  const allowed = word.length >= 12 ? 2 : 1;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const key of [word, ...shortened(word)]) {
    for (const candidate of index.get(key) ?? []) {
      const distance = editDistance(word, candidate, allowed);
      if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
  }
  return best;
}

/**
 * Returns the number of edits (insert, delete or replace a letter) between two words; `limit + 1` if there are more.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const distance = Math.min(changed, row[j]! + 1, next[j - 1]! + 1);
      next.push(distance);
      least = Math.min(least, distance);
    }
    if (least > limit) return limit + 1;
    row = next;
  }
  return Math.min(row[other.length]!, limit + 1);
}

const SHORTEST = 5;
const indexes = new WeakMap<object, Map<string, string[]>>();

function indexOf(words: Iterable<string>): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < SHORTEST) continue;
    for (const key of [word, ...shortened(word)]) {
      const known = index.get(key);
      if (known) known.push(word);
      else index.set(key, [word]);
    }
  }
  return index;
}

function shortened(word: string): Set<string> {
  const result = new Set<string>();
  for (let at = 0; at < word.length; at += 1) result.add(word.slice(0, at) + word.slice(at + 1));
  return result;
}

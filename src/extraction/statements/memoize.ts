const maxEntries = 5000;
const maxTextLength = 100;

/** Caches the results of a function of texts up to 100 characters. The same products and dates recur in a statement. */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const answers = new Map<string, Result>();
  return (text) => {
    const before = answers.get(text);
    if (before !== undefined || answers.has(text)) return before as Result;
    const answer = compute(text);
    if (answers.size >= maxEntries) answers.clear();
    if (text.length <= maxTextLength) answers.set(text, answer);
    return answer;
  };
}

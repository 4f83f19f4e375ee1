/** Maximum number of entries in a cache, and maximum length of a text that is cached. */
const maxEntries = 5000;
const maxTextLength = 100;

/** Caches a function of short texts. The products and dates of a statement repeat. */
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

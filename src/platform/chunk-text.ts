/** Characters of one parameter: D1 takes two megabytes, and a character may be three bytes. */
const longest = 600_000;

/** Texts put together into pieces that one parameter can hold, in their order; one that is longer stands alone. */
export function chunkText(texts: string[]): string[][] {
  const pieces: string[][] = [];
  let size = Infinity;
  for (const text of texts) {
    if (size + text.length > longest) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)!.push(text);
    size += text.length;
  }
  return pieces;
}

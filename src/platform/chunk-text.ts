/** D1 accepts 2 MB in one parameter of an SQL statement, and a character takes up to three bytes. */
const longest = 600_000;

/**
 * Groups texts in order into chunks that fit into one parameter of an SQL statement. A longer text is a chunk of its
 * own.
 */
export function chunkText(texts: string[]): string[][] {
  const chunks: string[][] = [];
  let size = Infinity;
  for (const text of texts) {
    if (size + text.length > longest) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)!.push(text);
    size += text.length;
  }
  return chunks;
}

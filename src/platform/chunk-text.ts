/** Characters of one parameter: D1 accepts 2 MB, and a character may have three bytes. */
const longest = 600_000;

/** Groups texts, in their order, into chunks that fit into one parameter; a longer text is a chunk of its own. */
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

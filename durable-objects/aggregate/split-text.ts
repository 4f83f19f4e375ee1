/** Characters of one part. A row holds 2 MB, and a character takes up to three bytes. */
const longest = 400_000;

/** Splits a text into parts that fit a row. No surrogate pair is cut. */
export function splitText(text: string): string[] {
  if (text.length <= longest) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += parts.at(-1)!.length) {
    const end = start + longest;
    parts.push(text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end));
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** Characters of one part. A row holds 2 MB at most, and a character takes up to three bytes of it. */
const longest = 400_000;

/** A text as rows can hold it; joined, the parts are the text. No character is cut in two. */
export function inParts(text: string): string[] {
  if (text.length <= longest) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += parts.at(-1)!.length) {
    const end = start + longest;
    parts.push(text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end));
  }
  return parts;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

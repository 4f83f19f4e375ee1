import { likeliestCodePage } from "./code-pages.ts";

/**
 * Bytes to text. A byte order mark or a declared encoding wins; else UTF-8 when the bytes are valid UTF-8; else the
 * code page in which its letters make words of one language.
 */
export function decode(bytes: Uint8Array, declared?: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const wide = wideEncoding(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  const utf8 = asUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  return asDeclared(bytes, declared) ?? new TextDecoder(likeliestCodePage(bytes)).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** UTF-16 without a mark shows as a zero in every other byte of Western text. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, 2000) & ~1;
  if (length < 4) return undefined;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) evenZeros++;
    if (bytes[at + 1] === 0) oddZeros++;
  }
  const many = length * 0.35;
  if (oddZeros > many && evenZeros < many / 10) return "utf-16le";
  if (evenZeros > many && oddZeros < many / 10) return "utf-16be";
  return undefined;
}

function asUtf8(bytes: Uint8Array): string | undefined {
  // A file cut in the middle of its last letter is still UTF-8.
  for (let cut = 0; cut < Math.min(4, bytes.length + 1); cut++) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      continue;
    }
  }
  return undefined;
}

function asDeclared(bytes: Uint8Array, label: string | undefined): string | undefined {
  // Bytes that claim to be UTF-8 and are not were written by a program that did not know its own code page.
  if (!label || /^utf-?8$/i.test(label)) return undefined;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

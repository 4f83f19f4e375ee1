import { decompressRTF } from "@kenjiuno/decompressrtf";

const longestRichText = 20 * 1024 * 1024;

/** The RTF that Outlook keeps packed; undefined where it is damaged or too long. */
export function richText(compressed: Uint8Array | undefined): Uint8Array | undefined {
  if (!compressed || compressed.length < 16) return undefined;
  const length = new DataView(compressed.buffer, compressed.byteOffset, compressed.byteLength).getUint32(4, true);
  if (length > longestRichText) return undefined;
  try {
    return Uint8Array.from(decompressRTF([...compressed]));
  } catch {
    return undefined;
  }
}

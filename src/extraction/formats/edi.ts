import { decode } from "./encoding.ts";
import { layOutPlainText } from "./plain.ts";
import type { Reader } from "./reader.ts";

export const readEdi: Reader = (file, context) => {
  const text = decode(file.bytes).trimStart();
  const isX12 = text.startsWith("ISA");
  const segments = isX12 ? x12Segments(text) : edifactSegments(text);
  return {
    pages: layOutPlainText(segments.join("\n"), context),
    structured: [{ format: isX12 ? "X12" : "Edifact", name: file.name, text }],
  };
};

/**
 * Splits an X12 interchange into segments. Its header has a fixed length, and the character after the header terminates
 * every segment.
 */
function x12Segments(text: string): string[] {
  const end = text[105] ?? "~";
  return text
    .split(end)
    .map((segment) => segment.trim())
    .filter(Boolean);
}

/**
 * Splits an EDIFACT interchange into segments. A UNA segment may declare the separators. A separator after a release
 * character is text.
 */
function edifactSegments(text: string): string[] {
  const declared = text.startsWith("UNA") ? text.slice(3, 9) : ":+.? '";
  const release = declared[3] ?? "?";
  const end = declared[5] ?? "'";
  const segments: string[] = [];
  let segment = "";
  for (let at = text.startsWith("UNA") ? 9 : 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === release && release !== " ") segment += letter + (text[++at] ?? "");
    else if (letter === end) {
      segments.push(segment.trim());
      segment = "";
    } else segment += letter;
  }
  return [...segments, segment.trim()].filter(Boolean);
}

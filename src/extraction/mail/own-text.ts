import { fold } from "../lexicon/fold.ts";
import words from "./closings.json" with { type: "json" };

/** In a shorter line, the words of a disclaimer may belong to the message. */
const minDisclaimerLength = 90;
/** Words besides the formula in a closing line: "Best regards, Anna Hill" has two. */
const maxWordsBesideFormula = 3;

const closings = words.closings.map(plain).toSorted((a, b) => b.length - a.length);
const thanks = words.thanks.map(plain);
const devices = words.devices.map(plain);
const disclaimers = words.disclaimers.map(plain);

/**
 * Returns the sender's own text: the lines above the closing formula or signature separator, without disclaimers.
 * Returns all lines if these contain no words.
 */
export function ownText(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  const end = written.findIndex((line, at) => at > 0 && takesLeave(line));
  const kept = (end < 0 ? written : written.slice(0, end)).filter((line) => !isDisclaimer(line));
  return kept.some((line) => /\p{L}{2}/u.test(line)) ? kept : written;
}

function takesLeave(line: string): boolean {
  if (/^\s*(?:--|__|==|\*\*)\s*$/.test(line) || /^-- ?$/.test(line)) return true;
  const text = plain(line);
  if (devices.some((words) => text.startsWith(words))) return true;
  const count = text.split(" ").length;
  if (thanks.some((words) => text === words)) return true;
  return closings.some(
    (words) =>
      (text === words || text.startsWith(`${words} `)) && count <= words.split(" ").length + maxWordsBesideFormula,
  );
}

function isDisclaimer(line: string): boolean {
  if (line.length < minDisclaimerLength) return false;
  const text = plain(line);
  return disclaimers.filter((words) => text.includes(words)).length >= 1 && !/\d{1,2}[.:]\d{2}\b/.test(line);
}

function plain(text: string): string {
  return fold(text)
    .text.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

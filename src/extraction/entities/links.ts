import type { EntityOf } from "./entity.ts";
import { printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const EMAIL = /(?<![\w.+-])[a-z0-9][\w.+'-]{0,63}@[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9][a-z0-9-]{0,62}){1,5}/gi;
const LINK =
  /(?<![\w@])(?:https?:\/\/[^\s<>"']{3,400}|www\.[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}(?:\/[^\s<>"']{0,300})?)/gi;

/** E-mail addresses, in small letters. */
export function findEmails(line: Line): EntityOf<"Email">[] {
  if (!line.plain.includes("@")) return [];
  return Array.from(line.plain.matchAll(EMAIL), (match) => ({
    type: "Email",
    ...printedSpan(line, match.index, match.index + match[0].length, 0.98),
    value: match[0].toLowerCase(),
  }));
}

/** Web addresses as printed, without the full stop or bracket of the sentence around them. */
export function findLinks(line: Line): EntityOf<"Link">[] {
  if (!line.text.includes("://") && !line.text.includes("www.")) return [];
  return Array.from(line.plain.matchAll(LINK), (match) => {
    const value = match[0].replace(/[.,;:!?)\]}]+$/, "");
    return { type: "Link", ...printedSpan(line, match.index, match.index + value.length, 0.95), value };
  });
}

import type { Token } from "marked";

/** Text of one weight. */
export interface Run {
  text: string;
  bold: boolean;
}

/** The text of inline tokens, without marks other than bold type. */
export function runsOf(tokens: readonly Token[], bold = false): Run[] {
  return tokens.flatMap((token): Run[] => {
    if (token.type === "br") return [{ text: "\n", bold }];
    const inner = "tokens" in token ? token.tokens : undefined;
    if (inner) return runsOf(inner, bold || token.type === "strong");
    const text = "text" in token ? String(token.text) : token.raw;
    return text ? [{ text: unescaped(text), bold }] : [];
  });
}

export const plainText = (tokens: readonly Token[]): string =>
  runsOf(tokens)
    .map(({ text }) => text)
    .join("");

/** The lexer keeps entities as they are written. */
const unescaped = (text: string): string =>
  text
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/<br\s*\/?>/gi, "\n");

import { fold } from "../../lexicon/fold.ts";
import answers from "./answers.json" with { type: "json" };

type Answer = keyof typeof answers;

const words = new Map<Answer, Set<string>>(
  (Object.keys(answers) as Answer[]).map((answer) => [answer, new Set(answers[answer].map((word) => fold(word).text))]),
);

/** Whether the text contains a word for the answer in any language. */
export function containsAnswer(answer: Answer, text: string): boolean {
  const known = words.get(answer);
  const parts = fold(text).text.split(/[^\p{L}\p{N}-]+/u);
  return parts.some((part, at) => known?.has(part) || known?.has(`${part} ${parts[at + 1] ?? ""}`));
}

/** Returns true if "yes" comes first in the text, false if "no" does, and undefined if there is neither. */
export function yesOrNo(text: string): boolean | undefined {
  for (const part of fold(text).text.split(/[^\p{L}\p{N}]+/u)) {
    if (words.get("no")?.has(part)) return false;
    if (words.get("yes")?.has(part)) return true;
  }
  return undefined;
}

/** Whether the text is empty, or is only dashes or a word for "none" in any language. */
export function isEmptyAnswer(text: string): boolean {
  const answer = fold(text)
    .text.split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");
  return answer === "" || words.get("nothing")?.has(answer) === true;
}

import { sniff, open, defaultLimits } from "../../reading/open/open.ts";
import { Budget, ReadingProblem } from "../../reading/problem.ts";

const budgetMilliseconds = 10_000;

/** The words of a file: its bytes as text, and what stands in it once it is opened. Pictures are not read. */
export async function wordsOf(name: string, bytes: Uint8Array): Promise<string> {
  const plain = new TextDecoder().decode(bytes);
  if (isOurs(name)) return plain;
  try {
    const { format } = sniff(bytes, name);
    if (format === "Image") return plain;
    const { parts, structured, mail } = await open({ name, bytes }, defaultLimits, new Budget(budgetMilliseconds));
    const pages = parts.flatMap((part) => [
      part.name,
      ...part.pages.map(({ tokens }) => tokens.map(({ text }) => text).join(" ")),
    ]);
    return [plain, ...pages, ...structured.map(({ text }) => text), JSON.stringify(mail ?? {})].join("\n");
  } catch (error) {
    if (error instanceof ReadingProblem) return plain;
    throw error;
  }
}

/** What we wrote ourselves stands there as it is. */
const isOurs = (name: string) => name.endsWith(".json");

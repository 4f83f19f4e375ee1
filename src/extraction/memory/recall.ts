import type { Kind } from "../kinds/kind.ts";
import type { KindName } from "../kinds/kinds.ts";
import type { ExtractionContext, ExtractionResult } from "../document/extraction-result.ts";
import { applyLessons } from "./apply.ts";
import type { AnnotatedPage, Memory } from "./lesson.ts";
import { valueAt } from "./pointers.ts";
import { identifySender, type Sender } from "./sender.ts";

/**
 * Loads the lessons for a possible sender; called once per document. An implementation may also only record the
 * document.
 */
export type RecallMemory = (sender: Sender, page: AnnotatedPage) => Promise<Memory | undefined>;

/** Applies the lessons from corrected documents of the same sender. */
export async function applyMemory<View, Result extends ExtractionResult<View>>(
  result: Result & ExtractionResult<View>,
  name: KindName,
  kind: Kind<View>,
  page: AnnotatedPage,
  { company, today }: ExtractionContext,
  recall: RecallMemory,
): Promise<Result> {
  const sender = identifySender(page.annotations, page.mail, namedSender(kind.sender, result.items[0]?.data), company);
  const memory = await recall(sender, page);
  if (!memory || memory.lessons.length === 0) return result;
  const at = { page, signature: sender.signature, today, alone: result.items.length === 1 };
  return { ...result, items: result.items.map((item) => applyLessons(item, name, kind, memory, at)) };
}

function namedSender(field: string | undefined, data: unknown): { name?: string; vatCode?: string } | undefined {
  const sender = field === undefined ? undefined : valueAt(data, [field]);
  if (typeof sender === "string") return { name: sender };
  return typeof sender === "object" && sender !== null ? sender : undefined;
}

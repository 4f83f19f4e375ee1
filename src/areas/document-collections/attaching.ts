import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import type { FoundDocument } from "../../extraction/split-collection.ts";
import { ordersNumbered } from "../carrier-orders/numbered.ts";
import { commands as orderCommands } from "../carrier-orders/commands.ts";
import { takePaper } from "../carrier-orders/upload-document.ts";
import type { FoundType } from "../quality/shapes.ts";
import { documentsOf, type Collection, type PiledDocument } from "./collection.ts";
import type { Place } from "./store-document.ts";

/** As what a document is handed in for an order; documents of other types are no papers of a carriage. */
const papers: Partial<Record<FoundType, "cmr" | "invoice" | "other">> = {
  Cmrs: "cmr",
  Invoices: "invoice",
  Other: "other",
};

/**
 * The document with the carrier orders whose numbers stand in it, handed in for the one where there is one. Of several
 * nobody knows which is meant, so it is handed in for none. Doing it twice hands in one.
 */
export async function attached(
  document: PiledDocument,
  { numbers }: FoundDocument,
  pile: Collection,
  { company, env }: Place,
): Promise<PiledDocument> {
  const type = papers[document.type];
  const orders = type ? await ordersNumbered(env, company, numbers) : [];
  if (!type || orders.length === 0) return document;
  const [only] = orders;
  if (!pile.attaches || !only || orders.length > 1) return { ...document, orders };
  const { documentId, file } = document;
  if (!(await env.FILES.head(file.key))) return { ...document, orders };
  const { orderId } = only;
  const upload = { ...file, content: file.key };
  try {
    const { reply: paper } = await takePaper(
      env,
      { company, orderId },
      upload,
      { documentId, type, uploadedBy: "Company" },
      {
        execute: (step, id, ask) => executeCommand(env, step, { company, id }, ask),
        look: async (step, id, ask) => (await executeCommand(env, step, { company, id }, ask)).reply,
      },
    );
    const attachedAs = { ...document, orders, attachedTo: orderId };
    const isAsBefore = documentsOf(pile).some((one) => one.attachedTo === orderId && paperOf(one) === paper.documentId);
    return { ...attachedAs, ...(isAsBefore && { paperId: paper.documentId }) };
  } catch (problem) {
    // The order has been cancelled, or takes no more papers.
    if (!(problem instanceof Problem)) throw problem;
    return { ...document, orders };
  }
}

/**
 * Papers that were handed in as documents which are none any more count no longer, unless somebody has judged them. Doing it
 * twice is harmless.
 */
export async function withdrawn(
  before: readonly PiledDocument[],
  after: readonly PiledDocument[],
  { company, env }: Pick<Place, "company" | "env">,
): Promise<void> {
  for (const old of before) {
    const { attachedTo: id } = old;
    const documentId = paperOf(old);
    if (id === undefined || after.some((one) => one.attachedTo === id && paperOf(one) === documentId)) continue;
    await executeCommand(env, orderCommands.withdraw, { company, id }, { documentId }).catch((problem: unknown) => {
      // The order is kept no longer.
      if (!(problem instanceof Problem)) throw problem;
    });
  }
}

const paperOf = ({ documentId, paperId = documentId }: PiledDocument) => paperId;

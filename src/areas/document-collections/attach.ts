import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import type { FoundDocument } from "../../extraction/split-collection.ts";
import { ordersNumbered } from "../carrier-orders/numbered.ts";
import { commands as orderCommands } from "../carrier-orders/commands.ts";
import { takePaper } from "../carrier-orders/upload-document.ts";
import type { FoundType } from "../quality/model.ts";
import { documentsOf, type CollectedDocument, type Collection } from "./model.ts";
import type { CollectionContext } from "./store-document.ts";

/** Type under which a document is attached to an order. Documents of other types are not attached. */
const orderDocumentTypes: Partial<Record<FoundType, "cmr" | "invoice" | "other">> = {
  Cmrs: "cmr",
  Invoices: "invoice",
  Other: "other",
};

/**
 * Finds the carrier orders whose numbers a document contains, and attaches it if there is exactly one. Repeating it attaches
 * nothing twice.
 */
export async function attachToOrder(
  document: CollectedDocument,
  { numbers }: FoundDocument,
  collection: Collection,
  { company, env }: CollectionContext,
): Promise<CollectedDocument> {
  const type = orderDocumentTypes[document.type];
  const orders = type ? await ordersNumbered(env, company, numbers) : [];
  if (!type || orders.length === 0) return document;
  const [only] = orders;
  if (!collection.attaches || !only || orders.length > 1) return { ...document, orders };
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
        send: async (step, id, ask) => (await executeCommand(env, step, { company, id }, ask)).reply,
      },
    );
    const attached = { ...document, orders, attachedTo: orderId };
    const isKnown = documentsOf(collection).some(
      (one) => one.attachedTo === orderId && paperOf(one) === paper.documentId,
    );
    return { ...attached, ...(isKnown && { paperId: paper.documentId }) };
  } catch (problem) {
    // The order was cancelled, or has the maximum number of documents.
    if (!(problem instanceof Problem)) throw problem;
    return { ...document, orders };
  }
}

/**
 * Withdraws attached documents that do not exist after the collection was split again, unless they were accepted or rejected.
 * May run twice.
 */
export async function withdrawFromOrders(
  before: readonly CollectedDocument[],
  after: readonly CollectedDocument[],
  { company, env }: Pick<CollectionContext, "company" | "env">,
): Promise<void> {
  for (const old of before) {
    const { attachedTo: id } = old;
    const documentId = paperOf(old);
    if (id === undefined || after.some((one) => one.attachedTo === id && paperOf(one) === documentId)) continue;
    await executeCommand(env, orderCommands.withdraw, { company, id }, { documentId }).catch((problem: unknown) => {
      // The order does not exist any more.
      if (!(problem instanceof Problem)) throw problem;
    });
  }
}

const paperOf = ({ documentId, paperId = documentId }: CollectedDocument) => paperId;

import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import type { FoundDocument } from "../../extraction/split-collection.ts";
import { commands as orderCommands } from "../carrier-orders/commands.ts";
import { findOrdersByNumbers } from "../carrier-orders/search.ts";
import { uploadDocument } from "../carrier-orders/upload-document.ts";
import type { FoundType } from "../quality/model.ts";
import { documentsOf, type CollectedDocument, type Collection } from "./model.ts";
import type { CollectionContext } from "./store-document.ts";

/** The type of the document in the order. Documents of other types are not attached. */
const orderDocumentTypes: Partial<Record<FoundType, "cmr" | "invoice" | "other">> = {
  Cmrs: "cmr",
  Invoices: "invoice",
  Other: "other",
};

/**
 * Finds the carrier orders whose numbers a document contains, and attaches the document if there is exactly one.
 * Idempotent.
 */
export async function attachToOrder(
  document: CollectedDocument,
  { numbers }: FoundDocument,
  collection: Collection,
  { company, env }: CollectionContext,
): Promise<CollectedDocument> {
  const type = orderDocumentTypes[document.type];
  const orders = type ? await findOrdersByNumbers(env, company, numbers) : [];
  if (!type || orders.length === 0) return document;
  const [only] = orders;
  if (!collection.attaches || !only || orders.length > 1) return { ...document, orders };
  const { documentId, file } = document;
  if (!(await env.FILES.head(file.key))) return { ...document, orders };
  const { orderId } = only;
  const upload = { ...file, content: file.key };
  try {
    const { reply: uploaded } = await uploadDocument(
      env,
      { company, orderId },
      upload,
      { documentId, type, uploadedBy: "Company" },
      {
        execute: (command, id, input) => executeCommand(env, command, { company, id }, input),
        send: async (command, id, input) => (await executeCommand(env, command, { company, id }, input)).reply,
      },
    );
    const attached = { ...document, orders, attachedTo: orderId };
    const isKnown = documentsOf(collection).some(
      (one) => one.attachedTo === orderId && orderDocumentIdOf(one) === uploaded.documentId,
    );
    return { ...attached, ...(isKnown && { paperId: uploaded.documentId }) };
  } catch (problem) {
    // The order is cancelled or has the maximum number of documents.
    if (!(problem instanceof Problem)) throw problem;
    return { ...document, orders };
  }
}

/**
 * Withdraws from their orders the documents that no longer exist after the collection was split again. Documents that
 * the company has accepted or rejected stay. Idempotent.
 */
export async function withdrawFromOrders(
  before: readonly CollectedDocument[],
  after: readonly CollectedDocument[],
  { company, env }: Pick<CollectionContext, "company" | "env">,
): Promise<void> {
  for (const old of before) {
    const { attachedTo: id } = old;
    const documentId = orderDocumentIdOf(old);
    if (id === undefined || after.some((one) => one.attachedTo === id && orderDocumentIdOf(one) === documentId))
      continue;
    await executeCommand(env, orderCommands.withdraw, { company, id }, { documentId }).catch((problem: unknown) => {
      if (!(problem instanceof Problem)) throw problem;
    });
  }
}

const orderDocumentIdOf = ({ documentId, paperId = documentId }: CollectedDocument) => paperId;

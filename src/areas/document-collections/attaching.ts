import { askOwner } from "../../kit/owners.ts";
import { Problem } from "../../kit/problem.ts";
import type { FoundDocument } from "../../reading/pile.ts";
import { ordersNumbered, takePaper } from "../carrier-orders/index.ts";
import type { FoundType } from "../quality/shapes.ts";
import type { Collection, PiledDocument } from "./collection.ts";
import type { Place } from "./putting-away.ts";

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
  { attaches }: Collection,
  { company, env }: Place,
): Promise<PiledDocument> {
  const type = papers[document.type];
  const orders = type ? await ordersNumbered(env, company, numbers) : [];
  if (!type || orders.length === 0) return document;
  const [only] = orders;
  if (!attaches || !only || orders.length > 1) return { ...document, orders };
  const { documentId, file } = document;
  const bytes = await (await env.FILES.get(file.key))?.bytes();
  if (!bytes) return { ...document, orders };
  const { orderId } = only;
  const upload = { name: file.name, mediaType: file.mediaType, sha256: file.sha256, bytes };
  try {
    await takePaper(
      env,
      { company, orderId },
      upload,
      { documentId, type, uploadedBy: "Company" },
      {
        perform: (step, id, ask) => askOwner(env, step, { company, id }, ask),
        look: async (step, id, ask) => (await askOwner(env, step, { company, id }, ask)).reply,
      },
    );
    return { ...document, orders, attachedTo: orderId };
  } catch (problem) {
    // The order has been cancelled, or takes no more papers.
    if (!(problem instanceof Problem)) throw problem;
    return { ...document, orders };
  }
}

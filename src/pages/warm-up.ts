import type { RequestState } from "../http/router.ts";
import { hasLocalMail } from "../platform/mail.ts";
import { gazetteerOf } from "../domain/places/places.ts";
import { Budget } from "../extraction/problem.ts";
import { extractOrders } from "../extraction/extract.ts";

const budgetMilliseconds = 10_000;

/**
 * Extracts the file in the body as an order and discards the result, because the first extraction is slow. Only on a
 * developer's machine.
 */
export async function warmUpLocally({ env, request }: RequestState): Promise<Response | undefined> {
  if (!hasLocalMail(env)) return undefined;
  const context = {
    company: { names: [], vatCodes: [], emailDomains: [] },
    today: new Date().toISOString().slice(0, 10),
  };
  const tools = { gazetteer: gazetteerOf(env), budget: new Budget(budgetMilliseconds) };
  await extractOrders({ bytes: await request.bytes(), name: "order.pdf" }, context, tools);
  return new Response(null, { status: 204 });
}

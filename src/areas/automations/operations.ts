import { refuse } from "../../platform/decision.ts";
import type { Env } from "../../platform/env.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/list-parameters.ts";
import { viewOf, type Automation, type events } from "./model.ts";
import { automationId, inputExample, resolveExample, rowExample, viewExample } from "./examples.ts";
import { MatchData } from "./match-data.ts";
import { matchFine, matchWithVehicle } from "./match.ts";
import { receiveFile, receiveJson } from "./receive.ts";
import { search } from "./search.ts";
import { AutomationRow, AutomationView, ReceivedAutomation } from "./views.ts";
import { FinesInput, ResolveInput } from "./input.ts";
import { cancelledBy, retried, commands } from "./commands.ts";
import type { Resolved } from "./review.ts";

const { get, post } = operationsOn<Automation, typeof events>({
  binding: "AUTOMATIONS",
  param: "automationId",
  scope: "finance",
});

export const operations = {
  createFines: post("/api/v1/automations/fines", {
    summary: "Assign fines to drivers",
    description:
      "Up to 1000 fines: documents that were sent before, fines as data, or a file: a notice (PDF, image or any other document format) or a list (CSV, XLSX, XLS, ODS) with headings in any language. For each fine, its plate identifies the vehicle, and its local time identifies the driver and the order that was on the road. A fine with a confidence of 0.8 or more is assigned (`entered`); the others need review and show their evidence. A fine that was sent before, or its reminder, is a `Duplicate`. The response is immediate; with `Prefer: wait=N` it waits up to N seconds (at most 30) and contains the automation. `FineDeadline` is sent 7, 3 and 1 days before a deadline. With `documentIds` the key also needs `documents:read`.",
    body: FinesInput,
    orFile: true,
    waits: true,
    ok: ReceivedAutomation,
    status: 202,
    orStatus: 200,
    example: { body: inputExample, reply: { automationId } },
    handle: async ({ body }, context) => (body ? receiveJson(body, context) : receiveFile(context)),
  }),

  list: get("/api/v1/automations", {
    summary: "List automations",
    description: "Newest first, without their fines. An automation appears about a second after it was created.",
    query: search.query,
    ok: listOf(AutomationRow),
    example: { query: { status: "4" }, reply: { items: [rowExample] } },
    handle: ({ query }, { env, caller }) => search.list(env.ARCHIVE, caller.company, query),
  }),

  read: get("/api/v1/automations/:automationId", {
    summary: "Read an automation",
    description: "Missing values are null. `data` is null while the automation is queued, or if nothing could be read.",
    ok: AutomationView,
    example: { reply: viewExample },
    decide: (state, _, { id }) => (state ? { reply: viewOf(state, id) } : refuse("not_found")),
  }),

  retry: post("/api/v1/automations/:automationId/retry", {
    summary: "Retry a failed automation",
    description: "At most five times. Results of fines that were matched are kept.",
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { reply: { ...viewExample, status: 0, Message: null, data: null } },
    decide: (state, _, context) => retried(state, context),
  }),

  cancel: post("/api/v1/automations/:automationId/cancel", {
    summary: "Cancel an automation",
    description:
      "Possible while it is queued or needs review. Assigned fines stay assigned, but their deadlines are no longer reported; fines that were not assigned can be sent again. A cancelled automation cannot be retried or reviewed: to end only the review, send `Dismiss` to `…/resolve`; deadlines of the other fines are then still reported.",
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { reply: { ...viewExample, status: 5, Message: null } },
    decide: (state, _, context) => cancelledBy(state, context),
  }),

  resolve: post("/api/v1/automations/:automationId/resolve", {
    summary: "Review fines",
    description:
      "`Enter` assigns a fine to a driver: the one that was found, the one sent here, or the one who drove the vehicle sent here at that time; if no driver was found, the matching is repeated. `Dismiss` assigns it to no driver. When no fine needs review, the automation has succeeded. Decisions can be corrected in the same way later; `AutomationCompleted` reports the correction.",
    body: ResolveInput,
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { body: resolveExample, reply: { ...viewExample, status: 2, Message: null } },
    async handle({ params: { automationId: id }, body }, { env, caller, send, execute }) {
      const items = await withDrivers(body, await send(commands.look, id, {}), env, caller.company);
      const { reply, ...more } = await execute(commands.resolve, id, { items });
      return new Answer(reply, more);
    },
  }),
};

/**
 * Adds what a decision to assign a fine leaves out: the driver and the order. If the decision names a vehicle, they are
 * those of this vehicle. If no driver is known, they are found by repeating the matching. Marks ids that do not exist.
 */
async function withDrivers({ items }: ResolveInput, now: Automation, env: Env, company: string): Promise<Resolved[]> {
  const matchData = new MatchData(env, company);
  return Promise.all(
    items.map(async (one): Promise<Resolved> => {
      const { fine, outcome } = now.items[one.index] ?? {};
      if (!fine || one.action === "Dismiss") return one;
      if (one.orderId && !(await matchData.hasOrder(one.orderId))) return { ...one, unknown: "orderId" };
      if (!one.vehicleId) {
        const isFound = one.driver !== undefined || outcome?.driver !== undefined;
        const { vehicleId, driver, orderId } = isFound ? one : matchFine(fine, await matchData.contextOf(fine));
        return driver && vehicleId
          ? { ...one, vehicleId, driver, ...omitUndefined({ orderId: one.orderId ?? orderId }) }
          : one;
      }
      const named = await matchData.contextOfVehicle(one.vehicleId, fine);
      if (!named) return { ...one, unknown: "vehicleId" };
      const { driver, orderId } = matchWithVehicle(fine, named.known, named.suspect);
      const order = one.orderId ?? orderId;
      return { ...one, driver: one.driver ?? driver, ...(order && { orderId: order }) };
    }),
  );
}

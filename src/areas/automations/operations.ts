import { refuse } from "../../platform/decision.ts";
import type { Env } from "../../platform/env.ts";
import { given } from "../../platform/omit-undefined.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn } from "../../http/operation.ts";
import { listOf } from "../../platform/lists.ts";
import { viewOf, type Automation, type events } from "./model.ts";
import { automationId, inputExample, resolveExample, rowExample, viewExample } from "./examples.ts";
import { MatchData } from "./match-data.ts";
import { matched, matchedByHand } from "./match.ts";
import { receiveFile, receiveJson } from "./receive.ts";
import { search } from "./search.ts";
import { AutomationRow, AutomationView, FinesInput, ReceivedAutomation, ResolveInput } from "./shapes.ts";
import { cancelledBy, retried, commands, type Resolved } from "./commands.ts";

const { get, post } = operationsOn<Automation, typeof events>({
  binding: "AUTOMATIONS",
  param: "automationId",
  scope: "finance",
});

export const operations = {
  createFines: post("/api/v1/automations/fines", {
    summary: "Assign fines to drivers",
    description:
      "Up to 1000 fines: documents that were sent before, fines as data, or a file: a notice (PDF, picture, whatever documents are read from) or a list (CSV, XLSX, XLS, ODS) whose headings may be in any language. Each is matched: plate, vehicle, driver at that time by the clock there, order on the road then. What is found with 0.8 or more is entered, the rest is put up for review with its evidence; the same fine again, and its reminder, is a `Duplicate`. The answer comes at once; with `Prefer: wait=N` it waits up to N seconds (30 at most) and then holds the automation. 7, 3 and 1 days before a deadline you are told: `FineDeadline`. With `documentIds` the key also needs `documents:read`.",
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
    description: "At most five times. Results for its fines are kept.",
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { reply: { ...viewExample, status: 0, Message: null, data: null } },
    decide: (state, _, context) => retried(state, context),
  }),

  cancel: post("/api/v1/automations/:automationId/cancel", {
    summary: "Cancel an automation",
    description:
      "While it is queued or needs review. What was entered stays, and its deadlines are told no more; what was not may come again. It is neither retried nor decided afterwards: `…/resolve` with `Dismiss` ends what needs review and goes on watching the rest.",
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { reply: { ...viewExample, status: 5, Message: null } },
    decide: (state, _, context) => cancelledBy(state, context),
  }),

  resolve: post("/api/v1/automations/:automationId/resolve", {
    summary: "Decide fines that need review",
    description:
      "`Enter` puts a fine down to a driver: the one that was found, the one named here, or who drove the vehicle named here at that time; where nobody was found the fleet is looked through once more. `Dismiss` puts it down to nobody. Once no fine needs review the automation is a success. What was entered or dismissed is put right in the same way, also afterwards: `AutomationCompleted` tells of it.",
    body: ResolveInput,
    ok: AutomationView,
    refuses: ["invalid_state"],
    example: { body: resolveExample, reply: { ...viewExample, status: 2, Message: null } },
    async handle({ params: { automationId: id }, body }, { env, caller, look, execute }) {
      const items = await lookedUp(body, await look(commands.look, id, {}), env, caller.company);
      const { reply, ...more } = await execute(commands.resolve, id, { items });
      return new Answer(reply, more);
    },
  }),
};

/** Who drove is looked up where no driver is named: with the vehicle that is, or once more where nobody was found. */
async function lookedUp({ items }: ResolveInput, now: Automation, env: Env, company: string): Promise<Resolved[]> {
  const look = new MatchData(env, company);
  return Promise.all(
    items.map(async (one): Promise<Resolved> => {
      const { fine, outcome } = now.items[one.index] ?? {};
      if (!fine || one.action === "Dismiss") return one;
      if (one.orderId && !(await look.hasOrder(one.orderId))) return { ...one, unknown: "orderId" };
      if (!one.vehicleId) {
        const isFound = one.driver !== undefined || outcome?.driver !== undefined;
        const { vehicleId, driver, orderId } = isFound ? one : matched(fine, await look.knownOf(fine));
        return driver && vehicleId ? { ...one, vehicleId, driver, ...given({ orderId: one.orderId ?? orderId }) } : one;
      }
      const named = await look.named(one.vehicleId, fine);
      if (!named) return { ...one, unknown: "vehicleId" };
      const { driver, orderId } = matchedByHand(fine, named.known, named.suspect);
      const order = one.orderId ?? orderId;
      return { ...one, driver: one.driver ?? driver, ...(order && { orderId: order }) };
    }),
  );
}

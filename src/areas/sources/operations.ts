import * as z from "zod";
import { refusalOfTargets } from "../../platform/egress/index.ts";
import { externalReasons } from "../../platform/external.ts";
import { addressOf, Answer } from "../../http/responses.ts";
import { listOf, listParameters } from "../../platform/list-parameters.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { paginate } from "../../http/paginate.ts";
import { Problem } from "../../platform/problem.ts";
import { derivesAddress, sealAuthentication, tokenUrlOf } from "../../platform/receivers/index.ts";
import { seal, unsealForReplay } from "../../platform/seal.ts";
import { newWebhookSecret } from "../../platform/sign.ts";
import type { Company } from "../companies/model.ts";
import {
  NewSource,
  SourceInput,
  SourceView,
  board,
  boardView,
  calls,
  inputExample,
  numberOf,
  sourceExample,
  viewOf,
} from "./model.ts";
import { sealsOf, commands, type events } from "./commands.ts";
import { update } from "./update.ts";

const { get, post, del } = operationsOn<Company, typeof events>({ binding: "COMPANIES", scope: "freights" });

export const operations = {
  list: get("/api/v1/sources", {
    summary: "List the sources where freights can be published",
    description:
      "The built-in board and the connectors of your company, ordered by number unless `sort` is sent. The board has no timestamps, so `updatedSince` excludes it.",
    query: z.object(listParameters(["source", "name", "createdAt", "updatedAt"], "source")),
    ok: listOf(SourceView),
    example: { reply: { items: [boardView("https://lorry.beispiel.de"), sourceExample] } },
    async handle({ query: { sort = "source", updatedSince = "", ...page } }, { env, caller, send, request }) {
      const sources = await send(commands.all, caller.company, {});
      const all = [boardView(addressOf(request, env)), ...sources.map(viewOf)];
      const changed = all.filter(({ updatedAt = "" }) => updatedAt >= updatedSince);
      return paginate(changed, { ...page, list: "sources", sort, id: "source" });
    },
  }),

  create: post("/api/v1/sources", {
    summary: "Register a connector that publishes freights",
    description:
      'It receives a POST for each freight with its number in `sources`: `{ action: "Publish" | "Update" | "Remove", source, version, freight }`, with the public view of the freight, without `growTo`, `until` and `updateRate`. ' +
      "Calls are signed by Standard Webhooks 1.0 with the secret in this response; it is returned only here, and again if the request is repeated with its Idempotency-Key. " +
      "A call succeeds if the connector answers 2xx within 15 seconds, with `{ url }` if the freight has a public page; otherwise it is retried after 15 s, 30 s, 1, 2 and then every 5 minutes, at most 20 times. " +
      "Calls for one freight are made one at a time. A call may be repeated, and a call that timed out may arrive after the next one: use the greatest `version`. " +
      "Existing freights with this number in `sources` are then published.",
    body: SourceInput,
    ok: NewSource,
    status: 201,
    refuses: ["invalid_state", "webhook_target_refused", ...externalReasons],
    example: {
      body: inputExample,
      reply: { ...sourceExample, secret: "whsec_bG9ycnktZG9jdW1lbnRhdGlvbi1leGFtcGxlLWtleSE=" },
    },
    async handle({ body }, context) {
      const { env, caller, newId: record, execute } = context;
      const { authentication = { type: "None" } } = body;
      const endpoint = derivesAddress(authentication) ? undefined : body.endpoint;
      await checkTargets(context, { endpoint, "authentication.tokenUrl": tokenUrlOf(authentication) });
      const about = sealsOf(caller.company, record);
      const { reply, version, replayed } = await execute(commands.add, caller.company, {
        made: {
          record,
          name: body.name,
          ...(endpoint !== undefined && { endpoint: new URL(endpoint).href }),
          authentication: await sealAuthentication(env, about.authentication, authentication),
          sealed: await seal(env, about.secret, newWebhookSecret()),
          calls: calls.filter((call) => (body.calls ?? calls).includes(call)),
          alternativeLocations: body.alternativeLocations ?? false,
        },
      });
      const secret = await unsealForReplay(env, about.secret, reply.sealed);
      const headers = { location: `/api/v1/sources/${reply.source}` };
      return new Answer({ ...viewOf(reply), secret }, { version, replayed, headers });
    },
  }),

  read: get("/api/v1/sources/:source", {
    summary: "Read a source",
    ok: SourceView,
    example: { reply: sourceExample },
    async handle({ params }, { env, caller, execute, request }) {
      const number = numberOf(params.source);
      if (number === board) return boardView(addressOf(request, env));
      const { reply } = await execute(commands.look, caller.company, { source: number });
      if (!reply.source) throw new Problem("not_found");
      return viewOf(reply.source);
    },
  }),

  update,

  remove: del("/api/v1/sources/:source", {
    summary: "Remove a connector",
    description:
      "The connector is no longer called, and freights published there show `NotConfigured`. Its number is not reused. The built-in board cannot be removed. Repeating the request returns the same response.",
    ok: z.object({}),
    status: 204,
    refuses: ["invalid_state"],
    async handle({ params }, { env, caller, execute }) {
      const { reply } = await execute(commands.remove, caller.company, { source: numberOf(params.source) });
      const company = objectOf(env, "COMPANIES", caller.company, caller.company);
      if (reply.record) await company.keepSourceToken(reply.record, undefined);
      return {};
    },
  }),
};

/**
 * Checks the URLs of a new source. A refusal is ignored if an earlier run of the same request created the source.
 * @throws Problem `webhook_target_refused`, `external_…`
 */
async function checkTargets(
  { env, caller, newId: record, send }: Context,
  addresses: Record<string, string | undefined>,
): Promise<void> {
  const refusal = await refusalOfTargets(env, addresses);
  if (refusal && !(await send(commands.isMade, caller.company, { record }))) throw refusal;
}

import { refusalOfTargets } from "../../platform/egress/index.ts";
import { externalReasons } from "../../platform/external.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { invalid, Problem, wrongField } from "../../platform/problem.ts";
import { updateAuthentication, derivesAddress, tokenUrlOf } from "../../platform/receivers/index.ts";
import type { Company, Source } from "../companies/model.ts";
import { SourceUpdate, SourceView, board, calls, inputExample, numberOf, sourceExample, viewOf } from "./model.ts";
import { changedAt, sealsOf, commands, type events, type SourceSettings } from "./commands.ts";

const { put } = operationsOn<Company, typeof events>({ binding: "COMPANIES", scope: "freights" });

export const update = put("/api/v1/sources/:source", {
  summary: "Change a connector",
  description:
    "Replaces name, address, calls and `alternativeLocations`. `authentication` is kept if it is not sent; the signing secret is always kept. Changes apply to later calls; freights that are already published are not published again. Identical values change nothing. The built-in board cannot be changed.",
  body: SourceUpdate,
  ok: SourceView,
  refuses: ["invalid_state", "in_progress", "webhook_target_refused", ...externalReasons],
  example: { body: inputExample, reply: sourceExample },
  async handle({ params, body }, context) {
    const { env, caller, send, execute } = context;
    const source = numberOf(params.source);
    if (source === board)
      throw new Problem("invalid_state", "The built-in board cannot be changed.", { extra: { allowed: [] } });
    const { source: before } = await send(commands.look, caller.company, { source });
    if (!before) throw new Problem("not_found");
    const said = await toSettings(body, before, context);
    await checkTargets(before, said, context);
    const { reply, version } = await execute(commands.change, caller.company, {
      source,
      seen: changedAt(before),
      said,
    });
    // The access token of the previous authentication is no longer valid.
    if (said.authentication !== before.authentication)
      await objectOf(env, "COMPANIES", caller.company, caller.company).keepSourceToken(before.record, undefined);
    return new Answer(viewOf(reply), { version });
  },
});

async function toSettings(body: SourceUpdate, before: Source, { env, caller }: Context): Promise<SourceSettings> {
  const isWithoutAddress = derivesAddress(body.authentication ?? before.authentication.sealed);
  if (!isWithoutAddress && body.endpoint === undefined)
    throw invalid([wrongField(["endpoint"], "required", "endpoint is required.")]);
  // A text that is not a URL is refused later by `checkTargets`.
  const { endpoint: sent = "" } = body;
  const endpoint = isWithoutAddress ? undefined : URL.canParse(sent) ? new URL(sent).href : sent;
  const authentication = await updateAuthentication(env, sealsOf(caller.company, before.record).authentication, {
    before: before.authentication,
    sent: body.authentication,
    isSameAddress: endpoint === before.endpoint,
    addressName: "endpoint",
  });
  return {
    name: body.name,
    ...(endpoint !== undefined && { endpoint }),
    authentication,
    calls: calls.filter((call) => (body.calls ?? calls).includes(call)),
    alternativeLocations: body.alternativeLocations ?? false,
  };
}

async function checkTargets(before: Source, after: SourceSettings, { env }: Context): Promise<void> {
  const tokenUrl = tokenUrlOf(after.authentication.sealed);
  const refusal = await refusalOfTargets(env, {
    ...(after.endpoint !== before.endpoint && { endpoint: after.endpoint }),
    ...(tokenUrl !== tokenUrlOf(before.authentication.sealed) && { "authentication.tokenUrl": tokenUrl }),
  });
  if (refusal) throw refusal;
}

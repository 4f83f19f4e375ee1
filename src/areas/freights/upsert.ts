import { commands as accountCommands } from "../accounts/commands.ts";
import { Answer } from "../../http/responses.ts";
import type { Env, Job } from "../../platform/env.ts";
import {
  numberKey,
  releaseNumber,
  withNumber,
  takeNumber,
  withHolder,
  type NumberRegistry,
} from "../../platform/unique-numbers.ts";
import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { toFreightDetails } from "./details.ts";
import type { FreightInput } from "./input.ts";
import { freightCommands, type FreightUpdate } from "./commands.ts";
import { locate } from "./stops.ts";
import type { FreightView } from "./views.ts";

// Creates and replaces freights and keeps their external numbers unique.

/** External numbers are unique among the live freights of a company. */
const externalNumbers: NumberRegistry = {
  kind: "freights",
  noun: "freight",
  toKey: numberKey,
  async findNumber(env, company, id) {
    const { made } = (await executeCommand(env, freightCommands.number, { company, id }, {})).reply;
    return made && { number: made.externalNumber, isLive: made.isLive };
  },
};

/**
 * Creates a freight.
 * @throws Problem `validation_failed`, `duplicate_external_number`, `in_progress`
 */
export async function create(body: FreightInput, context: Context): Promise<Answer<FreightView>> {
  const update = await toFreightUpdate(body, context);
  const write = (id: string) => context.execute(freightCommands.create, id, update);
  const { externalNumber: number } = update.said;
  const { reply, ...more } = number
    ? await withHolder(externalNumbers, { number, id: context.newId }, context, write)
    : await write(context.newId);
  const { freightId } = reply;
  const headers = { location: `/api/v1/freights/${freightId}`, "x-freight-id": freightId };
  return new Answer(reply, { ...more, headers });
}

/**
 * Replaces a freight.
 * @throws Problem `validation_failed`, `duplicate_external_number`, `invalid_state`, `in_progress`
 */
export async function replace(id: string, body: FreightInput, context: Context): Promise<CommandOutcome<FreightView>> {
  const update = await toFreightUpdate(body, context);
  const { env, caller } = context;
  const asNumbered = () => replaceAsNumbered(id, update, context);
  return (
    (await asNumbered()) ??
    withNumber(
      env,
      externalNumbers,
      caller.company,
      id,
      async () => (await asNumbered()) ?? rename(id, update, context),
    )
  );
}

/**
 * Without an owner in the input, the account of the API key becomes the owner.
 * @throws Problem `account_blocked`
 */
async function toFreightUpdate(input: FreightInput, { env, caller, send }: Context): Promise<FreightUpdate> {
  const { metadata } = input;
  const owner = input.owner ?? caller.account?.email;
  const body = owner === undefined ? input : { ...input, owner };
  const [stops, standing] = await Promise.all([
    locate(env, body),
    owner === undefined ? undefined : send(accountCommands.standing, caller.company, { email: owner }),
  ]);
  if (standing?.isBlocked) throw new Problem("account_blocked", `The account ${owner} is blocked.`);
  return { said: toFreightDetails(body, stops), ...(metadata && { metadata }) };
}

/** @returns undefined, without a change, if the update changes the external number */
async function replaceAsNumbered(id: string, update: FreightUpdate, { execute }: Context) {
  const { reply, ...more } = await execute(freightCommands.replace, id, update);
  return reply === "Renamed" ? undefined : { reply: reply.view, ...more };
}

/** Claims the new external number first and releases the old one last, so that the freight always holds a number. */
async function rename(id: string, update: FreightUpdate, { env, caller: { company }, execute }: Context) {
  const { externalNumber: number } = update.said;
  if (number && (await takeNumber(env, externalNumbers, company, number, id)) !== id)
    throw new Problem("duplicate_external_number", `Another live freight has the number ${number}.`);
  try {
    const { reply, ...more } = await execute(freightCommands.replace, id, { ...update, isHeld: true });
    if (reply === "Renamed") throw new Error("The freight asks for a number that it already holds.");
    if (reply.before) await releaseNumber(env, externalNumbers, company, reply.before, id);
    return { reply: reply.view, ...more };
  } catch (error) {
    if (error instanceof Problem && number) await releaseNumber(env, externalNumbers, company, number, id);
    throw error;
  }
}

/** Runs the job that releases the number of an archived freight. May run twice. */
export async function release({ company, id }: Job, env: Env): Promise<void> {
  const { made } = (await executeCommand(env, freightCommands.number, { company, id }, {})).reply;
  if (made?.externalNumber && !made.isLive) await releaseNumber(env, externalNumbers, company, made.externalNumber, id);
  await executeCommand(env, freightCommands.released, { company, id }, {});
}

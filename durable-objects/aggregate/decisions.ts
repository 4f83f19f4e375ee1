import type { Command } from "../../src/platform/command.ts";
import type { Operation } from "../../src/http/operation.ts";
import type { Env } from "../../src/platform/env.ts";
import type { CommandCall } from "../../src/platform/aggregates.ts";
import { deriveSecret } from "../../src/platform/seal.ts";
import type { CommandContext, Decide } from "../../src/platform/decision.ts";

export type Decisions = Record<string, Decide<never, unknown, never, unknown>>;

/**
 * Returns the decisions of all operations and commands by the name that a call uses, such as `orders.read` or
 * `orders.receive`.
 */
export function decisionsOf(
  areas: Record<string, { operations?: Record<string, Operation>; commands?: Record<string, Command<never, unknown>> }>,
): Decisions {
  const named = Object.entries(areas).flatMap(([area, { operations = {}, commands = {} }]) => [
    ...Object.entries(operations).map(([name, row]) => [`${area}.${name}`, row.decide] as const),
    ...Object.values(commands).map((command) => [command.name, command.decide] as const),
  ]);
  return Object.fromEntries(named.filter(([, decide]) => decide !== undefined)) as Decisions;
}

/**
 * Whether an `If-Match` header contains this version. An ETag may have a digest after a hyphen; only the version is
 * compared.
 */
export const matchesVersion = (header: string, version: number) =>
  header
    .split(",")
    .some((one) => one.trim() === "*" || /^"?(\d+)(?:-[^"]*)?"?$/.exec(one.trim())?.[1] === `${version}`);

/**
 * Builds the context in which a command decides.
 * @param onClockRead called when the decision reads the clock, so that its reply is not cached
 */
export function commandContextOf(
  env: Env,
  { company, id, address, by }: CommandCall,
  { version, onClockRead }: { version: number; onClockRead: () => void },
): CommandContext {
  const at = new Date();
  return {
    get at() {
      onClockRead();
      return at.toISOString();
    },
    company,
    id,
    version,
    address: address ?? env.BASE_URL ?? "",
    by,
    secret: (about) => deriveSecret(env, `${company}/${id}/${about}`),
  };
}

import type { Decide } from "../../src/platform/decision.ts";
import type { Command } from "../../src/platform/command.ts";
import type { Operation } from "../../src/http/operation.ts";

export type Decisions = Record<string, Decide<never, unknown, never, unknown>>;

/** The decisions of areas by their names, as a call names them: `orders.read`, `orders.receive`. */
export function decisionsOf(
  areas: Record<string, { operations?: Record<string, Operation>; commands?: Record<string, Command<never, unknown>> }>,
): Decisions {
  const named = Object.entries(areas).flatMap(([area, { operations = {}, commands = {} }]) => [
    ...Object.entries(operations).map(([name, row]) => [`${area}.${name}`, row.decide] as const),
    ...Object.values(commands).map((command) => [command.name, command.decide] as const),
  ]);
  return Object.fromEntries(named.filter(([, decide]) => decide !== undefined)) as Decisions;
}

import { numberKey, type NumberRegistry } from "../../platform/unique-numbers.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { commands } from "./commands.ts";

/** Order numbers, each of which one order of a company has that is not cancelled. */
export const orderNumbers: NumberRegistry = {
  kind: "orders",
  noun: "order",
  toKey: numberKey,
  async findNumber(env, company, id) {
    const { made } = (await executeCommand(env, commands.number, { company, id }, {})).reply;
    return made && { number: made.orderNumber, isLive: made.isLive };
  },
};

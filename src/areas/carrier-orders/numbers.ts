import { comparedNumber, type Numbers } from "../../kit/numbers.ts";
import { askOwner } from "../../kit/owners.ts";
import { steps } from "./steps.ts";

/** Order numbers, each of which one order of a company has that is not cancelled. */
export const orderNumbers: Numbers = {
  kind: "orders",
  noun: "order",
  compared: comparedNumber,
  async look(env, company, id) {
    const { made } = (await askOwner(env, steps.number, { company, id }, {})).reply;
    return made && { number: made.orderNumber, isLive: made.isLive };
  },
};

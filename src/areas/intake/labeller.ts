import { labellerOf, type LabellerModel, type OrderLabeller } from "../../extraction/kinds/order/labeller/complete.ts";
import type { Env } from "../../platform/env.ts";

const loaded = new WeakMap<Env["ASSETS"], Promise<OrderLabeller | undefined>>();

/** Loads the labeller of orders once per isolate. Undefined if the deployment has none. */
export async function orderLabeller({ ASSETS }: Env): Promise<OrderLabeller | undefined> {
  const labeller = loaded.get(ASSETS) ?? load(ASSETS);
  loaded.set(ASSETS, labeller);
  try {
    return await labeller;
  } catch (cause) {
    loaded.delete(ASSETS);
    throw cause;
  }
}

async function load(assets: Env["ASSETS"]): Promise<OrderLabeller | undefined> {
  const response = await assets.fetch("https://assets/labeller/order.json");
  if (response.ok) return labellerOf(await response.json<LabellerModel>());
  if (response.status !== 404) throw new Error(`The labeller of orders was answered with ${response.status}.`);
  return undefined;
}

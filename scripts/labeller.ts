import { readFileSync } from "node:fs";
import { join } from "node:path";
import { labellerOf, type LabellerModel } from "../src/extraction/kinds/order/labeller/complete.ts";

const shipped = join(import.meta.dirname, "../src/extraction/kinds/order/labeller/model.json");

/** The labeller of orders from disk, for tests and benches. */
export async function shippedLabeller() {
  return (opened ??= labellerOf(JSON.parse(readFileSync(shipped, "utf8")) as LabellerModel));
}

let opened: ReturnType<typeof labellerOf> | undefined;

import { extractOrders } from "../../extraction/extract.ts";
import { extractionJob } from "../intake/jobs.ts";
import { removalJob } from "../intake/removal.ts";
import { commands } from "./commands.ts";
import { envelopeOf, files, type Order, type OrderEnvelope } from "./model.ts";

/** The job `orders.read`: extracts the orders of a file. */
export const extract = extractionJob(files, {
  commands,
  extract: (_: Order, file, context, tools) => extractOrders(file, context, tools),
  envelopesOf: ({ items }): OrderEnvelope[] => items.map(envelopeOf),
  nothingFound: { reason: "input_not_freight", message: "No order was found in the file." },
});

/** The job `orders.remove`. */
export const remove = removalJob(files, commands);

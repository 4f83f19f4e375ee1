import { extractOrders } from "../../extraction/extract.ts";
import { fileJobs } from "../intake/jobs.ts";
import { commands } from "./commands.ts";
import { envelopeOf, files, type Order, type OrderEnvelope } from "./model.ts";

export const jobs = fileJobs(files, {
  commands,
  extract: (_: Order, file, context, tools) => extractOrders(file, context, tools),
  envelopesOf: ({ items }): OrderEnvelope[] => items.map(envelopeOf),
  nothingFound: { reason: "input_not_freight", message: "No order was found in the file." },
});

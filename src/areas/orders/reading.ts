import { readOrders } from "../../extraction/extract.ts";
import { readingAt, removingAt } from "../intake/index.ts";
import { envelopeOf } from "./envelope.ts";
import { folder, reading, type Order } from "./order.ts";
import type { OrderEnvelope } from "./shapes.ts";
import { commands } from "./commands.ts";

/** The work `orders.read`: a file becomes the orders in it. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "orderId",
  commands,
  read: (_: Order, file, context, tools) => readOrders(file, context, tools),
  found: ({ items }): OrderEnvelope[] => items.map(envelopeOf),
  nothing: { reason: "input_not_freight", message: "No order was found in the file." },
});

/** The work `orders.remove`. */
export const remove = removingAt({ folder, commands });

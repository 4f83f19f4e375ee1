import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { oddSenders } from "../support/unusual-orders.ts";
import { createOrder, root, type FeedbackAnswer, type Order } from "../support/feedback.ts";
import { productRuntime } from "./service-processes.ts";

test("feedback that is acknowledged right before a kill -9 is stored and learnt after it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lorry-feedback-"));
  const lorry = await productRuntime(folder);
  try {
    const ask = apiClient({ fetch: (path, init) => fetch(new URL(path, lorry.url), init) }, "demo");
    const orders = [];
    for (const { paper } of oddSenders) orders.push(await createOrder(ask, paper("99001", "BX-1/26", 30)));
    const given = await Promise.all(
      orders.map(({ id }) =>
        ask<FeedbackAnswer>("POST", root, {
          json: {
            subject: { type: "Order", id },
            rating: "Bad",
            corrections: [{ path: "/orderNumber", value: "BX-1/26" }],
          },
        }),
      ),
    );
    await lorry.kill();
    await lorry.start();
    expect(given.map(({ status }) => status)).toEqual(given.map(() => 201));
    for (const [at, { body }] of given.entries()) {
      await vi.waitFor(
        async () => expect((await ask<FeedbackAnswer>("GET", `${root}/${body.feedbackId}`)).body.status).toBe("Learnt"),
        { timeout: 60_000, interval: 100 },
      );
      const { body: order } = await ask<Order>("GET", `/api/v1/orders/${orders[at]!.id}`);
      expect(order.data?.orderNumber).toBe("BX-1/26");
      const next = await createOrder(ask, oddSenders[at]!.paper("99002", "BX-2/26", 31));
      expect(next.order.data?.orderNumber).toBe("BX-2/26");
    }
  } finally {
    await lorry.end();
    await rm(folder, { recursive: true, force: true });
  }
});

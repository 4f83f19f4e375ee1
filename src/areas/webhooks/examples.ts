import type { DeliveryView, SubscriptionView } from "./views.ts";

export const deliveredExample = {
  id: "evt_0193a5f27c1e7a449d2b5f0c3e1a8b79",
  eventType: "OrderProcessed",
  createdAt: "2026-11-20T09:30:01.200Z",
  sequence: 3,
  resource: {
    type: "Order",
    id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
    url: "/api/v2/orders/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
    version: 3,
  },
  status: "Succeeded",
  previousStatus: "Processing",
  metadata: { internalId: "TMS-4711" },
};

export const subscriptionExample: SubscriptionView = {
  subscriptionId: "0193a5f2-8d10-7b02-a9c4-2f6e1d0b7c55",
  status: "Active",
  disablesAfter: { failures: 20, seconds: 86_400 },
  eventTypes: ["All"],
  callbackUrl: "https://tms.beispiel.de/hooks/lorry",
  authentication: { type: "None" },
  payload: "Thin",
  emails: [],
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z",
  failureCount: 0,
  pending: 0,
  droppedCount: 0,
};

export const deliveryExample: DeliveryView = {
  deliveryId: "0193a5f3-0a41-7d20-b6c1-7e8f90a1b2c3",
  eventId: "evt_0193a5f27c1e7a449d2b5f0c3e1a8b79",
  eventType: "OrderProcessed",
  resource: "Order/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
  status: "Pending",
  attempts: [
    {
      kind: "Scheduled",
      at: "2026-11-20T09:30:01.300Z",
      outcome: "Failed",
      milliseconds: 84,
      status: 503,
      answer: "Back in a minute",
    },
  ],
  nextAttemptAt: "2026-11-20T09:30:06.000Z",
  createdAt: "2026-11-20T09:30:01.250Z",
  updatedAt: "2026-11-20T09:30:01.384Z",
};

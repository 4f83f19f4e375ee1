import { defineArea } from "../define-area.ts";
import { events } from "./model.ts";
import { operations } from "./operations.ts";
import { replay } from "./jobs.ts";

/** Webhooks: subscriptions to events, and the delivery of these events. */
export const webhooks = defineArea({
  operations: { webhooks: operations },
  descriptions: { webhooks: "Webhook subscriptions, deliveries and events." },
  events: { Subscription: events },
  jobs: {
    "webhooks.replay": replay,
  },
});

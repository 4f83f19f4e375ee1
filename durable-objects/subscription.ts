import * as webhooks from "../src/areas/webhooks.ts";
import type { DeliveryHealth, SubscriptionApi } from "../src/kit/owners.ts";
import type { Event } from "../src/kit/decision.ts";
import { Deliveries } from "./deliveries.ts";
import { decisionsOf, earliest, Owner } from "./owner.ts";

/** One object for each webhook: what it wants to hear, what is on its way to it, and how that went. */
export class SubscriptionObject extends Owner<webhooks.Subscription> implements SubscriptionApi {
  readonly noun = "Subscription";
  readonly binding = "SUBSCRIPTIONS";
  readonly decisions = decisionsOf({ webhooks });
  urlOf = (id: string) => `/api/v1/webhooks/${id}`;
  archiveRow = () => undefined;
  private readonly deliveries = new Deliveries(this.ctx.storage, this.env);

  async enqueue(events: Event[]): Promise<"Taken" | "Gone"> {
    const subscription = this.load()?.state;
    if (!subscription || subscription.deletedAt) return "Gone";
    this.deliveries.add(events.map((event) => ({ event, body: bodyOf(event, subscription.payload) })));
    await this.arm();
    return "Taken";
  }

  async health(): Promise<DeliveryHealth> {
    return this.deliveries.health();
  }

  protected override async pump(): Promise<void> {
    await super.pump();
    const kept = this.load();
    if (!kept) return;
    if (kept.state.deletedAt) return this.deliveries.drop();
    await this.deliveries.send(() => this.load()?.state, webhooks.sealsOf(kept.company, kept.id));
  }

  protected override nextDue(): number | undefined {
    return earliest(super.nextDue(), this.deliveries.nextDue());
  }
}

function bodyOf(event: Event, payload: "Thin" | "Full"): string {
  const { id, type, at, sequence, resource, status, previousStatus, documentId, metadata, data } = event;
  return JSON.stringify({
    id,
    eventType: type,
    createdAt: at,
    sequence,
    resource,
    status,
    previousStatus,
    documentId,
    metadata,
    ...(payload === "Full" && { data }),
  });
}

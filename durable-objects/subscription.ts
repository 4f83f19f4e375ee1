import { bodyOf } from "../src/areas/webhooks/views.ts";
import { commands } from "../src/areas/webhooks/commands.ts";
import { resealed, sealsOf, type Subscription } from "../src/areas/webhooks/model.ts";
import type { Event } from "../src/platform/decision.ts";
import { PersonFinder, type Person } from "../src/domain/person.ts";
import type { DeliveryQuery, DeliveryHealth, SubscriptionApi, TestOutcome } from "../src/platform/aggregates.ts";
import { deleteDone } from "./deliveries/log-retention.ts";
import { Deliveries } from "./deliveries/deliveries.ts";
import { lastOfNext } from "./deliveries/erase.ts";
import { waitingTypes, type Entry } from "./deliveries/rows.ts";
import { earliest } from "./aggregate/alarm.ts";
import { Mails } from "./deliveries/mails.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";
import type { Terms } from "./deliveries/sender.ts";

/**
 * How long the tombstone of a deleted webhook is stored, so that aggregates with events for it learn that it is gone.
 */
const tombstoneMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** One object for each webhook: its subscription, its deliveries with their log, and the mails about its health. */
export class SubscriptionObject extends Aggregate<Subscription> implements SubscriptionApi {
  readonly noun = "Subscription";
  readonly decisions = decisionsOf({ webhooks: { commands } });
  urlOf = (id: string) => `/api/v1/webhooks/${id}`;
  archiveRow = () => undefined;
  protected override resealed = (state: Subscription, company: string, id: string) =>
    resealed(this.env, company, id, state);
  private readonly mails = new Mails(this.ctx.storage, this.tables, this.env, () => this.terms());
  private readonly deliveries = new Deliveries(
    this.ctx.storage,
    this.tables,
    this.env,
    () => this.terms(),
    (transition, run) => this.mails.sendHealthMail(transition, run),
    () => void this.arm(),
  );

  /** Executes a command; a reset, a new URL or a deletion takes effect on the deliveries at once. */
  override async execute(asked: string): Promise<string> {
    const before = this.load()?.state;
    const said = await super.execute(asked);
    if (this.load()?.state !== before) await this.follow();
    return said;
  }

  async enqueue(events: Event[]): Promise<"Taken" | "Gone"> {
    const subscription = this.living();
    if (!subscription) return "Gone";
    this.deliveries.add(events.map((event) => entryOf(event, subscription)));
    await this.arm();
    return "Taken";
  }

  async replay(events: Event[]): Promise<void> {
    const subscription = this.living();
    if (!subscription) return;
    this.deliveries.replay(events.map((event) => entryOf(event, subscription)));
    await this.arm();
  }

  async resend(deliveryId: string, askId: string, types: readonly string[]): Promise<boolean> {
    const isThere = this.living() !== undefined && this.deliveries.resend(deliveryId, askId, types);
    await this.arm();
    return isThere;
  }

  async test(eventId: string): Promise<TestOutcome | undefined> {
    const terms = this.terms();
    if (!terms) return undefined;
    const attempt = this.deliveries.test(entryOf(this.testEvent(eventId), terms.subscription));
    await this.arm();
    const outcome = await attempt;
    return outcome && { eventId, ...outcome };
  }

  async health(): Promise<DeliveryHealth> {
    return this.deliveries.health();
  }

  async waitingTypes(): Promise<string[]> {
    return this.tables.has("delivery") ? waitingTypes(this.sql) : [];
  }

  async deliveryLog(asked: DeliveryQuery) {
    return this.deliveries.log(asked);
  }

  async forgetThings(about: string[]): Promise<void> {
    this.deliveries.forgetThings(about);
  }

  /** Erases a person from the subscription and its mails. The delivery log is erased separately, in batches. */
  override async erase(person: Person, isListed?: boolean): Promise<boolean> {
    const finder = new PersonFinder(person);
    const wasNamed = await super.erase(person, isListed);
    const wasMailed = this.mails.erase((json) => finder.isInJson(json));
    await this.follow();
    return wasNamed || wasMailed;
  }

  async nextDeliveries(after: number): Promise<number | undefined> {
    return this.tables.has("delivery") ? lastOfNext(this.sql, after) : undefined;
  }

  async forgetDeliveries(before: number): Promise<boolean> {
    return this.tables.has("delivery") && this.tables.transaction(() => deleteDone(this.sql, before));
  }

  async eraseDeliveries(person: Person, after: number, upTo: number): Promise<boolean> {
    const wasSent = this.deliveries.erase(new PersonFinder(person), after, upTo);
    await this.arm();
    return wasSent;
  }

  protected override async runDue(): Promise<void> {
    try {
      await super.runDue();
    } finally {
      await this.carryDeliveriesOn();
    }
  }

  private async carryDeliveriesOn(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    if (kept.state.deletedAt && Date.parse(kept.state.deletedAt) + tombstoneMilliseconds <= Date.now())
      return this.deleteEverything();
    this.deliveries.send();
    this.deliveries.purge();
    await this.mails.send();
  }

  protected override nextDue(): number | undefined {
    const deletedAt = this.load()?.state.deletedAt;
    if (deletedAt) return earliest(super.nextDue(), Date.parse(deletedAt) + tombstoneMilliseconds);
    return earliest(super.nextDue(), this.deliveries.nextDue(), this.mails.nextDue());
  }

  private async follow(): Promise<void> {
    const subscription = this.living();
    if (subscription) {
      this.mails.sendConfirmation(subscription.emails ?? []);
      this.deliveries.send();
    } else this.deliveries.drop();
    await this.arm();
  }

  private living(): Subscription | undefined {
    const subscription = this.load()?.state;
    return subscription?.deletedAt ? undefined : subscription;
  }

  private terms(): Terms | undefined {
    const kept = this.load();
    if (!kept || kept.state.deletedAt) return undefined;
    const { company, id, state: subscription } = kept;
    return { subscription, company, id, seals: sealsOf(company, id) };
  }

  private testEvent(id: string): Event {
    const { company, id: subscriptionId, version } = this.load()!;
    const url = `${this.env.BASE_URL ?? ""}${this.urlOf(subscriptionId)}`;
    return {
      id,
      type: "Test",
      company,
      at: new Date().toISOString(),
      sequence: version,
      resource: { type: this.noun, id: subscriptionId, url, version },
      status: "Active",
      data: { message: "Hello from Lorry." },
    };
  }
}

const entryOf = (event: Event, { payload }: Subscription): Entry => ({
  event,
  body: JSON.stringify(bodyOf(event, payload)),
});

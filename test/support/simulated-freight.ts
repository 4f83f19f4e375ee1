import { FreightObject } from "../../durable-objects/freight.ts";
import { toFreightDetails } from "../../src/areas/freights/details.ts";
import { FreightInput } from "../../src/areas/freights/input.ts";
import { locate } from "../../src/areas/freights/stops.ts";
import type { ArchiveRow } from "../../src/platform/archive/archive.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env, Job } from "../../src/platform/env.ts";
import type { Person } from "../../src/domain/person.ts";
import { runPendingPromises } from "../faults/platform/timeline.ts";
import { objectId, SimulatedObject, type Running } from "./simulated-object.ts";

export const freightId = objectId;

/**
 * The product's freight object on a simulated platform. By default, the simulation itself is the only subscriber to its
 * events.
 */
export class SimulatedFreight extends SimulatedObject<FreightObject> {
  readonly heard: (Event & { data: { currentPrice?: number; status: string } })[] = [];
  readonly works: string[] = [];
  /** The freight's row in the simulated archive. */
  row: ArchiveRow | undefined;
  /** Number of archive jobs that were sent, and whether sending fails. */
  told = 0;
  isArchiveAway = false;
  /** Subscribers by id, with the handler of a call to each. */
  readonly webhooks = new Map<string, (events: Event[]) => Promise<"Taken">>([
    ["all", async (events) => this.hear(events)],
  ]);
  /** Whether calls that ask the company for its subscribers fail. */
  isCompanyAway = false;
  companyCalls = 0;
  /** Whether the freight is in the company's list of lagging records, and how often this was reported. */
  isLagging = false;
  lagReports = 0;
  /** Settings of the deployment. Changes apply to later instances. */
  vars: Partial<Env> = { SEAL_KEY: Buffer.alloc(32, 7).toString("base64") };

  constructor() {
    super(FreightObject);
  }

  /** Erases a person, as an erasure does. */
  async erase(person: Person): Promise<boolean> {
    const erased = this.inLife((object) => object.erase(person));
    await runPendingPromises();
    return erased;
  }

  /** Parses the body of a freight into the input that the Worker passes to the object. */
  async said(body: unknown) {
    const input = FreightInput.parse(body);
    return { said: toFreightDetails(input, await locate({} as Env, input)) };
  }

  /** Makes the environment of one instance. After the instance has ended, its calls have no effect and get no reply. */
  protected env(life: Running): Env {
    const alone = <Object>(object: Object) => ({ getByName: () => object });
    const calling =
      <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) =>
      (...asked: Asked) =>
        new Promise<Answer>((resolve, reject) => {
          if (life.isOver) return;
          call(...asked).then(
            (answer) => life.isOver || resolve(answer),
            (error: unknown) => life.isOver || reject(error as Error),
          );
        });
    return {
      ...this.vars,
      COMPANIES: alone({
        subscribers: calling(async () => this.subscribers()),
        lagsBehind: calling(async () => this.lags()),
        hasCaughtUp: calling(async () => void (this.isLagging = false)),
      }),
      SUBSCRIPTIONS: {
        getByName: (name: string) => ({ enqueue: calling(this.webhooks.get(name.slice(name.indexOf("/") + 1))!) }),
      },
      CHANGES: { send: calling(() => this.archive()) },
      WORK: { send: calling(async ({ work }: Job) => void this.works.push(work)) },
    } as unknown as Env;
  }

  private lags(): void {
    if (this.isCompanyAway) throw new Error("The company is away.");
    this.isLagging = true;
    this.lagReports++;
  }

  private subscribers() {
    this.companyCalls++;
    if (this.isCompanyAway) throw new Error("The company is away.");
    return [...this.webhooks.keys()].map((id) => ({ id, eventTypes: ["All"], since: "" }));
  }

  /** Receives events as a subscriber, and ignores events that it already has. */
  hear(events: Event[]): "Taken" {
    const fresh = events.filter(({ id }) => !this.heard.some((known) => known.id === id));
    this.heard.push(...(fresh as typeof this.heard));
    return "Taken";
  }

  private async archive(): Promise<void> {
    if (this.isArchiveAway) throw new Error("The archive is away.");
    this.told++;
    await this.inLife(async (object) => {
      const projection = await object.projection();
      if (!projection) return;
      this.row = projection.row;
      await object.archived({ version: projection.version, upTo: projection.upTo });
    });
  }
}

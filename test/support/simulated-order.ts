import { vi } from "vitest";
import { OrderObject } from "../../durable-objects/order.ts";
import { extractionJob } from "../../src/areas/intake/jobs.ts";
import { removalJob } from "../../src/areas/intake/removal.ts";
import { files, type Order } from "../../src/areas/orders/model.ts";
import { commands } from "../../src/areas/orders/commands.ts";
import type { Env, Job } from "../../src/platform/env.ts";
import { fileMemory } from "../../src/http/memory-pool.ts";
import type { ExtractionResult } from "../../src/extraction/document/extraction-result.ts";
import type { OrderView } from "../../src/extraction/kinds/order/view.ts";
import { runPendingPromises } from "../faults/platform/timeline.ts";
import { SimulatedObject, objectId, type Running } from "./simulated-object.ts";

/** The platform evicts an object that has been idle for this time. */
const idleMilliseconds = 10_000;
const retryMilliseconds = 4_000;
const file = { key: "a", name: "a.pdf", mediaType: "application/pdf", sizeBytes: 1, sha256: "00" };

/** A queue consumer that extracts the order. The platform may kill the consumer. */
export interface Reader extends Running {
  /** When the extraction began and ended, in simulated milliseconds. */
  began: number;
  ended?: number;
  /** Whether the consumer's calls fail. */
  isCutOff?: boolean;
  /** Whether the consumer continues after it has lost its lease. */
  isStubborn?: boolean;
}

const answerOfOcr = {
  width: 1000,
  height: 1400,
  words: [{ text: "Order", confidence: 0.9, size: 20, x0: 0, y0: 0, x1: 9, y1: 9 }],
  rulings: [],
  confidence: 0.9,
  turn: 0,
  memory: 1,
};

/**
 * The product's order object on a simulated platform that evicts idle objects. Several consumers may extract it
 * concurrently.
 */
export class SimulatedOrder extends SimulatedObject<OrderObject> {
  readonly files = new Map<string, string>();
  readonly readers: Reader[] = [];
  instances = 0;
  /** Duration of an extraction. */
  readingMilliseconds = 0;
  /** The file is a scan with this many pages. OCR takes this many milliseconds per page. */
  scan = { pages: 0, milliseconds: 0 };
  /** Number of pages that were sent to OCR. */
  pagesSeen = 0;
  /** Whether the storage does not respond. */
  isStorageAway = false;
  private calls = 0;
  /**
   * Replaces the memory pool. In production each consumer has its own, so a killed consumer's reservations affect no
   * other.
   */
  private readonly memory = vi
    .spyOn(fileMemory, "with")
    .mockImplementation((_bytes, _waiting, act) => act(() => undefined));

  constructor() {
    super(OrderObject);
  }

  override close(): void {
    super.close();
    this.memory.mockRestore();
  }

  receive = () => this.ask(commands.receive, { file });

  remove = () => this.ask(commands.remove, {});

  /** Asks the object of a deleted order which of its data remain. */
  remains = () => this.ask(commands.remains, {});

  async order(): Promise<Order & { version: number }> {
    const said = await this.ask(commands.look, {});
    if (!said || "refused" in said) throw new Error("There is no order.");
    return { ...said.reply, version: said.version };
  }

  /** Delivers the job to a new consumer, as the queue may do although another consumer already has it. */
  deliver(work = "orders.read"): void {
    const consumer: Running = { isOver: false };
    const job: Job = { binding: "ORDERS", company: this.company, id: objectId, work };
    const does = work === "orders.remove" ? this.delete : this.read;
    const done = this.running.run(consumer, () => does(job, this.env()));
    done.catch(() => !consumer.isOver && this.timeline.after(retryMilliseconds, () => this.deliver(work)));
  }

  protected override object(): OrderObject {
    const before = this.life;
    const object = super.object();
    if (before !== this.life) this.instances++;
    return object;
  }

  private readonly delete = removalJob(files, commands);

  private readonly read = extractionJob<Order, ExtractionResult<OrderView>>(files, {
    commands,
    extract: async (_record, _file, _context, { budget, recognise }) => {
      const reader = Object.assign(this.running.getStore()!, { began: this.timeline.passed }) as Reader;
      this.readers.push(reader);
      for (let page = 0; page < this.scan.pages; page++)
        await recognise!({ bytes: Uint8Array.of(page), page }, { depth: "Whole", languages: ["en"], turn: 0 });
      for (let left = this.readingMilliseconds; left > 0; left -= 1000) {
        budget.allow(1000);
        await new Promise((passed) => setTimeout(passed, 1000));
        if (!reader.isStubborn) budget.check();
      }
      reader.ended = this.timeline.passed;
      const number = `read ${this.readers.indexOf(reader)}`;
      const item = { data: { orderNumber: number } as OrderView, evidence: [], checks: [] };
      return { status: "Read", items: [item], engine: "lorry-1", pages: 1, format: "Pdf", warnings: [] };
    },
    envelopesOf: ({ items }) =>
      items.map(({ data }) => ({ sequenceId: 0, status: "Succeeded" as const, data })) as never,
    nothingFound: { reason: "input_not_freight", message: "Nothing." },
  });

  protected env(): Env {
    const facts = async () => `${JSON.stringify({ version: 1 })}\n${JSON.stringify({ name: "Trans Beispiel" })}`;
    return {
      SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
      ASSETS: {},
      ORDERS: { getByName: () => ({ execute: (asked: string) => this.called(asked) }) },
      COMPANIES: { getByName: () => ({ execute: facts, subscribers: async () => [] }) },
      FILES: {
        get: async (key: string) => {
          if (this.isStorageAway) throw new Error("Network connection lost.");
          const json = this.files.get(key);
          if (json !== undefined) return { json: async () => JSON.parse(json) };
          return key === file.key ? { bytes: async () => new Uint8Array(1) } : null;
        },
        put: async (key: string, json: string) => void this.files.set(key, json),
        delete: async (keys: string | string[]) => {
          for (const key of [keys].flat()) this.files.delete(key);
        },
        list: async ({ prefix }: { prefix: string }) => ({
          objects: [...this.files.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
          truncated: false,
        }),
      },
      OCR: {
        fetch: async () => {
          this.pagesSeen++;
          await new Promise((passed) => setTimeout(passed, this.scan.milliseconds));
          return Response.json(answerOfOcr);
        },
      },
      CLAIMS: { getByName: () => ({ release: async () => undefined }) },
      CHANGES: { send: async () => undefined },
      WORK: { send: async ({ work }: Job) => this.timeline.after(10, () => this.deliver(work)) },
    } as unknown as Env;
  }

  /**
   * Calls the object for the consumer in which the current code runs. A killed consumer makes no call and gets no
   * response.
   */
  private async called(asked: string): Promise<string> {
    const caller = this.running.getStore() as Reader | undefined;
    if (caller?.isOver) return new Promise(() => undefined);
    if (caller?.isCutOff) throw new Error("Network connection lost.");
    const said = await this.inLife((object) => object.execute(asked));
    const { life } = this;
    const call = ++this.calls;
    this.timeline.after(idleMilliseconds, () => void (call === this.calls && life === this.life && this.end()));
    await runPendingPromises();
    return said;
  }
}

import type { Env } from "../../src/platform/env.ts";
import type { AggregateBinding } from "../../src/platform/registered.ts";
import { logFault } from "../../src/platform/log.ts";
import { objectOf } from "../../src/platform/aggregates.ts";

interface Thing {
  company: string;
  id: string;
}

/**
 * Reports an aggregate to the register of its company (`ArchiveRegister`) while its archive job is late, so that an
 * erasure finds it. While the archive keeps up, nothing is sent. A failed report is repeated in the next round.
 */
export class ArchiveLag {
  private readonly env: Env;
  private readonly binding: () => AggregateBinding;
  private isReported = false;

  constructor(env: Env, binding: () => AggregateBinding) {
    this.env = env;
    this.binding = binding;
  }

  async report({ company, id }: Thing): Promise<void> {
    if (this.isReported) return;
    try {
      await objectOf(this.env, "COMPANIES", company, company).lagsBehind(this.binding(), id);
      this.isReported = true;
    } catch (error) {
      logFault("archive.lagging", error, { company, id });
    }
  }

  /**
   * Removes the aggregate from the register. If this fails, the next erasure removes it.
   * @param wasLate whether the archive job was late; an earlier instance may then have reported the aggregate
   */
  async end({ company, id }: Thing, wasLate: boolean): Promise<void> {
    if (!this.isReported && !wasLate) return;
    this.isReported = false;
    try {
      await objectOf(this.env, "COMPANIES", company, company).hasCaughtUp(this.binding(), id);
    } catch (error) {
      logFault("archive.caughtUp", error, { company, id });
    }
  }
}

import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/platform/env.ts";
import { logFault } from "../src/platform/log.ts";
import type { Claim, ClaimApi } from "../src/platform/aggregates.ts";
import { Alarm } from "./aggregate/alarm.ts";

/** One object for each claim: a unique name within a company, held by one record at a time. */
export class ClaimObject extends DurableObject<Env> implements ClaimApi {
  private readonly alarmTimer = new Alarm(this.ctx.storage, {
    due: () => this.held()?.until,
    failed: (error) => logFault("Claim.alarm", error),
  });

  async take(wanted: Claim): Promise<Claim & { fresh: boolean }> {
    const held = this.held();
    if (held && isHeld(held)) return { ...this.renewed(held, wanted), fresh: false };
    this.ctx.storage.kv.put("claim", wanted);
    await this.alarmTimer.arm();
    return { ...wanted, fresh: true };
  }

  async renew({ holder, until }: Claim): Promise<boolean> {
    const held = this.held();
    if (held?.holder !== holder) return false;
    // The alarm is not changed: when it fires, it is set for the new expiry.
    this.ctx.storage.kv.put("claim", { ...held, until });
    return true;
  }

  async release({ holder, note }: Claim): Promise<void> {
    const held = this.held();
    if (held?.holder === holder && (note === undefined || held.note === note)) await this.deleteEverything();
  }

  async forget(): Promise<void> {
    await this.deleteEverything();
  }

  /** Updates the note when the holder takes its own claim again. */
  private renewed(held: Claim, { holder, note }: Claim): Claim {
    if (held.holder !== holder || note === undefined || note === held.note) return held;
    const claim = { ...held, note };
    this.ctx.storage.kv.put("claim", claim);
    return claim;
  }

  override alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.alarmTimer.fire(info, async () => {
      const held = this.held();
      if (!held || !isHeld(held)) await this.deleteEverything();
    });
  }

  private held(): Claim | undefined {
    return this.ctx.storage.kv.get<Claim>("claim");
  }

  private async deleteEverything(): Promise<void> {
    this.alarmTimer.clear();
    await this.ctx.storage.deleteAll();
  }
}

const isHeld = ({ until }: Claim) => until === undefined || until > Date.now();

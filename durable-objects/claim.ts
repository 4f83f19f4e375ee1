import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/kit/env.ts";
import type { Claim, ClaimApi } from "../src/kit/owners.ts";

/** One name of one company, held by one thing at a time. */
export class ClaimObject extends DurableObject<Env> implements ClaimApi {
  async take(wanted: Claim): Promise<Claim & { fresh: boolean }> {
    const held = this.ctx.storage.kv.get<Claim>("claim");
    if (held && isHeld(held)) return { ...this.renewed(held, wanted), fresh: false };
    this.ctx.storage.kv.put("claim", wanted);
    if (wanted.until !== undefined) await this.ctx.storage.setAlarm(wanted.until);
    return { ...wanted, fresh: true };
  }

  async release({ holder, note }: Claim): Promise<void> {
    const held = this.ctx.storage.kv.get<Claim>("claim");
    if (held?.holder === holder && (note === undefined || held.note === note)) await this.ctx.storage.deleteAll();
  }

  /** Whoever takes what it has has it with what it says now. */
  private renewed(held: Claim, { holder, note }: Claim): Claim {
    if (held.holder !== holder || note === undefined || note === held.note) return held;
    const claim = { ...held, note };
    this.ctx.storage.kv.put("claim", claim);
    return claim;
  }

  override async alarm(): Promise<void> {
    const held = this.ctx.storage.kv.get<Claim>("claim");
    if (!held || !isHeld(held)) await this.ctx.storage.deleteAll();
    else if (held.until !== undefined) await this.ctx.storage.setAlarm(held.until);
  }
}

const isHeld = ({ until }: Claim) => until === undefined || until > Date.now();

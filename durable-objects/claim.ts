import { DurableObject } from "cloudflare:workers";
import type { Env } from "../src/kit/env.ts";
import type { Claim, ClaimApi } from "../src/kit/owners.ts";

/** One name of one company, held by one thing at a time. */
export class ClaimObject extends DurableObject<Env> implements ClaimApi {
  async take(wanted: Claim): Promise<Claim & { fresh: boolean }> {
    const held = this.ctx.storage.kv.get<Claim>("claim");
    if (held && isHeld(held)) return { ...held, fresh: false };
    this.ctx.storage.kv.put("claim", wanted);
    if (wanted.until !== undefined) await this.ctx.storage.setAlarm(wanted.until);
    return { ...wanted, fresh: true };
  }

  async release(holder: string): Promise<void> {
    if (this.ctx.storage.kv.get<Claim>("claim")?.holder === holder) await this.ctx.storage.deleteAll();
  }

  override async alarm(): Promise<void> {
    const held = this.ctx.storage.kv.get<Claim>("claim");
    if (!held || !isHeld(held)) await this.ctx.storage.deleteAll();
    else if (held.until !== undefined) await this.ctx.storage.setAlarm(held.until);
  }
}

const isHeld = ({ until }: Claim) => until === undefined || until > Date.now();

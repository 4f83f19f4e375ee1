import { viewOf, type Transaction } from "../../src/areas/transactions/model.ts";
import type { Actor, AuditEntry } from "../../src/platform/audit.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { newId } from "../../src/platform/ids.ts";
import { shownFeed, type Feed } from "./feeds.ts";

type Resource = AuditEntry["resource"];

/** The result of a change: the reply, and the events, job and audit entry that are committed with it. */
export interface CommitResult<Reply> {
  reply: Reply;
  events?: Event[];
  work?: string;
  audit?: AuditEntry | undefined;
}

/** Builds the events and audit entries of a ledger. */
export class LedgerEvents {
  private readonly env: Env;
  private readonly company: () => string;

  constructor(env: Env, company: () => string) {
    this.env = env;
    this.company = company;
  }

  flagged(one: Transaction, previousStatus?: string): Event {
    const { id, version, status, metadata } = one;
    const resource = { type: "Transaction", id, version } as const;
    return this.event("TransactionFlagged", resource, `/${id}`, {
      status,
      previousStatus,
      metadata,
      data: viewOf(one),
    });
  }

  imported(feed: Feed): Event {
    const { feedId, version, status, metadata } = feed;
    const resource = { type: "TransactionFeed", id: feedId, version } as const;
    return this.event("TransactionFeedImported", resource, `/feeds/${feedId}`, {
      status,
      metadata,
      data: shownFeed(feed),
    });
  }

  entry(actor: Actor, resource: Resource, at: string): AuditEntry {
    return { auditId: newId(), company: this.company(), at, actor, resource };
  }

  /**
   * Builds the audit entry for a reconciliation with an invoice. It names the whole ledger, not single transactions.
   */
  settled(actor: Actor, documentId: string, version: number, at: string): AuditEntry {
    const resource = { type: "Transactions", id: this.company(), version } as const;
    return { ...this.entry(actor, resource, at), about: documentId };
  }

  private event(
    type: string,
    resource: Resource,
    path: string,
    {
      status,
      previousStatus,
      metadata,
      data,
    }: { status: string; previousStatus?: string | undefined; metadata: Event["metadata"] | undefined; data: unknown },
  ): Event {
    return {
      id: `evt_${newId().replaceAll("-", "")}`,
      type,
      company: this.company(),
      at: new Date().toISOString(),
      sequence: resource.version,
      resource: { ...resource, url: `${this.env.BASE_URL ?? ""}/api/v1/transactions-feed${path}` },
      status,
      ...(previousStatus && { previousStatus }),
      ...(metadata && { metadata }),
      data,
    };
  }
}

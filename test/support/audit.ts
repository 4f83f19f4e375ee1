import { expect, vi } from "vitest";
import type { ApiClient } from "./api-client.ts";

export interface AuditEntry {
  auditId: string;
  at: string;
  operation: string;
  actor: { type: string; keyId?: string; accountId?: string; shareId?: string };
  resource: { type: string; id: string; version: number };
  about?: string;
  requestId?: string;
}

/** Waits until `count` entries match the query, and returns them. */
export const waitForAudit = (ask: ApiClient, query: string, count: number): Promise<AuditEntry[]> =>
  vi.waitFor(
    async () => {
      const { body } = await ask<{ items: AuditEntry[] }>("GET", `/api/v1/audit?${query}`);
      expect(body.items).toHaveLength(count);
      return body.items;
    },
    { timeout: 50_000, interval: 100 },
  );

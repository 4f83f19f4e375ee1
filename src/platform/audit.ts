import type { RecordType } from "./registered.ts";

/** Who asks for a change, as the audit log tells it: no names, but the ids by which they are found. */
export interface Actor {
  /** By a key of the company, by a link without an account, by a mail, or as the operator of the deployment. */
  type: "Key" | "Link" | "Mail" | "Operator";
  /** What was asked: `freights.withdraw`. */
  operation: string;
  keyId?: string;
  accountId?: string;
  /** Of a guest the id of the share. */
  shareId?: string;
  mailId?: string;
  requestId?: string;
}

/** One change of one thing, and who asked for it. Written in the commit that made the change. */
export interface AuditEntry {
  auditId: string;
  company: string;
  /** ISO 8601, UTC. */
  at: string;
  actor: Actor;
  /** What was changed, and the version it has from then on. */
  resource: { type: RecordType; id: string; version: number };
  /** Which part of it. */
  about?: string;
}

/** An entry as it is shown. */
export function viewOfEntry({ auditId, at, actor, resource, about }: AuditEntry) {
  const { operation, requestId, ...who } = actor;
  return { auditId, at, operation, actor: who, resource, ...(about && { about }), ...(requestId && { requestId }) };
}

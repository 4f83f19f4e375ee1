import type { RecordType } from "./registered.ts";

/** The actor that requested a change, for the audit log: ids only, no names. */
export interface Actor {
  /** A key of the company, a link for guests, an incoming mail, or the operator of the deployment. */
  type: "Key" | "Link" | "Mail" | "Operator";
  /** Id of the operation, such as `freights.withdraw`. */
  operation: string;
  keyId?: string;
  accountId?: string;
  /** The share that a guest used. */
  shareId?: string;
  mailId?: string;
  requestId?: string;
}

/** A change of a record and its actor, stored together with the change. */
export interface AuditEntry {
  auditId: string;
  company: string;
  /** ISO 8601, UTC. */
  at: string;
  actor: Actor;
  resource: { type: RecordType; id: string; version: number };
  /** Id of the changed part of the record, if not the whole record changed. */
  about?: string;
}

/** Converts an audit entry to its view in the API. */
export function viewOfEntry({ auditId, at, actor, resource, about }: AuditEntry) {
  const { operation, requestId, ...who } = actor;
  return { auditId, at, operation, actor: who, resource, ...(about && { about }), ...(requestId && { requestId }) };
}

import type { Actor, AuditEntry } from "../../src/platform/audit.ts";
import type { RecordType } from "../../src/platform/registered.ts";
import { eventContextOf, type Event, type DomainEvent, type CommandContext } from "../../src/platform/decision.ts";
import { newId } from "../../src/platform/ids.ts";

interface Resource {
  type: RecordType;
  url: string;
}

/** Converts a domain event to the published event. */
export function toEvent(
  { type, status, data, ...circumstances }: DomainEvent<Record<string, never>>,
  context: CommandContext,
  resource: Resource,
  metadata: Record<string, string> | undefined,
): Event {
  return {
    id: `evt_${newId().replaceAll("-", "")}`,
    type,
    company: context.company,
    at: context.at,
    sequence: context.version,
    resource: { type: resource.type, id: context.id, url: resource.url, version: context.version },
    status,
    ...eventContextOf(circumstances),
    ...(metadata && { metadata }),
    ...(data !== undefined && { data }),
  };
}

/** Builds the audit entry for the change that leads to the version in `context`. */
export function toAuditEntry(
  actor: Actor,
  { company, id, at, version }: CommandContext,
  { type }: Resource,
  about: string | undefined,
): AuditEntry {
  return { auditId: newId(), company, at, actor, resource: { type, id, version }, ...(about && { about }) };
}

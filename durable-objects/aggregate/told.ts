import type { Actor, AuditEntry } from "../../src/platform/audit.ts";
import type { RecordType } from "../../src/platform/credential.ts";
import { circumstancesOf, type Event, type Happened, type Moment } from "../../src/platform/decision.ts";
import { newId } from "../../src/platform/ids.ts";

/** What it happened to, as events name it, and where that is found. */
interface Resource {
  type: RecordType;
  url: string;
}

/** A happening as it leaves its owner. */
export function eventOf(
  { type, status, data, ...circumstances }: Happened<Record<string, never>>,
  moment: Moment,
  resource: Resource,
  metadata: Record<string, string> | undefined,
): Event {
  return {
    id: `evt_${newId().replaceAll("-", "")}`,
    type,
    company: moment.company,
    at: moment.at,
    sequence: moment.version,
    resource: { type: resource.type, id: moment.id, url: resource.url, version: moment.version },
    status,
    ...circumstancesOf(circumstances),
    ...(metadata && { metadata }),
    ...(data !== undefined && { data }),
  };
}

/** Who asked for the change of this version. */
export function entryOf(
  actor: Actor,
  { company, id, at, version }: Moment,
  { type }: Resource,
  about: string | undefined,
): AuditEntry {
  return { auditId: newId(), company, at, actor, resource: { type, id, version }, ...(about && { about }) };
}

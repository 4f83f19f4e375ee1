import * as z from "zod";
import type { ArchiveRow } from "../../platform/archive/archive.ts";
import { exact, rangeFrom, rangeTo, searchable } from "../../platform/archive/searchable.ts";
import { viewOfEntry, type AuditEntry } from "../../platform/audit.ts";
import { choice, QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";

const Term = z.string().max(200);
/** A search term for an id. Ids are stored in lower case. */
const IdTerm = Term.toLowerCase();

/** How entries of the audit log are listed and searched. */
export const search = searchable<AuditEntry, ReturnType<typeof viewOfEntry>>()({
  table: "audit",
  sort: ["createdAt"],
  immutable: true,
  fields: {
    operation: exact(
      z
        .string()
        .regex(/^\w{1,100}\.\w{1,100}$/, "Not the name of an operation such as accounts.block")
        .optional()
        .describe("The operation: `freights.withdraw`."),
      ({ actor }) => actor.operation,
    ),
    actor: exact(choice(["Key", "Link", "Mail", "Operator"]).optional(), ({ actor }) => actor.type),
    keyId: exact(IdTerm.optional(), ({ actor }) => actor.keyId),
    accountId: exact(IdTerm.optional().describe("The account that owns the key."), ({ actor }) => actor.accountId),
    resourceType: exact(Term.optional().describe("`Order`, `Freight`, `Company` …"), ({ resource }) => resource.type),
    resourceId: exact(
      IdTerm.optional().describe("The changed record, or the changed part of it."),
      ({ resource, about }) => [resource.id, about],
    ),
    requestId: exact(IdTerm.optional(), ({ actor }) => actor.requestId),
    from: rangeFrom("createdAt", QueryMoment.optional()),
    to: rangeTo("createdAt", QueryMomentEnd.optional()),
  },
});

export function auditRow(entry: AuditEntry): ArchiveRow {
  const { auditId: id, company, at } = entry;
  return search.row(entry, { id, company, createdAt: at, updatedAt: at, view: viewOfEntry(entry) });
}

import { everyone, type ArchiveRow } from "../../platform/archive/archive.ts";
import { shown, statusOf, type Company } from "../companies.ts";
import type { TenantView } from "./shapes.ts";

/** Nothing but its dates is known of a company that was deleted. */
export function viewOf(company: Company, companyId: string): TenantView {
  const { createdAt, updatedAt = createdAt, suspension, deletion, facts } = company;
  const status = statusOf(company);
  return {
    companyId,
    ...(status === "Deleted" ? { languageModel: "Off" as const } : shown(facts)),
    status,
    createdAt,
    updatedAt,
    ...(suspension && { suspendedAt: suspension.at, ...(suspension.reason && { suspendedReason: suspension.reason }) }),
    ...(deletion && { deletionRequestedAt: deletion.at, ...(deletion.doneAt && { deletedAt: deletion.doneAt }) }),
  };
}

/** How it is listed for the operator. */
export function companyRow(company: Company, _: string, id: string): ArchiveRow {
  const view = viewOf(company, id);
  const { status, createdAt, updatedAt, name, otherNames = [] } = view;
  return {
    table: "companies",
    id,
    company: everyone,
    createdAt,
    updatedAt,
    terms: [`status:${status}`],
    text: [name, ...otherNames].filter(Boolean).join(" "),
    columns: {},
    view,
  };
}

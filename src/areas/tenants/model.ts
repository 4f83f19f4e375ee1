import * as z from "zod";
import { LineText, optional } from "../../domain/shapes.ts";
import { type Company, CompanyView, companyExample, companyStatuses, shown, statusOf } from "../companies/model.ts";

/** A company as the operator of the deployment sees it. */
export const TenantView = CompanyView.partial({ name: true })
  .extend({
    status: z
      .enum(companyStatuses)
      .describe("`Deleting` until all its data is deleted. Of a `Deleted` company only this record is kept."),
    updatedAt: z.string(),
    suspendedAt: z.string().optional(),
    suspendedReason: z.string().optional(),
    deletionRequestedAt: z.string().optional(),
    deletedAt: z.string().optional(),
  })
  .meta({ id: "Tenant" });
export type TenantView = z.output<typeof TenantView>;

export const SuspendInput = z
  .object({ reason: optional(LineText(500)).describe("For the operator only; not shown to the company.") })
  .meta({ id: "TenantSuspendInput" });
export type SuspendInput = z.output<typeof SuspendInput>;

export const TenantKeyInput = z
  .object({
    revokeOthers: z
      .boolean()
      .optional()
      .describe(
        "Whether to revoke all other keys of the company. Webhooks created with them stop until they are reset.",
      ),
    description: optional(LineText(200)),
  })
  .meta({ id: "TenantKeyInput" });

export const TenantKeyView = z
  .object({
    companyId: z.string(),
    keyId: z.string(),
    key: z.string().optional().describe("Has all permissions in the company."),
    createdAt: z.string(),
    revokedKeys: z.number().int().describe("Number of other keys that were revoked."),
  })
  .meta({ id: "TenantKey" });

export const example: TenantView = { ...companyExample, status: "Active", updatedAt: companyExample.createdAt };

/** Returns the view for the operator. For a deleted company, it contains only the status and dates. */
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

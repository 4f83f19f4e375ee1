import * as z from "zod";
import { listParameters } from "../../platform/lists.ts";
import { choice, LineText, said } from "../../domain/shapes.ts";
import { companyExample, companyStatuses, CompanyView } from "../companies.ts";

/** A company as the operator of the deployment sees it. */
export const TenantView = CompanyView.partial({ name: true })
  .extend({
    status: z
      .enum(companyStatuses)
      .describe("`Deleting` until everything of it is gone; of a `Deleted` one nothing but this is kept."),
    updatedAt: z.string(),
    suspendedAt: z.string().optional(),
    suspendedReason: z.string().optional(),
    deletionRequestedAt: z.string().optional(),
    deletedAt: z.string().optional(),
  })
  .meta({ id: "Tenant" });
export type TenantView = z.output<typeof TenantView>;

export const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt"]),
  status: choice(companyStatuses).optional(),
  text: z.string().max(200).optional().describe("Words of its names; each may be the beginning of one."),
});

export const SuspendInput = z
  .object({ reason: said(LineText(500)).describe("For the operator; the company is not told.") })
  .meta({ id: "TenantSuspendInput" });
export type SuspendInput = z.output<typeof SuspendInput>;

export const TenantKeyInput = z
  .object({
    revokeOthers: z
      .boolean()
      .optional()
      .describe(
        "Whether all other keys of the company are revoked; the webhooks made with them stop until they are reset.",
      ),
    description: said(LineText(200)),
  })
  .meta({ id: "TenantKeyInput" });

export const TenantKeyView = z
  .object({
    companyId: z.string(),
    keyId: z.string(),
    key: z.string().optional().describe("May do everything in the company."),
    createdAt: z.string(),
    revokedKeys: z.number().int().describe("How many other keys were revoked."),
  })
  .meta({ id: "TenantKey" });

export const example: TenantView = { ...companyExample, status: "Active", updatedAt: companyExample.createdAt };

import * as z from "zod";
import { scopes } from "../../platform/credential.ts";
import { Id, LineText } from "../../domain/shapes.ts";
import { type Key } from "../companies/model.ts";

const Scopes = z.array(z.enum(scopes)).min(1).describe("What the key may do; `write` includes `read`.");

export const KeyInput = z
  .object({
    scopes: Scopes,
    description: LineText(200).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("Must be in the future."),
    accountId: Id.optional().describe(
      "The account that owns the key: the key has at most the permissions of the account's role, and none while the account is blocked. Default: the account of the key that makes the request, if it has one.",
    ),
  })
  .meta({ id: "KeyInput" });

export const RotateInput = z
  .object({
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(30 * 86_400)
      .optional()
      .describe("How long the old key remains valid, in seconds. Default: one day; maximum: 30 days."),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("Expiry of the new key; must be in the future."),
    description: LineText(200).optional().describe("Default: the description of the old key."),
  })
  .meta({ id: "KeyRotation" });

export const KeyView = z
  .object({
    keyId: z.string(),
    scopes: z.array(z.string()),
    description: z.string().optional(),
    accountId: z.string().optional().describe("The account that owns the key."),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
    updatedAt: z.string().describe("When the key was created, or when another key replaced it."),
    lastUsedAt: z.string().optional().describe("Accurate to about a minute."),
    replacedBy: z.string().optional().describe("The key that replaced it."),
  })
  .meta({ id: "KeyView" });

export const Token = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.number().describe("Seconds."),
    scope: z.string(),
  })
  .meta({ id: "Token" });

export const keyExample: z.output<typeof KeyView> = {
  keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000002",
  scopes: ["orders:write", "webhooks:write"],
  description: "Our TMS",
  createdAt: "2026-11-20T08:05:00.000Z",
  updatedAt: "2026-11-20T08:05:00.000Z",
};

export const secondKey = "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000003";

export const events = {};

export const viewOf = ({
  keyId,
  scopes: held,
  description,
  accountId,
  createdAt,
  updatedAt,
  expiresAt,
  replacedBy,
}: Key) => ({
  keyId,
  scopes: held,
  createdAt,
  updatedAt: updatedAt ?? createdAt,
  ...(description !== undefined && { description }),
  ...(accountId && { accountId }),
  ...(expiresAt && { expiresAt }),
  ...(replacedBy && { replacedBy }),
});

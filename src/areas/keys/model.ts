import * as z from "zod";
import { scopes } from "../../platform/credential.ts";
import { Id, LineText } from "../../domain/shapes.ts";
import { type Key } from "../companies/model.ts";
// What it is

const Scopes = z.array(z.enum(scopes)).min(1).describe("What the key may do; `write` includes `read`.");

export const KeyInput = z
  .object({
    scopes: Scopes,
    description: LineText(200).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("A moment to come."),
    accountId: Id.optional().describe(
      "Whose key it is: it does what the account's role allows, and nothing while the account is blocked. Without it the key is of the account of the key that asks, if that is somebody's.",
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
      .describe("How long the old key goes on being good; a day when not said, 30 days at most."),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe("When the new key expires; a moment to come."),
    description: LineText(200).optional().describe("That of the old key when not said."),
  })
  .meta({ id: "KeyRotation" });

export const KeyView = z
  .object({
    keyId: z.string(),
    scopes: z.array(z.string()),
    description: z.string().optional(),
    accountId: z.string().optional().describe("Whose it is."),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
    updatedAt: z.string().describe("When it was made, or when another key took its place."),
    lastUsedAt: z.string().optional().describe("To about a minute."),
    replacedBy: z.string().optional().describe("The key that was made in its place."),
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

// What happens to it

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

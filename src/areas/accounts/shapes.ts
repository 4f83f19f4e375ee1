import * as z from "zod";
import { listParameters } from "../../platform/lists.ts";
import { choice, Id, LineText, Metadata, said } from "../../domain/shapes.ts";

export const roles = ["admin", "forwarder", "viewer", "carrier"] as const;
export type Role = (typeof roles)[number];
export const accountStatuses = ["Active", "Blocked"] as const;

const Email = z.email("Not an e-mail address").max(254);
const about = {
  role: choice(roles).describe(
    "What the account's keys may do at most: an `admin` everything, a `forwarder` everything but change accounts and keys, a `viewer` read. A `carrier` is somebody freights are shown to: it acts by its links and has no keys.",
  ),
  name: said(LineText(200)),
  phone: said(LineText(50)),
  metadata: Metadata.optional(),
};

export const AccountInput = z.object({ email: Email, ...about }).meta({ id: "AccountInput" });
export type AccountInput = z.output<typeof AccountInput>;

export const AccountChange = z.object(about).meta({ id: "AccountChange" });
export type AccountChange = z.output<typeof AccountChange>;

/** Which account is meant; by its id or by its address. */
const named = { accountId: said(Id), email: said(Email) };
const isNamed = ({ accountId, email }: { accountId?: string | undefined; email?: string | undefined }) =>
  accountId !== undefined || email !== undefined;
const unnamed = { message: "accountId or email must be given", path: ["email"], params: { code: "required" } };

export const BlockInput = z
  .object({
    ...named,
    reason: said(LineText(500)),
    until: said(z.iso.datetime({ offset: true })).describe("A moment to come, at which it is unblocked by itself."),
  })
  .refine(isNamed, unnamed)
  .meta({ id: "AccountBlockInput" });
export type BlockInput = z.output<typeof BlockInput>;

export const UnblockInput = z.object(named).refine(isNamed, unnamed).meta({ id: "AccountUnblockInput" });
export type UnblockInput = z.output<typeof UnblockInput>;

export const AccountView = z
  .object({
    accountId: z.string(),
    email: z.string(),
    role: z.enum(roles),
    status: z.enum(accountStatuses),
    name: z.string().optional(),
    phone: z.string().optional(),
    blockedAt: z.string().optional(),
    blockedReason: z.string().optional(),
    blockedUntil: z.string().optional(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Account" });
export type AccountView = z.output<typeof AccountView>;

export const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "email"]),
  status: choice(accountStatuses).optional(),
  role: choice(roles).optional(),
  email: z.string().max(254).optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("What stands in the name or the address."),
});
export type ListQuery = z.output<typeof ListQuery>;

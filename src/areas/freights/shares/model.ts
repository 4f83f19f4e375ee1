import * as z from "zod";
import { Id, LineText, Text, optional } from "../../../domain/shapes.ts";
import { createHash } from "node:crypto";
import type { CommandContext } from "../../../platform/decision.ts";
import { sameDigest } from "../../../platform/key-format.ts";
import { parseShareLink, formatShareLink } from "../../../platform/share-link.ts";

/** Maximum number of addresses with which a company may share a freight. */
export const maxShares = 1000;

const Recipient = z.preprocess(
  (value) => (typeof value === "string" ? { email: value } : value),
  z.object({
    email: z.email("Not an e-mail address").max(254),
    name: optional(LineText(200)),
    language: optional(z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, "Not a language tag such as de or pt-BR")).describe(
      "ISO 639-1, optionally with a country. Used for the mail and the page if supported, otherwise English.",
    ),
  }),
);
const Recipients = z.array(Recipient).max(200);

export const ShareInput = z
  .object({
    freightIds: z.array(Id).min(1).max(50),
    recipients: optional(Recipients).describe("Carriers to whom the link is sent immediately."),
    message: optional(Text(5000)),
    hidePrice: optional(z.boolean()).describe("Whether the link hides the price, so that carriers name their own."),
    tiers: optional(
      z
        .array(
          z.object({
            afterMinutes: z.number().int().min(0).max(43_200).describe("Counted from now; at most 30 days."),
            recipients: Recipients.min(1),
          }),
        )
        .max(20),
    ).describe("Carriers to whom the link is sent later, if the freight is still published."),
  })
  .refine(({ recipients = [], tiers = [] }) => recipients.length + tiers.length > 0, {
    message: "At least one recipient is required",
    path: ["recipients"],
    params: { code: "required" },
  })
  .refine(
    ({ recipients = [], tiers = [] }) =>
      [recipients, ...tiers.map((tier) => tier.recipients)].flat().length <= maxShares,
    {
      message: `At most ${maxShares} recipients are allowed, those of all tiers included`,
      path: ["recipients"],
      params: { code: "too_big" },
    },
  )
  .meta({ id: "ShareInput" });
export type ShareInput = z.output<typeof ShareInput>;

export const Shared = z
  .object({
    items: z
      .array(
        z.object({
          freightId: z.string(),
          shareId: z.string(),
          email: z.string(),
          name: z.string().optional(),
          tier: z.number().int().describe("0 for `recipients`, 1 and more for `tiers`."),
          dueAt: z.string(),
          status: z
            .enum(["Waiting", "Sent"])
            .describe("`Waiting`: the tier is not due yet, and the link is not valid."),
          link: z
            .string()
            .describe("The recipient's own page: it grants access to the freight and to the offers of this address."),
        }),
      )
      .describe("One entry for each freight and recipient."),
  })
  .meta({ id: "FreightsShared" });

// The state of the shares of a freight. Pure functions.

/**
 * Permission for the owner of one mail address to see a freight by a link.
 * `Waiting`: its tier is not due yet.
 * `Sent`: the link is valid.
 * `Cancelled`: the freight was archived before the tier was due, or the guest was blocked when the mail was due.
 * `Revoked`: the freight is archived, and the link is disabled.
 */
export interface Share {
  shareId: string;
  /** In lower case. */
  email: string;
  name?: string;
  /** Language of mail and page: ISO 639-1, optionally with a country. */
  language?: string;
  message?: string;
  hidePrice: boolean;
  /** Index of the tier in the request that shared the freight, by due time. Tier 0 is sent at once. */
  tier: number;
  dueAt: string;
  status: "Waiting" | "Sent" | "Cancelled" | "Revoked";
  sentAt?: string;
  /** Absent if the deployment sends no mails. */
  mailedAt?: string;
  /** Whether a visitor of the board requested the share. */
  byBoard?: true;
  /** Whether the mail was sent or will never be sent. */
  isSettled?: true;
  /** Base URL of the deployment when the freight was shared. The link starts with it. */
  address: string;
  /** SHA-256 of the link's secret, in hex. */
  secretDigest: string;
}

export interface Recipient {
  shareId: string;
  email: string;
  name?: string;
  language?: string;
  tier: number;
  afterMinutes: number;
}

/** The values that all shares of one request have in common. */
export interface Invitation {
  byBoard?: true;
  message?: string;
  hidePrice: boolean;
}

/** Job that mails links. */
export const mailJob = "freights.share";

const maxByBoard = 200;

/** Whether there are too many shares. Those requested on the board are counted apart from the company's own. */
export function isTooMany(shares: readonly Share[], { byBoard }: Pick<Invitation, "byBoard">): boolean {
  const requested = shares.filter((share) => share.byBoard).length;
  return byBoard ? requested > maxByBoard : shares.length - requested > maxShares;
}

/**
 * Shares the freight with further recipients. An address that has a share gets no second mail: its message and language
 * are replaced, and a waiting share may become due earlier.
 * @returns all shares; `meant`: those of the given recipients, in their order
 */
export function shareWith(
  shares: readonly Share[],
  recipients: readonly Recipient[],
  { message, hidePrice, byBoard }: Invitation,
  context: Pick<CommandContext, "at" | "secret" | "address">,
): { shares: Share[]; meant: Share[] } {
  const all = new Map(shares.map((share) => [share.email, share]));
  const meant = new Set<string>();
  for (const { shareId, email: written, name, language, tier, afterMinutes } of recipients) {
    const email = written.toLowerCase();
    const dueAt = new Date(Date.parse(context.at) + afterMinutes * 60_000).toISOString();
    const before = all.get(email);
    // In a published freight, only a guest who was blocked when the mail was due has a cancelled share. This guest gets
    // a new one.
    const current = before?.status === "Cancelled" ? undefined : before;
    const isSooner = current?.status === "Waiting" && dueAt < current.dueAt;
    const { byBoard: wasRequested, ...own } =
      current ?? newShare({ shareId, email, name, language }, { hidePrice, byBoard }, { tier, dueAt });
    const link = { address: context.address, secretDigest: digestOf(context.secret(about(own.shareId))) };
    const origin = byBoard && wasRequested && { byBoard };
    // A visitor of the board must not change the language of a guest whom the company invited.
    const spoken = language && (!byBoard || wasRequested) && { language };
    const sooner = isSooner && { tier, dueAt };
    all.set(email, { ...own, ...link, ...origin, ...spoken, ...(message && { message }), ...sooner });
    meant.add(email);
  }
  return { shares: [...all.values()], meant: [...meant].map((email) => all.get(email)!) };
}

type NewShare = Omit<Share, "address" | "secretDigest">;

const newShare = (
  { shareId, email, name, language }: Pick<Recipient, "shareId" | "email" | "name" | "language">,
  { hidePrice, byBoard }: Invitation,
  { tier, dueAt }: Pick<Share, "tier" | "dueAt">,
): NewShare => ({
  shareId,
  email,
  ...(name && { name }),
  ...(language && { language }),
  hidePrice,
  tier,
  dueAt,
  status: "Waiting",
  ...(byBoard && { byBoard }),
});

/** Marks due shares as sent, which makes their links valid. */
export function sendShares(shares: readonly Share[], at: string): { shares: Share[]; sent: Share[] } {
  const isDue = ({ status, dueAt }: Share) => status === "Waiting" && dueAt <= at;
  const after = shares.map((share): Share => (isDue(share) ? { ...share, status: "Sent", sentAt: at } : share));
  return { shares: after, sent: after.filter((_, index) => isDue(shares[index]!)) };
}

/** Returns when the next tier is due, in milliseconds since 1970. */
export function nextShareDue(shares: readonly Share[]): number | undefined {
  const times = shares.flatMap(({ status, dueAt }) => (status === "Waiting" ? [Date.parse(dueAt)] : []));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Disables all links of an archived freight. */
export const revokeShares = (shares: readonly Share[]): Share[] =>
  shares.map((share) => ({
    ...share,
    status: share.status === "Waiting" ? "Cancelled" : share.status === "Sent" ? "Revoked" : share.status,
  }));

/** Returns the shares whose mail is pending. */
export const sharesToMail = (shares: readonly Share[]): Share[] =>
  shares.filter(({ status, isSettled }) => status === "Sent" && !isSettled);

interface MailResults {
  mailed: readonly string[];
  unsendable: readonly string[];
  blocked?: readonly string[];
}

/**
 * Records results of mails. `unsendable`: the deployment sends no mails. `blocked`: the company has blocked the guest.
 */
export const recordMailResults = (
  shares: readonly Share[],
  { mailed, unsendable, blocked = [] }: MailResults,
  at: string,
): Share[] =>
  shares.map((share) => {
    if (blocked.includes(share.shareId)) return { ...share, status: "Cancelled", isSettled: true };
    if (mailed.includes(share.shareId)) return { ...share, mailedAt: at, isSettled: true };
    return unsendable.includes(share.shareId) ? { ...share, isSettled: true } : share;
  });

/** Returns the URL of the guest's page. */
export const shareLink = (
  { shareId, address }: Pick<Share, "shareId" | "address">,
  { company, id, secret }: Pick<CommandContext, "company" | "id" | "secret">,
): string => `${address}/freight/${formatShareLink(company, id, secret(about(shareId)))}`;

/** @param digest SHA-256 of the link's secret, in hex */
export const shareOf = (shares: readonly Share[], digest: string): Share | undefined =>
  shares.find(({ secretDigest }) => sameDigest(digest, secretDigest));

/** The content of the token in a link. */
export interface GuestToken {
  company: string;
  freightId: string;
  /** SHA-256 of the secret, in hex. */
  digest: string;
}

/** Parses a token; undefined if it is malformed. The secret is not checked here. */
export function readGuestToken(token: string): GuestToken | undefined {
  const link = parseShareLink(token);
  return link && { company: link.company, freightId: link.id, digest: digestOf(link.secret) };
}

const about = (shareId: string) => `freight/share/${shareId}`;

const digestOf = (secret: string) => createHash("sha256").update(Buffer.from(secret, "base64url")).digest("hex");

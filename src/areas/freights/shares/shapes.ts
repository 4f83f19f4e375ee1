import * as z from "zod";
import { Id, LineText, said, Text } from "../../../domain/shapes.ts";
import { mostShares } from "./shares.ts";

// To whom a freight is shown

const Recipient = z.preprocess(
  (given) => (typeof given === "string" ? { email: given } : given),
  z.object({
    email: z.email("Not an e-mail address").max(254),
    name: said(LineText(200)),
    language: said(z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, "No language such as de or pt-BR")).describe(
      "ISO 639-1, perhaps with a country: the mail and its page speak it where they can, else English.",
    ),
  }),
);
const Recipients = z.array(Recipient).max(200);

export const ShareInput = z
  .object({
    freightIds: z.array(Id).min(1).max(50),
    recipients: said(Recipients).describe("Who hears of it at once."),
    message: said(Text(5000)),
    hidePrice: said(z.boolean()).describe("The link shows no price: carriers say theirs."),
    tiers: said(
      z
        .array(
          z.object({
            afterMinutes: z.number().int().min(0).max(43_200).describe("From now; 30 days at most."),
            recipients: Recipients.min(1),
          }),
        )
        .max(20),
    ).describe("Who hears of it later, if the freight is still to be had then."),
  })
  .refine(({ recipients = [], tiers = [] }) => recipients.length + tiers.length > 0, {
    message: "Somebody must be named",
    path: ["recipients"],
    params: { code: "required" },
  })
  .refine(
    ({ recipients = [], tiers = [] }) =>
      [recipients, ...tiers.map((tier) => tier.recipients)].flat().length <= mostShares,
    {
      message: `At most ${mostShares} may be named, all tiers together`,
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
          tier: z.number().int().describe("0 for those who hear of it at once."),
          dueAt: z.string(),
          status: z.enum(["Waiting", "Sent"]).describe("`Waiting` for its time; the link is good from then on."),
          link: z
            .string()
            .describe("The guest's own page: whoever has it sees the freight and deals for this address."),
        }),
      )
      .describe("One for each freight and recipient."),
  })
  .meta({ id: "FreightsShared" });

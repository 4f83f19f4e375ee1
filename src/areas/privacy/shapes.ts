import * as z from "zod";
import { LineText, said } from "../../domain/shapes.ts";

export const PersonInput = z
  .strictObject({
    email: said(z.email("Not an e-mail address").max(254)),
    name: said(
      LineText(200).regex(/\p{L}[\s,]+\p{L}/u, "Not two words: one alone names other things as well"),
    ).describe("Two words at least, as they are written; they may stand in another order, and without marks."),
    phone: said(LineText(50).regex(/(?:\D*\d){7}/, "Not a phone number")).describe(
      "Compared by its last nine figures; a shorter one by all of them, with and without its country. What reads as a date is none.",
    ),
  })
  .refine(({ email, name, phone }) => email !== undefined || name !== undefined || phone !== undefined, {
    message: "email, name or phone must be given",
    path: ["email"],
    params: { code: "required" },
  })
  .meta({ id: "PersonInput", description: "Somebody; whatever names him by one of these is meant." });
export type PersonInput = z.output<typeof PersonInput>;

export const PrivacyRequestView = z
  .object({
    privacyRequestId: z.string(),
    kind: z.enum(["Export", "Erase"]),
    status: z.enum(["Running", "Done"]),
    records: z.number().int().describe("Records that named the person."),
    files: z.number().int().describe("Files that named the person, or were read into such a record."),
    events: z.number().int().describe("Events that named the person, told or not."),
    expiresAt: z.string().optional().describe("What was exported can be fetched until then."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "PrivacyRequest" });
export type PrivacyRequestView = z.output<typeof PrivacyRequestView>;

export const PrivacyExport = z
  .object({
    person: z.object({ email: z.string().optional(), name: z.string().optional(), phone: z.string().optional() }),
    createdAt: z.string(),
    records: z.array(
      z.object({
        type: z.string(),
        id: z.string(),
        url: z.string(),
        mentions: z
          .array(z.object({ pointer: z.string(), value: z.string() }))
          .describe(
            "With its place in what `url` answers; what is kept and not answered there, with its place inside of the record.",
          ),
      }),
    ),
    files: z
      .array(z.string())
      .describe(
        "Where each is fetched, as a path; one that no operation answers is called by its place in the storage.",
      ),
    events: z.array(z.unknown()),
  })
  .meta({ id: "PrivacyExport" });
export type PrivacyExport = z.output<typeof PrivacyExport>;

import * as z from "zod";
import { choice } from "../../domain/shapes.ts";

/** `locations[].address.postalCode`: names with points between, `[]` where every item of a list is meant. */
const path = (what: string) =>
  z
    .string()
    .max(200)
    .regex(
      /^[\p{L}\p{N}_$-]+(?:\[\])?(?:\.[\p{L}\p{N}_$-]+(?:\[\])?){0,9}$/u,
      `Not a ${what}: names with points between, [] after a list`,
    )
    .refine((text) => !/(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|\[|$)/.test(text), "No name for a field");

const DataPath = path("path into the data");
const ResultPath = path("path into the result");

const few =
  (most: number) =>
  (map: object): boolean =>
    Object.keys(map).length <= most;
const Plain = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);

const lists = (text: string) => text.split("[]").length - 1;
const Renames = z
  .record(DataPath, ResultPath)
  .refine(few(200), "At most 200 renames")
  .superRefine((map, context) => {
    for (const [from, to] of Object.entries(map))
      if (lists(from) !== lists(to))
        context.addIssue({ code: "custom", path: [from], message: "Both sides need [] as often as each other" });
  });

/** How a company wants requests for quotes to look. */
export const MappingProfile = z
  .object({
    of: choice(["Read", "Default"])
      .default("Default")
      .describe("What is mapped: the data as read, or filled up as `/default` answers it."),
    renames: Renames.default({}).describe(
      "Where each field goes: `locations[].address.postalCode` → `stops[].zip`. Everything else stays where it is.",
    ),
    onlyRenamed: z.boolean().default(false).describe("Leaves out what is not renamed."),
    constants: z
      .record(ResultPath, Plain)
      .refine(few(100), "At most 100 constants")
      .default({})
      .describe("What stands at a path of the result, whatever was read."),
    ids: z
      .record(DataPath, z.record(z.string().max(200), Plain).refine(few(500), "At most 500 ids"))
      .refine(few(20), "At most 20 fields with ids of their own")
      .default({})
      .describe("Your own ids for the values of a field of the data; other values stay as they are."),
    dateFormat: z
      .string()
      .max(50, { abort: true })
      .regex(
        /^[^A-Za-z']*(?:(?:yyyy|YYYY|MM|mm|dd|DD|HH|hh|ss|SS|'[^']*')[^A-Za-z']*)+$/,
        "Not a date format: yyyy, MM, dd, HH, mm, ss",
      )
      .optional()
      .describe(
        "How dates and times look: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`; other letters in quotes. ISO 8601 when not said.",
      ),
  })
  .meta({ id: "MappingProfile" });
export type MappingProfile = z.output<typeof MappingProfile>;

/** The profile as it is kept; one that nobody has set is empty. */
export const MappingProfileView = z
  .object({ configured: z.boolean().describe("Whether the company has said one.") })
  .extend(MappingProfile.shape)
  .meta({ id: "MappingProfileView" });

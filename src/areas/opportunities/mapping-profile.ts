import * as z from "zod";
import { choice } from "../../domain/shapes.ts";
import type { OpportunityData } from "./model.ts";

/** A path such as `locations[].address.postalCode`. `[]` stands for every item of a list. */
const path = (noun: string) =>
  z
    .string()
    .max(200)
    .regex(
      /^[\p{L}\p{N}_$-]+(?:\[\])?(?:\.[\p{L}\p{N}_$-]+(?:\[\])?){0,9}$/u,
      `Not a ${noun}. Send names separated by dots, with [] after the name of a list`,
    )
    .refine(
      (text) => !/(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|\[|$)/.test(text),
      "A path cannot contain the names __proto__, constructor and prototype",
    );

const DataPath = path("path into the data");
const ResultPath = path("path into the result");

const hasAtMost =
  (max: number) =>
  (map: object): boolean =>
    Object.keys(map).length <= max;
const Plain = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);

const countLists = (text: string) => text.split("[]").length - 1;
const Renames = z
  .record(DataPath, ResultPath)
  .refine(hasAtMost(200), "At most 200 renames")
  .superRefine((map, context) => {
    for (const [from, to] of Object.entries(map))
      if (countLists(from) !== countLists(to))
        context.addIssue({
          code: "custom",
          path: [from],
          message: "Both paths must contain [] the same number of times",
        });
  });

/** The format in which the API returns requests for quotes to a company. */
export const MappingProfile = z
  .object({
    of: choice(["Read", "Default"])
      .default("Default")
      .describe("The mapped data: as extracted (`Read`), or completed as in the response of `/default`."),
    renames: Renames.default({}).describe(
      "New path of each field: `locations[].address.postalCode` → `stops[].zip`. All other fields stay where they are.",
    ),
    onlyRenamed: z.boolean().default(false).describe("Omits fields that are not renamed."),
    constants: z
      .record(ResultPath, Plain)
      .refine(hasAtMost(100), "At most 100 constants")
      .default({})
      .describe("Fixed values by their path in the result."),
    ids: z
      .record(DataPath, z.record(z.string().max(200), Plain).refine(hasAtMost(500), "At most 500 ids"))
      .refine(hasAtMost(20), "At most 20 fields can have ids")
      .default({})
      .describe("Your ids for the values of a field. Values without an id stay as they are."),
    dateFormat: z
      .string()
      .max(50, { abort: true })
      .regex(
        /^[^A-Za-z']*(?:(?:yyyy|YYYY|MM|mm|dd|DD|HH|hh|ss|SS|'[^']*')[^A-Za-z']*)+$/,
        "Not a date format such as dd.MM.yyyy HH:mm. It may contain yyyy, MM, dd, HH, mm and ss; put other letters in quotes, such as yyyy-MM-dd'T'HH:mm",
      )
      .optional()
      .describe(
        "Format of dates and times: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`; other letters in quotes. ISO 8601 by default.",
      ),
  })
  .meta({ id: "MappingProfile" });
export type MappingProfile = z.output<typeof MappingProfile>;

/** The stored profile, or an empty one. */
export const MappingProfileView = z
  .object({ configured: z.boolean().describe("Whether the company has a profile.") })
  .extend(MappingProfile.shape)
  .meta({ id: "MappingProfileView" });

type Tree = Record<string, unknown>;

/** Converts data to the format of a profile. */
export function applyProfile(
  data: OpportunityData,
  { renames, onlyRenamed, constants, ids, dateFormat }: MappingProfile,
): Tree {
  const source = structuredClone(data) as Tree;
  for (const [path, own] of Object.entries(ids)) replace(source, stepsOf(path), (value) => own[String(value)] ?? value);
  if (dateFormat) replaceTexts(source, (text) => formatDate(text, dateFormat));
  const result: Tree = onlyRenamed ? {} : structuredClone(source);
  const moves = Object.entries(renames).map(([from, to]) => ({ values: valuesAt(source, stepsOf(from)), from, to }));
  if (!onlyRenamed) for (const { from } of moves) remove(result, stepsOf(from));
  for (const { values, to } of moves) for (const { value, indexes } of values) put(result, stepsOf(to), indexes, value);
  for (const [path, value] of Object.entries(constants)) put(result, stepsOf(path), [], value);
  return result;
}

interface Step {
  name: string;
  isList: boolean;
}

const stepsOf = (path: string): Step[] =>
  path.split(".").map((part) => ({ name: part.replace(/\[\]$/, ""), isList: part.endsWith("[]") }));

/** A value, and the indexes of the list items on its path. */
interface ValueInTree {
  value: unknown;
  indexes: number[];
}

function valuesAt(node: unknown, steps: readonly Step[], indexes: number[] = []): ValueInTree[] {
  const [step, ...rest] = steps;
  if (!step) return node === undefined ? [] : [{ value: node, indexes }];
  if (typeof node !== "object" || node === null) return [];
  const child = (node as Tree)[step.name];
  if (!step.isList) return valuesAt(child, rest, indexes);
  return Array.isArray(child) ? child.flatMap((item, index) => valuesAt(item, rest, [...indexes, index])) : [];
}

function put(tree: Tree, steps: readonly Step[], indexes: readonly number[], value: unknown): void {
  const [step, ...rest] = steps;
  if (!step) return;
  if (!step.isList) {
    if (rest.length === 0) tree[step.name] = value;
    else put((tree[step.name] = objectIn(tree[step.name])), rest, indexes, value);
    return;
  }
  const list = Array.isArray(tree[step.name]) ? (tree[step.name] as unknown[]) : [];
  tree[step.name] = list;
  const [index = 0, ...deeper] = indexes;
  while (list.length < index) list.push({});
  if (rest.length === 0) list[index] = value;
  else put((list[index] = objectIn(list[index])), rest, deeper, value);
}

const objectIn = (value: unknown): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Tree) : {};

function remove(node: unknown, steps: readonly Step[]): void {
  const [step, ...rest] = steps;
  if (!step || typeof node !== "object" || node === null) return;
  const tree = node as Tree;
  const child = tree[step.name];
  if (rest.length === 0) delete tree[step.name];
  else for (const each of step.isList && Array.isArray(child) ? child : [child]) remove(each, rest);
  if (isEmpty(tree[step.name])) delete tree[step.name];
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((each) => isEmpty(each));

function replace(node: unknown, steps: readonly Step[], by: (value: unknown) => unknown): void {
  const [step, ...rest] = steps;
  if (!step || typeof node !== "object" || node === null) return;
  const tree = node as Tree;
  const child = tree[step.name];
  if (child === undefined) return;
  if (!step.isList && rest.length === 0) tree[step.name] = by(child);
  else if (!step.isList) replace(child, rest, by);
  else if (Array.isArray(child) && rest.length === 0) tree[step.name] = child.map(by);
  else if (Array.isArray(child)) for (const item of child) replace(item, rest, by);
}

function replaceTexts(node: unknown, change: (text: string) => string): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node as Tree)) {
    if (typeof value === "string") (node as Tree)[name] = change(value);
    else replaceTexts(value, change);
  }
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?)?$/;

/** Other strings than dates and times are returned unchanged. */
function formatDate(text: string, format: string): string {
  const [, yyyy, MM, dd, HH = "00", mm = "00", ss = "00"] = isoDate.exec(text) ?? [];
  if (!yyyy) return text;
  const parts: Record<string, string | undefined> = { yyyy, MM, dd, HH, mm, ss };
  return format.replace(/'([^']*)'|yyyy|MM|dd|HH|mm|ss/g, (part, quoted?: string) => quoted ?? parts[part] ?? part);
}

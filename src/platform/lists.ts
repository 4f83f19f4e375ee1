import * as z from "zod";
import { invalid, wrongField } from "./problem.ts";
import { choice, queryInteger, QueryMoment } from "../domain/shapes.ts";

// The one paging dialect: what every list takes and answers.

/** Items of a page when `limit` is not sent. */
export const defaultPageSize = 50;
const maxPageSize = 200;

const descriptions = {
  limit: `How many at most, 1 to ${maxPageSize}; ${defaultPageSize} when not said.`,
  cursor: "`nextCursor` of the page before.",
  updatedSince: "Only what has changed since.",
};
const Cursor = z.string().max(500);

type SortOrder<Field extends string> = Field | `-${Field}`;

/** The orders of a list: by each of the fields, and with a minus descending. */
function sortBy<Field extends string>(fields: readonly Field[]) {
  const orders = fields.flatMap((field): SortOrder<Field>[] => [`-${field}`, field]);
  return choice(orders as [SortOrder<Field>, ...SortOrder<Field>[]]);
}
const whenNotSaid = (usual: string) => `\`${usual}\` when not said.`;

/** What a list takes that has no order to choose and whose items never change: a small catalogue. */
export const pageParameters = {
  limit: queryInteger(1, maxPageSize).optional().describe(descriptions.limit),
  cursor: Cursor.optional().describe(descriptions.cursor),
};

/**
 * What a list takes whose order can be chosen.
 * @param fields that it can be sorted by
 * @param usual the order when none is sent
 */
export const sortedParameters = <Field extends string>(
  fields: readonly Field[],
  usual: SortOrder<NoInfer<Field>> = "-createdAt" as SortOrder<Field>,
) => ({
  ...pageParameters,
  sort: sortBy(fields).optional().describe(whenNotSaid(usual)),
});

/** What a list takes of things that change. */
export const listParameters = <Field extends string>(...order: Parameters<typeof sortedParameters<Field>>) => ({
  ...sortedParameters(...order),
  updatedSince: QueryMoment.optional().describe(descriptions.updatedSince),
});

/** The same in a JSON body, where null says nothing. The newest come first when no order is sent. */
export const listMembers = <Field extends string>(fields: readonly Field[]) => ({
  limit: z.number().int().min(1).max(maxPageSize).nullish().describe(descriptions.limit),
  cursor: Cursor.nullish().describe(descriptions.cursor),
  sort: sortBy(fields).nullish().describe(whenNotSaid("-createdAt")),
  updatedSince: QueryMoment.nullish().describe(descriptions.updatedSince),
});

const NextCursor = z.string().optional().describe("Absent on the last page.");

/** The answer of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: NextCursor });

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** Another name of a parameter or of a field of the answer, kept beside it: clients know it from before. */
export const aliasOf = <Shape extends z.ZodType>(name: string, shape: Shape): Shape =>
  shape.meta({ description: `The same as \`${name}\`.`, deprecated: true, "x-alias-of": name });

/** The same as `nextCursor`. */
export const nextCursorAlias = aliasOf("nextCursor", NextCursor);

/**
 * The value of a parameter that has an alias, and the name under which it was sent.
 * @throws Problem `validation_failed` when both are sent and differ
 */
export function resolveAlias<Value>(
  sent: { [Name in string]?: Value | null },
  name: string,
  alias: string,
): { name: string; value: Value | undefined } {
  const [own, other] = [sent[name] ?? undefined, sent[alias] ?? undefined];
  if (own !== undefined && other !== undefined && own !== other)
    throw invalid([wrongField([name], "invalid", `${name} and ${alias} mean the same: send one of them.`)]);
  return own === undefined && other !== undefined ? { name: alias, value: other } : { name, value: own };
}

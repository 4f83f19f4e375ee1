import * as z from "zod";
import { invalid, wrongField } from "./problem.ts";
import { choice, queryInteger, QueryMoment } from "../domain/shapes.ts";

/** Default of `limit`, in items. */
export const defaultPageSize = 50;
const maxPageSize = 200;

const descriptions = {
  limit: `Page size, 1 to ${maxPageSize}; default ${defaultPageSize}.`,
  cursor: "`nextCursor` of the previous page.",
  updatedSince: "Only records that changed at or after this time.",
};
const Cursor = z.string().max(500);

type SortOrder<Field extends string> = Field | `-${Field}`;

function sortBy<Field extends string>(fields: readonly Field[]) {
  const orders = fields.flatMap((field): SortOrder<Field>[] => [`-${field}`, field]);
  return choice(orders as [SortOrder<Field>, ...SortOrder<Field>[]]);
}
const defaultSort = (order: string) => `Default \`${order}\`.`;

/** Parameters of a list in a fixed order whose items never change, such as a small catalogue. */
export const pageParameters = {
  limit: queryInteger(1, maxPageSize).optional().describe(descriptions.limit),
  cursor: Cursor.optional().describe(descriptions.cursor),
};

/**
 * Declares the parameters of a list with a sort order.
 * @param usual the default order
 */
export const sortedParameters = <Field extends string>(
  fields: readonly Field[],
  usual: SortOrder<NoInfer<Field>> = "-createdAt" as SortOrder<Field>,
) => ({
  ...pageParameters,
  sort: sortBy(fields).optional().describe(defaultSort(usual)),
});

/** Declares the parameters of a list whose items change. */
export const listParameters = <Field extends string>(...order: Parameters<typeof sortedParameters<Field>>) => ({
  ...sortedParameters(...order),
  updatedSince: QueryMoment.optional().describe(descriptions.updatedSince),
});

/** Declares the list parameters as members of a JSON body, in which null means absent. Default order: newest first. */
export const listMembers = <Field extends string>(fields: readonly Field[]) => ({
  limit: z.number().int().min(1).max(maxPageSize).nullish().describe(descriptions.limit),
  cursor: Cursor.nullish().describe(descriptions.cursor),
  sort: sortBy(fields).nullish().describe(defaultSort("-createdAt")),
  updatedSince: QueryMoment.nullish().describe(descriptions.updatedSince),
});

const NextCursor = z.string().optional().describe("Absent on the last page.");

/** Declares the response of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: NextCursor });

export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** Declares a deprecated second name of a parameter or response field, for existing clients. */
export const aliasOf = <Shape extends z.ZodType>(name: string, shape: Shape): Shape =>
  shape.meta({ description: `The same as \`${name}\`.`, deprecated: true, "x-alias-of": name });

export const nextCursorAlias = aliasOf("nextCursor", NextCursor);

/**
 * Returns the value of a parameter that has an alias, with the name that the caller used.
 * @throws Problem `validation_failed` if both are sent and differ
 */
export function resolveAlias<Value>(
  sent: { [Name in string]?: Value | null },
  name: string,
  alias: string,
): { name: string; value: Value | undefined } {
  const [own, other] = [sent[name] ?? undefined, sent[alias] ?? undefined];
  if (own !== undefined && other !== undefined && own !== other)
    throw invalid([wrongField([name], "invalid", `${name} and ${alias} are the same parameter. Send one of them.`)]);
  return own === undefined && other !== undefined ? { name: alias, value: other } : { name, value: own };
}

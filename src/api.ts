import { areasAfterWebhooks, areasBeforeWebhooks } from "./areas.ts";
import type { Area } from "./areas/define-area.ts";
import { webhooks } from "./areas/webhooks/index.ts";
import type { Operation } from "./http/operation.ts";

export const areas = [...areasBeforeWebhooks, webhooks, ...areasAfterWebhooks] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Merged<Union, All = Intersection<Union>> = { [Name in keyof All]: All[Name] };

/**
 * All operations by area and verb, the two parts of their ids. Router, OpenAPI, client, documentation and contract test
 * are derived from this object.
 */
export const api = Object.assign({}, ...areas.map(({ operations }: Area) => operations)) as Merged<
  (typeof areas)[number]["operations"]
>;

export interface NamedOperation {
  /** Area and verb, such as `orders.read`. Clients are generated from the ids, so renaming an id breaks them. */
  id: string;
  area: string;
  operation: Operation;
}

export const operations: NamedOperation[] = Object.entries(api).flatMap(([area, rows]) =>
  Object.entries(rows as Record<string, Operation>).map(([name, operation]) => ({
    id: `${area}.${name}`,
    area,
    operation,
  })),
);

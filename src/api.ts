import { areasAfterWebhooks, areasBeforeWebhooks } from "./areas.ts";
import type { Area } from "./areas/define-area.ts";
import { webhooks } from "./areas/webhooks/index.ts";
import type { Operation } from "./http/operation.ts";

export const areas = [...areasBeforeWebhooks, webhooks, ...areasAfterWebhooks] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Merged<Union, All = Intersection<Union>> = { [Name in keyof All]: All[Name] };

/** All operations, by the two parts of their ids. Router, OpenAPI, client, documentation and contract test derive from it. */
export const api = Object.assign({}, ...areas.map(({ operations }: Area) => operations)) as Merged<
  (typeof areas)[number]["operations"]
>;

export interface NamedOperation {
  /** `orders.read`: area and verb. Clients are generated from it: renaming one breaks them. */
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

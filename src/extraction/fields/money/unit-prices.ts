import { FieldValue } from "../confidence/field-value.ts";
import { indexAt } from "../../layout/page-index.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

type Factor = LocatedEntity<"Amount"> | LocatedEntity<"Quantity">;

/** A price per unit, and the number of units. */
export interface UnitPrice {
  quantity: FieldValue<number>;
  unitPrice: FieldValue<number>;
}

/** Maximum number of characters between an amount and its factors. */
const reach = 70;

/** Finds two factors of an amount on its line: 38.50 and 33 in "38.50 € per pallet (33 pallets = 1,270.50 €)". */
export function factorsOf(document: DocumentContext, money: LocatedEntity<"Amount">): Partial<UnitPrice> {
  const row = indexAt(document.annotations.layout, money.segment).rowOf(money.segment);
  const isNear = ({ segment, entity }: Factor) =>
    entity !== money.entity &&
    valueOf({ segment, entity } as Factor) > 0 &&
    (segment !== money.segment ||
      Math.min(Math.abs(entity.start - money.entity.end), Math.abs(money.entity.start - entity.end)) < reach);
  const amounts = entitiesOfType(document.annotations, "Amount", row).filter(isNear);
  const counts = [...entitiesOfType(document.annotations, "Quantity", row).filter(isNear), ...amounts];
  const { amount } = money.entity.value;
  const pairs = counts.flatMap((count) =>
    amounts
      .filter((price) => !overlap(price, count) && valueOf(count) > 1 && price.entity.value.amount > 1)
      .filter((price) => Math.abs(price.entity.value.amount * valueOf(count) - amount) < halfCent)
      .map((price) => ({ price, count })),
  );
  const best =
    pairs.find(({ price }) => price.entity.value.currency) ??
    pairs.find(({ count }) => count.entity.type === "Quantity") ??
    pairs[0];
  return best ? { quantity: printed(best.count), unitPrice: printed(best.price) } : {};
}

const halfCent = 0.006;
const valueOf = ({ entity }: Factor): number => entity.value.amount;
const overlap = (one: Factor, other: Factor): boolean =>
  one.segment === other.segment && one.entity.start < other.entity.end && other.entity.start < one.entity.end;

const printed = (factor: Factor): FieldValue<number> =>
  new FieldValue(valueOf(factor), scores.price.factor, {
    segment: factor.segment,
    start: factor.entity.start,
    end: factor.entity.end,
  });

import type { Check } from "../../document/extraction-result.ts";
import type { CmrView } from "./view.ts";
import { compared, maxLoad, plateShape } from "../checks.ts";

export function checkCmr(note: CmrView): Check[] {
  return [...days(note), ...weight(note), ...tariff(note), ...plates(note)];
}

function weight({ goods = [] }: CmrView): Check[] {
  const weights = goods.flatMap(({ grossWeight }, at) =>
    grossWeight === undefined ? [] : [{ grossWeight, pointer: `/goods/${at}/grossWeight` }],
  );
  if (weights.length === 0) return [];
  const sum = weights.reduce((total, { grossWeight }) => total + grossWeight, 0);
  return [
    {
      name: "LoadsOneLorryCarries",
      passed: sum <= maxLoad,
      detail: `The goods of one consignment note must not exceed ${maxLoad} kg, the load of one lorry.`,
      pointers: weights.map(({ pointer }) => pointer),
    },
  ];
}

function days({ takingOver, delivery }: CmrView): Check[] {
  return compared(
    "TakingOverBeforeDelivery",
    "The goods must be taken over before they are delivered.",
    ["/takingOver/date", "/delivery/date"],
    takingOver?.date,
    delivery?.date,
    (first, last) => first <= last,
  );
}

/**
 * Customs tariff numbers have four or six digits in the Harmonised System, and eight or more in systems based on it.
 */
function tariff({ goods = [] }: CmrView): Check[] {
  return goods.flatMap(({ statisticalNumber }, at) =>
    statisticalNumber === undefined
      ? []
      : [
          {
            name: "StatisticalNumberShape",
            passed:
              /^(?:\d{4}|\d{6}|\d{8}|\d{10}|\d{11})$/u.test(statisticalNumber) && statisticalNumber.slice(0, 2) <= "97",
            detail: "A statistical number must have 4, 6, 8, 10 or 11 digits and begin with a chapter up to 97.",
            pointers: [`/goods/${at}/statisticalNumber`],
          },
        ],
  );
}

function plates({ licensePlates = [] }: CmrView): Check[] {
  return licensePlates.map((plate, at) => plateShape(plate, `/licensePlates/${at}`));
}

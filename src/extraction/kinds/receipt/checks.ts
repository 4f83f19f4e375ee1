import type { Check } from "../../document/extraction-result.ts";
import { cent, netAndVatMakeGross, passedOr, vatCodeChecksum } from "../checks.ts";
import type { ReceiptView } from "./view.ts";

/** Checks whether the totals and items of a receipt agree, and the check digits of the merchant's tax number. */
export const checkReceipt = (receipt: ReceiptView): Check[] => [
  ...netAndVatMakeGross(receipt),
  ...itemsMakeTotal(receipt),
  ...vatCodeChecksum(receipt.merchant?.vatCode, "/merchant/vatCode"),
];

function itemsMakeTotal({ netAmount, grossAmount, items = [] }: ReceiptView): Check[] {
  if (items.length === 0 || grossAmount === undefined) return [];
  const sum = items.reduce((total, item) => total + (item.grossAmount ?? 0), 0);
  const passed = [grossAmount, netAmount].some(
    (whole) => whole !== undefined && Math.abs(sum - whole) <= cent * items.length,
  );
  return [
    passedOr("ItemsMakeTotal", passed, `The sum of the items, ${Math.round(sum * 100) / 100}, must equal the total.`, [
      "/grossAmount",
    ]),
  ];
}

import type { Check } from "../../document/reading.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import type { ReceiptView } from "./view.ts";

const cent = 0.011;

/** Whether the sums of a receipt and its items agree, and the check digits of the merchant's tax number. */
export function checkReceipt({ netAmount, vatAmount, grossAmount, items = [], merchant }: ReceiptView): Check[] {
  const checks: Check[] = [];
  const add = (name: string, passed: boolean, detail: string, pointers: string[]) =>
    checks.push({ name, passed, detail, pointers: passed ? [] : pointers });
  if (netAmount !== undefined && vatAmount !== undefined && grossAmount !== undefined) {
    const passed = Math.abs(netAmount + vatAmount - grossAmount) <= cent;
    add("NetAndVatMakeGross", passed, `${netAmount} and ${vatAmount} of tax make ${grossAmount}.`, [
      "/netAmount",
      "/vatAmount",
      "/grossAmount",
    ]);
  }
  const sums = items.map((item) => item.grossAmount);
  if (sums.length > 0 && grossAmount !== undefined) {
    const sum = sums.reduce<number>((total, each) => total + (each ?? 0), 0);
    const passed = [grossAmount, netAmount].some(
      (whole) => whole !== undefined && Math.abs(sum - whole) <= cent * sums.length,
    );
    add("ItemsMakeTotal", passed, `The items make ${Math.round(sum * 100) / 100}.`, ["/grossAmount"]);
  }
  const vatCode = merchant?.vatCode;
  if (vatCode && hasVatCheck(vatCode))
    add("VatCodeChecksum", isVatValid(vatCode), `The check digits of ${vatCode} are right.`, ["/merchant/vatCode"]);
  return checks;
}

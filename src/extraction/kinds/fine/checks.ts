import type { Check } from "../../document/extraction-result.ts";
import type { FineView } from "./view.ts";
import { compared, plateShape } from "../checks.ts";

/** Whether the values of a fine agree with each other. An account is extracted only with right check digits. */
export function checkFine(fine: FineView): Check[] {
  const { measuredSpeed, speedLimit, amount, discountedAmount, discountUntil, dueDate, offenceAt, licensePlate } = fine;
  return [
    compared(
      "SpeedOverLimit",
      "A fine for speed is for more than the limit.",
      ["/measuredSpeed", "/speedLimit"],
      measuredSpeed,
      speedLimit,
      (driven, limit) => driven > limit,
    ),
    compared(
      "DiscountBelowAmount",
      "The reduced amount is below the ordinary one.",
      ["/discountedAmount", "/amount"],
      discountedAmount,
      amount,
      (less, more) => less < more,
    ),
    compared(
      "DiscountBeforeDueDate",
      "The reduced amount is due first.",
      ["/discountUntil", "/dueDate"],
      discountUntil,
      dueDate,
      (first, last) => first <= last,
    ),
    compared(
      "OffenceBeforeDueDate",
      "The offence lies before the day of payment.",
      ["/offenceAt", "/dueDate"],
      offenceAt?.slice(0, 10),
      dueDate,
      (first, last) => first <= last,
    ),
    licensePlate === undefined ? [] : [plateShape(licensePlate, "/licensePlate")],
  ].flat();
}

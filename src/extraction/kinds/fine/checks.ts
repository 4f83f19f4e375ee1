import type { Check } from "../../document/extraction-result.ts";
import type { FineView } from "./view.ts";
import { compared, plateShape } from "../checks.ts";

/**
 * Checks whether the values of a fine agree with each other, and the format of the plate. Bank accounts need no check,
 * because only those with valid check digits are extracted.
 */
export function checkFine(fine: FineView): Check[] {
  const { measuredSpeed, speedLimit, amount, discountedAmount, discountUntil, dueDate, offenceAt, licensePlate } = fine;
  return [
    compared(
      "SpeedOverLimit",
      "The measured speed must exceed the speed limit.",
      ["/measuredSpeed", "/speedLimit"],
      measuredSpeed,
      speedLimit,
      (driven, limit) => driven > limit,
    ),
    compared(
      "DiscountBelowAmount",
      "The reduced amount must be below the full amount.",
      ["/discountedAmount", "/amount"],
      discountedAmount,
      amount,
      (less, more) => less < more,
    ),
    compared(
      "DiscountBeforeDueDate",
      "The reduced amount must be due no later than the full amount.",
      ["/discountUntil", "/dueDate"],
      discountUntil,
      dueDate,
      (first, last) => first <= last,
    ),
    compared(
      "OffenceBeforeDueDate",
      "The offence must be no later than the due date.",
      ["/offenceAt", "/dueDate"],
      offenceAt?.slice(0, 10),
      dueDate,
      (first, last) => first <= last,
    ),
    licensePlate === undefined ? [] : [plateShape(licensePlate, "/licensePlate")],
  ].flat();
}

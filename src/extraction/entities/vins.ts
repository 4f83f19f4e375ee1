import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const VIN = /(?<![\p{L}\p{N}])(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}(?![\p{L}\p{N}])/gu;
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const VIN_VALUES: Record<string, number> = {
  A: 1,
  B: 2,
  C: 3,
  D: 4,
  E: 5,
  F: 6,
  G: 7,
  H: 8,
  J: 1,
  K: 2,
  L: 3,
  M: 4,
  N: 5,
  P: 7,
  R: 9,
  S: 2,
  T: 3,
  U: 4,
  V: 5,
  W: 6,
  X: 7,
  Y: 8,
  Z: 9,
};

/**
 * Finds vehicle identification numbers. Only North America and China use the check digit, so a wrong one proves
 * nothing.
 */
export function findVins(line: Line): EntityOf<"Vin">[] {
  return Array.from(line.plain.matchAll(VIN)).flatMap((match): EntityOf<"Vin">[] => {
    const value = match[0];
    if (!/\d{4}$/.test(value) || !/[A-Z].*[A-Z]/.test(value)) return [];
    return [
      {
        type: "Vin",
        ...printedSpan(
          line,
          match.index,
          match.index + value.length,
          isVin(value) ? scores.vin.checked : scores.vin.unchecked,
        ),
        value,
      },
    ];
  });
}

function isVin(value: string): boolean {
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES[value[at]!] ?? Number(value[at])),
    0,
  );
  const check = sum % 11;
  return value[8] === (check === 10 ? "X" : String(check));
}

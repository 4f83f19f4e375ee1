import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { lettersAndDigits, printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const CONTAINER = /(?<![\p{L}\p{N}])([A-Z]{3}[UJZ])[ -]?(\d{3}[ .]?\d{3})[ \-/.]{0,3}(\d)(?![\p{L}\p{N}])/gu;

/** Finds container numbers (ISO 6346). A wrong check digit lowers the score. */
export function findContainers(line: Line): EntityOf<"Container">[] {
  return Array.from(line.plain.matchAll(CONTAINER), (match) => {
    const value = lettersAndDigits(match[0]);
    return {
      type: "Container",
      ...printedSpan(
        line,
        match.index,
        match.index + match[0].length,
        isContainer(value) ? scores.container.checked : scores.container.unchecked,
      ),
      value,
    };
  });
}

/** Whether the check digit of a container number is correct (ISO 6346). */
export function isContainer(bare: string): boolean {
  let sum = 0;
  for (let at = 0; at < 10; at += 1) sum += containerValue(bare[at]!) * 2 ** at;
  return (sum % 11) % 10 === Number(bare[10]);
}

/**
 * Returns the value of a character for the check digit. ISO 6346 counts letters from 10 and leaves out the multiples of
 * 11.
 */
function containerValue(letter: string): number {
  if (letter >= "0" && letter <= "9") return Number(letter);
  const value = Number.parseInt(letter, 36);
  return value + Math.floor((value - 1) / 10);
}

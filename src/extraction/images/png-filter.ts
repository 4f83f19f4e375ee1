/** Undoes the filter of a row of a PNG in place. Answers false where the format knows no such filter. */
export function undoFilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = step; at < row.length; at++) row[at] = row[at]! + row[at - step]!;
      return true;
    case 2:
      for (let at = 0; at < row.length; at++) row[at] = row[at]! + above[at]!;
      return true;
    case 3:
      for (let at = 0; at < row.length; at++)
        row[at] = row[at]! + (((at < step ? 0 : row[at - step]!) + above[at]!) >> 1);
      return true;
    case 4:
      for (let at = 0; at < row.length; at++)
        row[at] = row[at]! + (at < step ? above[at]! : paeth(row[at - step]!, above[at]!, above[at - step]!));
      return true;
    default:
      return false;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [toLeft, toUp, toBoth] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (toLeft <= toUp && toLeft <= toBoth) return left;
  return toUp <= toBoth ? up : upLeft;
}

/** As a plate is compared: capitals without blanks and signs. */
export const barePlate = (cell: string) =>
  cell
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Whether a cell may be a licence plate, of whatever country: letters and figures, no more of either than plates have, and
 * nothing that is a word, a day or an amount.
 */
export function looksLikePlate(cell: string): boolean {
  if (cell.length > 14 || /[.,:%€$£]|[-/]{2}/.test(cell)) return false;
  const bare = barePlate(cell);
  const letters = bare.match(/\p{L}/gu)?.length ?? 0;
  const figures = bare.match(/\p{N}/gu)?.length ?? 0;
  return bare.length >= 4 && bare.length <= 10 && letters >= 1 && letters <= 6 && figures >= 1 && figures <= 7;
}

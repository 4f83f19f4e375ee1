/** The first of some moments, of which each may be absent. */
export const earliest = (...times: (number | undefined)[]) =>
  times.reduce(
    (first, time) => (time === undefined ? first : first === undefined ? time : Math.min(first, time)),
    undefined,
  );

/** The earliest of several times, each of which may be absent. */
export const earliest = (...times: (number | undefined)[]) =>
  times.reduce(
    (first, time) => (time === undefined ? first : first === undefined ? time : Math.min(first, time)),
    undefined,
  );

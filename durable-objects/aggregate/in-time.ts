/** Something took longer than it was waited for. */
export class TooLate extends Error {}

/** Waits for a promise, for so many milliseconds at most; what becomes of it after that is ignored. @throws TooLate */
export async function inTime<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

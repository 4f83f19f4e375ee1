/** A promise took longer than its timeout. */
export class TimeoutExceeded extends Error {}

/** Waits for a promise, at most for the given time; a later outcome is ignored. @throws TimeoutExceeded */
export async function withTimeout<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutExceeded(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

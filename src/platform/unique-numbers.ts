import type { Env } from "./env.ts";
import { newId } from "./ids.ts";
import { holderOf, releaseClaim, takeClaim } from "./aggregates.ts";
import { Problem } from "./problem.ts";

/** Numbers that a company gives to things of one kind: each is had by one of them at a time. */
export interface Numbers {
  /** Begins the names of their claims: `orders`. */
  kind: string;
  /** What has such a number, in a sentence: `order`. */
  noun: string;
  /** A number as numbers are told apart. */
  compared: (number: string) => string;
  /** The number a thing has, and whether it keeps it; undefined while the thing is not made. */
  look: (env: Env, company: string, id: string) => Promise<{ number?: string; isLive: boolean } | undefined>;
}

/** A number whose thing still has another one this long after it was taken was left behind by a request that broke off. */
const leftBehindMilliseconds = 60_000;
/** So often, and so long each time, a number is looked at again that a thing is just being given, or has just lost. */
const [mostLooks, pauseMilliseconds] = [10, 50];
/** No change of a number takes this long; after one that broke off, the thing can be given another one again. */
const renamingMilliseconds = 20_000;
/** A repeated request is known this long. */
const repeatMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Takes a number for `wanted`, or tells which thing has it: of all that ask at the same moment one thing comes out, and
 * whoever is told of one that is not there yet may be the one to make it. Numbers of things that are gone are free.
 * @throws Problem `in_progress` while another thing is being given this number
 */
export async function takeNumber(
  env: Env,
  numbers: Numbers,
  company: string,
  number: string,
  wanted: string,
): Promise<string> {
  const name = nameOf(numbers, number);
  for (let look = 1; ; look++) {
    const { holder, fresh, note } = await takeClaim(env, company, name, {
      holder: wanted,
      note: new Date().toISOString(),
    });
    if (fresh || holder === wanted) return holder;
    const made = await numbers.look(env, company, holder);
    if (!made || (made.isLive && isSame(numbers, made.number, number))) return holder;
    const leftBehind = Date.now() - Date.parse(note ?? "") >= leftBehindMilliseconds;
    if (!made.isLive || leftBehind) await releaseClaim(env, company, name, { holder, note });
    else if (look < mostLooks) await scheduler.wait(pauseMilliseconds);
    else throw inProgress(`An ${numbers.noun} is being given the number ${number}, or another one instead of it.`);
  }
}

/** Gives back the number of a thing that is gone or has another one now. */
export const releaseNumber = (
  env: Env,
  numbers: Numbers,
  company: string,
  number: string,
  holder: string,
): Promise<void> => releaseClaim(env, company, nameOf(numbers, number), { holder });

/**
 * Changes a thing's number while nobody else does: two changes at once could each give back what the other has taken.
 * @throws Problem `in_progress` while it is being changed
 */
export async function renaming<Outcome>(
  env: Env,
  { kind, noun }: Numbers,
  company: string,
  id: string,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const name = `${kind}/renaming/${id}`;
  const claim = { holder: newId(), until: Date.now() + renamingMilliseconds };
  if (!(await takeClaim(env, company, name, claim)).fresh)
    throw inProgress(`The ${noun} is being given another number.`);
  try {
    return await change();
  } finally {
    await releaseClaim(env, company, name, claim);
  }
}

/**
 * Writes the thing that has a number, or `id` when none has it. What a key repeats goes to the thing it went to at first,
 * whatever number that has by now; what was refused went nowhere, and looks for its thing anew.
 */
export async function withHolder<Done>(
  numbers: Numbers,
  { number, id }: { number: string; id: string },
  { env, caller: { company }, request }: { env: Env; caller: { company: string }; request: Pick<Request, "headers"> },
  write: (id: string) => Promise<Done>,
): Promise<Done> {
  const take = () => takeNumber(env, numbers, company, number, id);
  if (!request.headers.has("idempotency-key")) return write(await take());
  const name = `repeats/${id}`;
  const before = await holderOf(env, company, name);
  const claim = { holder: before ?? (await take()), until: Date.now() + repeatMilliseconds };
  const { holder } = await takeClaim(env, company, name, claim);
  try {
    return await write(holder);
  } catch (error) {
    if (error instanceof Problem) await releaseClaim(env, company, name, { holder });
    throw error;
  }
}

const isSame = ({ compared }: Numbers, one: string | undefined, other: string) =>
  one !== undefined && compared(one) === compared(other);

const nameOf = ({ kind, compared }: Numbers, number: string) => numberClaim(kind, compared(number));

/** The name of the claim that the thing with a number holds. @param compared the number as numbers are told apart */
export const numberClaim = (kind: string, compared: string): string => `${kind}/number/${compared}`;

const inProgress = (detail: string) => new Problem("in_progress", detail, { headers: { "retry-after": "1" } });

/** A number as numbers are told apart: whatever its case and the width of its blanks. Its signs count. */
export const comparedNumber = (number: string): string =>
  number.normalize("NFKC").toUpperCase().trim().replace(/\s+/g, " ");

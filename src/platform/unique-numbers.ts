import type { Env } from "./env.ts";
import { newId } from "./ids.ts";
import { holderOf, releaseClaim, takeClaim } from "./aggregates.ts";
import { Problem } from "./problem.ts";

/** Numbers that are unique among the records of one kind in a company. */
export interface NumberRegistry {
  /** Prefix of the names of claims, such as `orders`. */
  kind: string;
  /** Name of the record in error texts, such as `order`. */
  noun: string;
  toKey: (number: string) => string;
  /** Finds the number of a record and whether the record is live; undefined before the record exists. */
  findNumber: (env: Env, company: string, id: string) => Promise<{ number?: string; isLive: boolean } | undefined>;
}

/** After this time, a claim whose record has another number was left behind by an interrupted request. */
const leftBehindMilliseconds = 60_000;
/** A number that another request is assigning or releasing is tried again after a pause. */
const [maxAttempts, pauseMilliseconds] = [10, 50];
/** Longer than a change of number takes. After an interrupted change, the number is blocked for this time. */
const renamingMilliseconds = 20_000;
/** In this time, a repeated idempotency key writes the same record as before. */
const repeatMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Claims a number for the record `wanted`, or returns the record that has it. Concurrent requests get the same record,
 * and any of them may create it. Numbers of deleted records are free.
 * @throws Problem `in_progress` while the number is being assigned to another record
 */
export async function takeNumber(
  env: Env,
  numbers: NumberRegistry,
  company: string,
  number: string,
  wanted: string,
): Promise<string> {
  const name = nameOf(numbers, number);
  for (let attempt = 1; ; attempt++) {
    const { holder, fresh, note } = await takeClaim(env, company, name, {
      holder: wanted,
      note: new Date().toISOString(),
    });
    if (fresh || holder === wanted) return holder;
    const made = await numbers.findNumber(env, company, holder);
    if (!made || (made.isLive && isSame(numbers, made.number, number))) return holder;
    const leftBehind = Date.now() - Date.parse(note ?? "") >= leftBehindMilliseconds;
    if (!made.isLive || leftBehind) await releaseClaim(env, company, name, { holder, note });
    else if (attempt < maxAttempts) await scheduler.wait(pauseMilliseconds);
    else throw inProgress(`The number ${number} is being assigned or released by another request.`);
  }
}

/** Releases the number of a record that was deleted or now has another number. */
export const releaseNumber = (
  env: Env,
  numbers: NumberRegistry,
  company: string,
  number: string,
  holder: string,
): Promise<void> => releaseClaim(env, company, nameOf(numbers, number), { holder });

/**
 * Changes a record's number while no other request changes it. Each of two concurrent changes could release the number
 * that the other claimed.
 * @throws Problem `in_progress` while another request changes the number
 */
export async function withNumber<Outcome>(
  env: Env,
  { kind, noun }: NumberRegistry,
  company: string,
  id: string,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const name = `${kind}/renaming/${id}`;
  const claim = { holder: newId(), until: Date.now() + renamingMilliseconds };
  if (!(await takeClaim(env, company, name, claim)).fresh)
    throw inProgress(`The number of the ${noun} is being changed by another request.`);
  try {
    return await change();
  } finally {
    await releaseClaim(env, company, name, claim);
  }
}

/**
 * Writes the record that has a number, or the record `id` if none has it. A repeated idempotency key writes the same
 * record as before, even if its number has changed since. After a refusal, the next request determines the record
 * again.
 */
export async function withHolder<Done>(
  numbers: NumberRegistry,
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

const isSame = ({ toKey }: NumberRegistry, one: string | undefined, other: string) =>
  one !== undefined && toKey(one) === toKey(other);

const nameOf = ({ kind, toKey }: NumberRegistry, number: string) => numberClaim(kind, toKey(number));

/**
 * Returns the name of the claim for a number.
 * @param key the normalized number
 */
export const numberClaim = (kind: string, key: string): string => `${kind}/number/${key}`;

const inProgress = (detail: string) => new Problem("in_progress", detail, { headers: { "retry-after": "1" } });

/** Normalizes a number for comparison: ignores case and the amount of whitespace, keeps punctuation. */
export const numberKey = (number: string): string => number.normalize("NFKC").toUpperCase().trim().replace(/\s+/g, " ");

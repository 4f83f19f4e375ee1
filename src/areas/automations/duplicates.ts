import type { Env } from "../../platform/env.ts";
import { sha256 } from "../../platform/ids.ts";
import { releaseClaim, takeClaim } from "../../platform/aggregates.ts";
import { foldText } from "../../extraction/lexicon/fold.ts";
import { barePlate } from "../../extraction/statements/values.ts";
import { deadlineKinds } from "./deadlines.ts";
import type { Fine } from "./match-context.ts";
import { plateKey } from "./plates.ts";

/** How long duplicate keys are kept. Authorities send reminders for years. */
const knownMilliseconds = 5 * 366 * 24 * 60 * 60 * 1000;

/** Identifies a fine by its automation and its index there. */
export interface FinePosition {
  automationId: string;
  index: number;
}

/** The earlier fine that a fine repeats, and how the two differ. */
export interface EarlierFine {
  of: FinePosition;
  /** Fields with different values, such as `amount` and `dueDate`. */
  differs: string[];
  /**
   * Whether the two may be different fines: their case numbers differ; or one has no case number, and their authorities
   * or offences differ.
   */
  isContested: boolean;
}

/**
 * Creates the keys by which a repeated fine is found: two fines with a common key count as duplicates. The keys are:
 * the reference with the plate, the reference with the authority, the id of the document, and the plate with the amount
 * and the minute of the offence. The last key exists twice, each for a span of two minutes, so that times one minute
 * apart have a key in common.
 * @param zoned converts the local time of the offence to milliseconds since 1970
 */
export function duplicateKeys(fine: Fine, zoned: (offenceAt: string) => number, documentId?: string): string[] {
  const { reference, authority, licensePlate, offenceAt, amount } = fine;
  const plate = licensePlate && plateKey(licensePlate);
  const number = reference && barePlate(reference);
  const who = authority && plainWords(authority);
  const minute = offenceAt && offenceAt.length > 10 ? Math.floor(zoned(offenceAt) / 60_000) : undefined;
  const offence = plate && minute !== undefined && amount !== undefined ? `${plate}/${amount}` : undefined;
  return [
    ...(number && plate ? [`case/${number}/${plate}`] : []),
    ...(number && who ? [`authority/${number}/${who}`] : []),
    ...(offence
      ? [`even/${offence}/${Math.floor(minute! / 2)}`, `odd/${offence}/${Math.floor((minute! + 1) / 2)}`]
      : []),
    ...(documentId ? [`document/${documentId}`] : []),
  ];
}

const plainWords = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Fields that may differ between a fine and its reminder. */
const compared = ["amount", ...deadlineKinds] as const;
/** Fields that differ only if the fines are different ones. */
const telling = ["reference", "authority", "offenceType"] as const;

/**
 * Lists the values of a fine that are compared. Texts are replaced by digests, because they must not be stored here in
 * plain form.
 */
async function noteOf(fine: Fine): Promise<(string | number | null)[]> {
  const words = telling.map((name) => {
    const text = fine[name];
    return text && (name === "reference" ? barePlate(text) : plainWords(text));
  });
  const digests = await Promise.all(words.map(async (text) => (text ? (await sha256(text)).slice(0, 16) : null)));
  return [...compared.map((name) => fine[name] ?? null), ...digests];
}

function differencesTo(before: readonly unknown[], now: readonly unknown[]): Omit<EarlierFine, "of"> {
  const asks = compared.filter((_, at) => before.length > 0 && now[at] !== null && now[at] !== before[at]);
  const tells = telling.filter((_, n) => {
    const [one, other] = [before[compared.length + n] ?? null, now[compared.length + n]];
    return one !== null && other !== null && one !== other;
  });
  const isNumbered = [before, now].every((note) => (note[compared.length] ?? null) !== null);
  return {
    differs: [...tells, ...asks],
    isContested: isNumbered ? tells.includes("reference") : tells.length > 0,
  };
}

/**
 * Claims the duplicate keys of a fine, or finds the earlier fine that holds one of them. In the second case, the keys
 * that are still free are claimed for the earlier fine. Idempotent.
 * @param names the duplicate keys
 */
export async function findEarlierFine(
  env: Env,
  company: string,
  names: readonly string[],
  place: FinePosition,
  fine: Fine,
): Promise<EarlierFine | undefined> {
  const me = holderOf(place);
  const until = Date.now() + knownMilliseconds;
  let holder = me;
  const own = await noteOf(fine);
  let note = JSON.stringify(own);
  for (const name of names) {
    const claim = await takeClaim(env, company, await claimOf(name), { holder, note, until });
    if (holder !== me || claim.holder === me) continue;
    holder = claim.holder;
    note = claim.note ?? note;
  }
  if (holder === me) return undefined;
  return { of: placeOf(holder), ...differencesTo(JSON.parse(note) as unknown[], own) };
}

/** Releases the duplicate keys of a fine that was not assigned. */
export async function releaseDuplicateKeys(
  env: Env,
  company: string,
  names: readonly string[],
  place: FinePosition,
): Promise<void> {
  for (const name of names) await releaseClaim(env, company, await claimOf(name), { holder: holderOf(place) });
}

/**
 * Returns the name of the claim on a duplicate key. It contains a digest, because numbers and plates must not be stored
 * in plain form.
 */
const claimOf = async (name: string) => `automations/fine/${await sha256(name)}`;

const holderOf = ({ automationId, index }: FinePosition) => `${automationId}#${index}`;

function placeOf(holder: string): FinePosition {
  const [automationId = "", index] = holder.split("#");
  return { automationId, index: Number(index) };
}

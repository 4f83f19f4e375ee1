import type { Env, Job } from "../../platform/env.ts";
import { underLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { Finder, type Person } from "../../domain/person.ts";
import { eraseFrom, type Errand } from "./erase.ts";
import { Gathering } from "./export.ts";
import { beginning, filesOf, portionsFrom, settledAfter, type Place, type Portion } from "./data-map.ts";
import { commands } from "./commands.ts";
import { exportFolder, runJob, type Found, type PrivacyRequest, type Stretch } from "./model.ts";

/** So long it is gone on at one time, and a portion more; then the work is asked for again. */
const usualStretch = 20_000;
/** Where so many have set out and none came further, one portion is looked at; then its files are not opened; then it is left. */
const [careful, unopened, tooMany] = [2, 4, 8];

/**
 * The work `privacy.run`: goes through everything a company has for so long, and tells how far it came. It exports what
 * names a person, or erases it until a whole round finds nothing. May be done twice.
 */
export async function run({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  await underLease({
    name: runJob,
    begin: async (token) => {
      const { go } = (await executeCommand(env, commands.begin, call, { token })).reply;
      return go?.person && { ...go, person: go.person };
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: async (request, { token, signal }) => {
      const came = await stretch(env, call, request, signal);
      await executeCommand(env, commands.came, call, { token, ...came });
    },
  });
}

async function stretch(
  env: Env,
  call: Pick<Job, "company" | "id">,
  { kind, person, place: from, tries, parts, createdAt }: PrivacyRequest & { person: Person },
  signal: AbortSignal,
): Promise<Stretch> {
  const until = tries >= careful ? 0 : Date.now() + Number(env.PRIVACY_STRETCH_MS ?? usualStretch);
  const opening = tries >= unopened ? "Bytes" : "Opened";
  const look: Looking =
    kind === "Export"
      ? new Gathering(env, call, { person, parts, opening })
      : erasingFor(env, { company: call.company, person, opening });
  const found: Found = { records: 0, files: 0, events: 0 };
  const settles = settledAfter(env);
  let to: Place | undefined;
  let isLeft = false;
  const isBehind = isBeginning(from) && (await lacks(env, call.company, Date.parse(createdAt) + settles));
  for await (const { portion, next } of portionsFrom(env, call.company, from)) {
    signal.throwIfAborted();
    if (portion && tries >= tooMany) isLeft = true;
    else if (portion) add(found, await look.at(portion));
    to = next;
    if (portion && (Date.now() >= until || look.isFull)) break;
  }
  const way = `${said(from)} .. ${to ? said(to) : "the end"}`;
  if (isLeft) logFault("privacy.left", new Error("This cannot be looked at."), { ...call, way });
  log({ what: "privacy.stretch", ...call, way, ...found });
  const part = await look.part?.();
  return { found, settles, ...(to && { to }), ...((isLeft || isBehind) && { isLeft: true }), ...(part && { part }) };
}

const isBeginning = ({ at, after }: Place) => at === beginning.at && after === undefined;

/** Whether the archive lacks records that had reported so before a moment. */
const lacks = (env: Env, company: string, before: number): Promise<boolean> =>
  objectOf(env, "COMPANIES", company, company).isLaggingSince(before);

const said = ({ at, after = "" }: Place) => `${at} ${after.replace("\n", " ")}`.trim();

/** What is done with what a company has. */
interface Looking {
  at: (portion: Portion) => Promise<Found>;
  /** It has enough for one go. */
  isFull?: boolean;
  /** Puts away what was found. @returns where */
  part?: () => Promise<string | undefined>;
}

function erasingFor(env: Env, errand: Pick<Errand, "company" | "person" | "opening">): Looking {
  const finder = new Finder(errand.person);
  return { at: (portion) => eraseFrom(portion, { env, finder, ...errand }) };
}

function add(sum: Found, { records, files, events }: Found): void {
  sum.records += records;
  sum.files += files;
  sum.events += events;
}

/** The work `privacy.expire`: what was exported is taken away. */
export async function expire({ company, id }: Job, env: Env): Promise<void> {
  for await (const keys of filesOf(env, exportFolder(company, id))) if (keys.length > 0) await env.FILES.delete(keys);
  await executeCommand(env, commands.expired, { company, id }, {});
}

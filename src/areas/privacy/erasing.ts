import { steps as accountSteps } from "../accounts/index.ts";
import { steps as driverDocumentSteps } from "../drivers-documents/index.ts";
import { memberNames } from "../senders/index.ts";
import { steps as webhookSteps } from "../webhooks/index.ts";
import type { Env } from "../../kit/env.ts";
import { askOwner, objectOf } from "../../kit/owners.ts";
import { Finder, type Person } from "../../kit/person.ts";
import { Problem } from "../../kit/problem.ts";
import { eventsOf, everythingOf, filesOf, folders, type Listed } from "./places.ts";
import type { Found } from "./request.ts";
import { wordsOf } from "./words.ts";

/** Things that are asked at the same time. */
const atOnce = 10;

/**
 * One round through everything a company has: whatever names the person is erased where it stands. What was on its way
 * meanwhile is found by the next round.
 */
export async function eraseOnce(env: Env, company: string, person: Person): Promise<Found> {
  const finder = new Finder(person);
  const found: Found = { records: 0, files: 0, events: 0 };
  for await (const page of everythingOf(env, company))
    for (let at = 0; at < page.length; at += atOnce)
      for (const one of await Promise.all(
        page.slice(at, at + atOnce).map((thing) => eraseFrom(env, company, thing, person, finder)),
      )) {
        found.records += one.records;
        found.files += one.files;
      }
  found.records += await eraseBeside(env, company, person);
  found.files += await eraseFiles(env, `${company}/`, finder);
  if (env.LOCAL_MAIL === "true") found.files += await eraseFiles(env, "dev/mail/", finder);
  found.events += await eraseEvents(env, company, finder);
  return found;
}

type One = Pick<Found, "records" | "files">;

/** Its files go first: should this end in between, the thing still tells that they must. */
async function eraseFrom(
  env: Env,
  company: string,
  { binding, id, text }: Listed,
  person: Person,
  finder: Finder,
): Promise<One> {
  const object = objectOf(env, binding, company, id);
  const named = await object.mentions(person);
  const folder = folders[binding];
  let files = 0;
  if (named && folder) {
    // Papers handed in for an order are looked into one by one.
    for await (const keys of filesOf(env, `${company}/${folder}/${id}/`)) {
      const read = keys.filter((key) => !key.includes("/papers/"));
      if (read.length > 0) await env.FILES.delete(read);
      files += read.length;
    }
  }
  if (named && binding === "DRIVERS_DOCUMENTS")
    await askOwner(env, driverDocumentSteps.remove, { company, id }, {}).catch(gone);
  const wasNamed = await object.erase(person, finder.isIn(text));
  return { records: named || wasNamed ? 1 : 0, files };
}

function gone(error: unknown): void {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}

/** What no list shows: the company itself, its webhooks with their logs, and what was learnt of senders. */
async function eraseBeside(env: Env, company: string, person: Person): Promise<number> {
  const { email } = person;
  const call = { company, id: company };
  const own = objectOf(env, "COMPANIES", company, company);
  const named = (await own.mentions(person)) !== undefined;
  if (email) await askOwner(env, accountSteps.forget, call, { email });
  const erased = [(await own.erase(person)) || named];
  erased.push(await objectOf(env, "LEDGERS", company, company).erase(person));
  for (const { id } of await own.subscribers()) {
    if (email) await askOwner(env, webhookSteps.forget, { company, id }, { email });
    erased.push(await objectOf(env, "SUBSCRIPTIONS", company, id).erase(person));
  }
  for (const id of await memberNames(env, company))
    erased.push(await objectOf(env, "SENDERS", company, id).erase(person));
  return erased.filter(Boolean).length;
}

async function eraseFiles(env: Env, prefix: string, finder: Finder): Promise<number> {
  let files = 0;
  for await (const keys of filesOf(env, prefix)) {
    for (const key of keys) {
      const stored = await env.FILES.get(key);
      if (!stored || !finder.isIn(await wordsOf(key, await stored.bytes()))) continue;
      await env.FILES.delete(key);
      files += 1;
    }
  }
  return files;
}

async function eraseEvents(env: Env, company: string, finder: Finder): Promise<number> {
  let events = 0;
  for await (const page of eventsOf(env, company)) {
    const positions = page.filter(({ event }) => finder.isIn(event)).map(({ position }) => position);
    if (positions.length === 0) continue;
    await env.ARCHIVE.prepare("delete from events where position in (select value from json_each(?))")
      .bind(JSON.stringify(positions))
      .run();
    events += positions.length;
  }
  return events;
}

import type { Env } from "../../kit/env.ts";
import { objectOf, type Mentioned } from "../../kit/owners.ts";
import { Finder, type Person } from "../../kit/person.ts";
import { eventsOf, everythingOf, filesOf } from "./places.ts";
import type { PrivacyExport } from "./shapes.ts";
import { wordsOf } from "./words.ts";

/** Everything of a company that names the person: which records and where in them, which files, which events. */
export async function exportOf(env: Env, company: string, person: Person): Promise<PrivacyExport> {
  const finder = new Finder(person);
  const records: Mentioned[] = [];
  const seen = async (mentioned: Promise<Mentioned | undefined>) => {
    const one = await mentioned;
    if (one) records.push(one);
  };
  for await (const page of everythingOf(env, company))
    for (const { binding, id } of page) await seen(objectOf(env, binding, company, id).mentions(person));
  const own = objectOf(env, "COMPANIES", company, company);
  await seen(own.mentions(person));
  await seen(objectOf(env, "LEDGERS", company, company).mentions(person));
  for (const { id } of await own.subscribers())
    await seen(objectOf(env, "SUBSCRIPTIONS", company, id).mentions(person));
  return {
    person,
    createdAt: new Date().toISOString(),
    records,
    files: await filesNaming(env, company, finder),
    events: await eventsNaming(env, company, finder),
  };
}

async function filesNaming(env: Env, company: string, finder: Finder): Promise<string[]> {
  const files: string[] = [];
  for await (const keys of filesOf(env, `${company}/`))
    for (const key of keys.filter((name) => !name.startsWith(`${company}/privacy/`))) {
      const stored = await env.FILES.get(key);
      if (stored && finder.isIn(await wordsOf(key, await stored.bytes()))) files.push(key.slice(company.length + 1));
    }
  return files;
}

async function eventsNaming(env: Env, company: string, finder: Finder): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const page of eventsOf(env, company))
    events.push(...page.filter(({ event }) => finder.isIn(event)).map(({ event }) => JSON.parse(event) as unknown));
  return events;
}

import { archiveTables, type ArchiveTable } from "../../platform/archive/archive.ts";
import type { Env } from "../../platform/env.ts";
import type { AggregateBinding } from "../../platform/registered.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { storedRecords, type StoredRecord } from "../../records.ts";
import { senderIds } from "../senders/memory.ts";
import { ledgerOf } from "../transactions/ledger.ts";

// Enumerates all data of a company that may be personal, in the order in which it is processed.

/**
 * Returns the binding of the records in a table; undefined if the rows are only parts of records, or if the records are
 * found by their folders.
 */
export const bindingOfTable = (table: ArchiveTable): AggregateBinding | undefined =>
  storedRecords.find((record) => record.table === table && !record.isFoundByFolder)?.binding;

/** R2 folders of records, below the folder of their company. */
export const folders = Object.fromEntries(
  storedRecords.flatMap(({ binding, folder }) => (folder ? [[binding, folder]] : [])),
) as Partial<Record<AggregateBinding, string>>;

/**
 * Kinds of records that are found by their R2 folders. An erasure never deletes their evidence, because an empty folder
 * would no longer be found.
 */
export const foundByFolder = storedRecords.filter(({ isFoundByFolder }) => isFoundByFolder);

/** A record of a company. `shown`: its view and its terms in the archive, as JSON. */
export interface Listed {
  binding: AggregateBinding;
  id: string;
  shown: string[];
}

/** An entry of the event log. `event`: the event as JSON. */
export interface LoggedEvent {
  position: number;
  event: string;
}

/** Data that is processed together. */
export type Batch =
  | { of: "Records"; things: Listed[] }
  | { of: "Company" }
  | { of: "Ledger"; part: string }
  | { of: "Deliveries"; webhook: string; after: number; upTo: number }
  | { of: "Events"; events: LoggedEvent[] }
  | { of: "Files"; keys: string[] }
  | { of: "Piece"; key: string; from: number };

/** Progress of a round: the section, and the position in it. */
export interface Position {
  at: Section;
  after?: string;
}

type BatchSource = (env: Env, company: string, after?: string) => AsyncGenerator<{ batch: Batch; after: string }>;

const tables = (Object.keys(archiveTables) as ArchiveTable[]).filter(bindingOfTable);
type Section =
  | "lagging"
  | ArchiveTable
  | AggregateBinding
  | "company"
  | "ledger"
  | "webhooks"
  | "senders"
  | "events"
  | "files"
  | "mail";

const sections: [Section, BatchSource][] = [
  // Must be first: records that reach the archive while this section is processed are then found in the tables.
  ["lagging", lagging],
  ...tables.map((table): [Section, BatchSource] => [table, listedIn(table, bindingOfTable(table)!)]),
  ...foundByFolder.map((record): [Section, BatchSource] => [record.binding, foldersOf(record)]),
  ["company", theCompany],
  ["ledger", theLedger],
  ["webhooks", webhooks],
  ["senders", senders],
  ["events", events],
  ["files", (env, company, after) => files(env, `${company}/`, after)],
  ["mail", (env, _, after) => files(env, "dev/mail/", after)],
];

export const firstPosition: Position = { at: sections[0]![0] };

/** Yields all batches from a position on, each with the next position. The last batch has no next position. */
export async function* batchesFrom(
  env: Env,
  company: string,
  { at, after }: Position,
): AsyncGenerator<{ batch?: Batch; next?: Position }> {
  const first = sections.findIndex(([stop]) => stop === at);
  for (const [number, [stop, walk]] of sections.entries()) {
    if (number < first) continue;
    for await (const found of walk(env, company, number === first ? after : undefined))
      yield { batch: found.batch, next: { at: stop, after: found.after } };
    const next = sections[number + 1]?.[0];
    yield next ? { next: { at: next } } : {};
  }
}

const pageSize = 100;

const defaultArchiveDelay = 120_000;
/**
 * Returns the time after which a change is in the archive, or the changed record has reported that the archive lacks
 * it, in milliseconds. A record reports this after ten seconds.
 */
export const archiveDelay = (env: Env): number => Number(env.PRIVACY_SETTLE_MS ?? defaultArchiveDelay);

/**
 * Yields the records that have reported that the archive lacks their changes. Reports that no longer apply are removed.
 */
async function* lagging(env: Env, company: string, from = "0"): ReturnType<BatchSource> {
  const register = objectOf(env, "COMPANIES", company, company);
  for (let after = Number(from); ;) {
    const page = await register.lagging(after, pageSize);
    if (page.length === 0) return;
    after = page.at(-1)!.place;
    const things = page.map(({ binding, id }): Listed => ({ binding, id, shown: [] }));
    yield { batch: { of: "Records", things }, after: String(after) };
    for (const { binding, id } of page)
      if (!(await objectOf(env, binding, company, id).isArchivePending())) await register.hasCaughtUp(binding, id);
  }
}

function listedIn(table: ArchiveTable, binding: AggregateBinding): BatchSource {
  return async function* ({ ARCHIVE }, company, from = "0") {
    const page = ARCHIVE.prepare(
      `select o.row, o.id, v.view, v.terms from ${table} o cross join ${table}_views v on v.row = o.row
       where o.company = ?1 and o.row > ?2 order by o.row limit ${pageSize}`,
    );
    for (let after = Number(from); ;) {
      const { results } = await page
        .bind(company, after)
        .all<{ row: number; id: string; view: string; terms: string }>();
      if (results.length === 0) return;
      after = results.at(-1)!.row;
      const things = results.map(({ id, view, terms }) => ({ binding, id, shown: [view, terms] }));
      yield { batch: { of: "Records", things }, after: String(after) };
    }
  };
}

/**
 * Yields records that are found by their R2 folders. `0` is the character after `/`, so a listing that starts after
 * `<id>0` skips the folder of `<id>`.
 */
export function foldersOf({ binding, folder, table }: StoredRecord): BatchSource {
  return async function* ({ FILES, ARCHIVE }, company, from = "") {
    const prefix = `${company}/${folder}/`;
    for (let after = from; ;) {
      const startAfter = after && `${prefix}${after}0`;
      const page = await FILES.list({ prefix, delimiter: "/", limit: pageSize, ...(startAfter && { startAfter }) });
      const ids = page.delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1));
      if (ids.length === 0) return;
      after = ids.at(-1)!;
      const shown = await shownOf(ARCHIVE, table as ArchiveTable, company, ids);
      const things = ids.map((id) => ({ binding, id, shown: shown.get(id) ?? [] }));
      yield { batch: { of: "Records", things }, after };
    }
  };
}

async function shownOf(
  archive: D1Database,
  table: ArchiveTable,
  company: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { results } = await archive
    .prepare(
      `select o.id, v.view, v.terms from ${table} o cross join ${table}_views v on v.row = o.row
       where o.company = ? and o.id in (select value from json_each(?))`,
    )
    .bind(company, JSON.stringify(ids))
    .all<{ id: string; view: string; terms: string }>();
  return new Map(results.map(({ id, view, terms }) => [id, [view, terms]]));
}

async function* theCompany(_env: Env, _company: string, after?: string): ReturnType<BatchSource> {
  if (after === undefined) yield { batch: { of: "Company" }, after: "seen" };
}

async function* theLedger(env: Env, company: string, from?: string): ReturnType<BatchSource> {
  const ledger = ledgerOf(env, company);
  for (let part = await ledger.nextPart(from); part !== undefined; part = await ledger.nextPart(part))
    yield { batch: { of: "Ledger", part }, after: part };
}

async function* webhooks(env: Env, company: string, from = ""): ReturnType<BatchSource> {
  const [last, reached] = from.split("/");
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  for (const id of subscribers.map((one) => one.id).toSorted()) {
    if (id < last!) continue;
    if (id !== last)
      yield { batch: { of: "Records", things: [{ binding: "SUBSCRIPTIONS", id, shown: [] }] }, after: `${id}/0` };
    yield* deliveriesOf(env, company, id, id === last ? Number(reached) : 0);
  }
}

async function* deliveriesOf(env: Env, company: string, webhook: string, from: number): ReturnType<BatchSource> {
  const object = objectOf(env, "SUBSCRIPTIONS", company, webhook);
  for (let after = from, upTo = await object.nextDeliveries(after); upTo !== undefined;) {
    yield { batch: { of: "Deliveries", webhook, after, upTo }, after: `${webhook}/${upTo}` };
    after = upTo;
    upTo = await object.nextDeliveries(after);
  }
}

async function* senders(env: Env, company: string, after = ""): ReturnType<BatchSource> {
  const left = (await senderIds(env, company)).toSorted().filter((name) => name > after);
  for (let at = 0; at < left.length; at += pageSize) {
    const names = left.slice(at, at + pageSize);
    const things = names.map((id): Listed => ({ binding: "SENDERS", id, shown: [] }));
    yield { batch: { of: "Records", things }, after: names.at(-1)! };
  }
}

export async function* events({ ARCHIVE }: Env, company: string, from = "0"): ReturnType<BatchSource> {
  const page = ARCHIVE.prepare(
    `select position, event from events where company = ?1 and position > ?2 order by position limit ${pageSize}`,
  );
  for (let after = Number(from); ;) {
    const { results } = await page.bind(company, after).all<LoggedEvent & Record<string, unknown>>();
    if (results.length === 0) return;
    after = results.at(-1)!.position;
    yield { batch: { of: "Events", events: results }, after: String(after) };
  }
}

const mebibyte = 1024 * 1024;
/** A batch has at most this many files and bytes, or one file. Files larger than `wholeBytes` are read in pieces. */
const [filesAtOnce, bytesAtOnce, wholeBytes] = [10, 2 * mebibyte, 32 * mebibyte];
/** Size of a piece of a file, and its overlap with the previous piece, in bytes: a name may span the border. */
export const [pieceBytes, overlapBytes] = [4 * mebibyte, 1024];

async function* files({ FILES }: Env, prefix: string, from = ""): ReturnType<BatchSource> {
  const [last = "", reached] = from.split("\n");
  if (reached !== undefined) yield* piecesOf(FILES, last, Number(reached));
  for (let startAfter = last, isOver = false; !isOver;) {
    const page = await FILES.list({ prefix, ...(startAfter && { startAfter }) });
    for (const together of grouped(page.objects)) {
      const [first] = together;
      const keys = together.map(({ key }) => key);
      if (first!.size > wholeBytes) yield* piecesOf(FILES, first!.key, 0);
      else yield { batch: { of: "Files", keys }, after: keys.at(-1)! };
    }
    isOver = !page.truncated;
    startAfter = page.objects.at(-1)?.key ?? startAfter;
  }
}

async function* piecesOf(bucket: R2Bucket, key: string, from: number): ReturnType<BatchSource> {
  const size = (await bucket.head(key))?.size ?? 0;
  for (let at = from; at < size;) {
    const batch: Batch = { of: "Piece", key, from: at };
    at += pieceBytes - overlapBytes;
    yield { batch, after: at < size ? `${key}\n${at}` : key };
  }
}

function* grouped(objects: R2Object[]): Generator<R2Object[]> {
  let together: R2Object[] = [];
  let bytes = 0;
  for (const object of objects) {
    if (together.length === filesAtOnce || (together.length > 0 && bytes + object.size > bytesAtOnce)) {
      yield together;
      [together, bytes] = [[], 0];
    }
    together.push(object);
    bytes += object.size;
  }
  if (together.length > 0) yield together;
}

/** Lists all objects below a prefix, page by page. */
export async function* objectsBelow({ FILES }: Env, prefix: string): AsyncGenerator<R2Object[]> {
  for (let cursor: string | undefined; ;) {
    const page: R2Objects = await FILES.list({ prefix, ...(cursor && { cursor }) });
    yield page.objects;
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}

/** Lists the keys of all files below a prefix, page by page. */
export async function* filesOf(env: Env, prefix: string): AsyncGenerator<string[]> {
  for await (const page of objectsBelow(env, prefix)) yield page.map(({ key }) => key);
}

import { archiveTables, type ArchiveTable } from "../../kit/archive.ts";
import type { Env, OwnerBinding } from "../../kit/env.ts";

/** Whose rows a table of the archive holds; a table of parts, or of ids alone, is followed by another. */
const owners: Record<ArchiveTable, OwnerBinding | undefined> = {
  orders: "ORDERS",
  freights: "FREIGHTS",
  offers: undefined,
  documents: "DOCUMENTS",
  driversDocuments: "DRIVERS_DOCUMENTS",
  feedback: "FEEDBACK",
  opportunities: "OPPORTUNITIES",
  audit: undefined,
  mails: "MAILS",
  vehicles: "VEHICLES",
  board: undefined,
};

/** Where files of such things lie in R2, below their company. */
export const folders: Partial<Record<OwnerBinding, string>> = {
  ORDERS: "orders",
  DOCUMENTS: "documents",
  DRIVERS_DOCUMENTS: "drivers-documents",
  OPPORTUNITIES: "opportunities",
  MAILS: "mails",
};

/** Things that no list shows: they are known by their files. */
const unlisted: Partial<Record<OwnerBinding, string>> = {
  QUALITY: "quality",
  DOCUMENT_COLLECTIONS: "document-collections",
};

/** A thing of a company, and all that the archive shows of it. */
export interface Listed {
  binding: OwnerBinding;
  id: string;
  text: string;
}

const pageSize = 100;

/** Everything of a company that the archive lists, page by page, and then what it does not. */
export async function* everythingOf(env: Env, company: string): AsyncGenerator<Listed[]> {
  yield* listedOf(env, company);
  for (const [binding, folder] of Object.entries(unlisted) as [OwnerBinding, string][])
    for await (const keys of filesOf(env, `${company}/${folder}/`)) {
      const ids = new Set(keys.map((key) => key.split("/")[2]!));
      yield [...ids].map((id) => ({ binding, id, text: "" }));
    }
}

async function* listedOf({ ARCHIVE }: Env, company: string): AsyncGenerator<Listed[]> {
  for (const table of Object.keys(archiveTables) as ArchiveTable[]) {
    const binding = owners[table];
    if (!binding) continue;
    const page = ARCHIVE.prepare(
      `select o.row, o.id, v.view || ' ' || v.terms as text from ${table} o cross join ${table}_views v on v.row = o.row
       where o.company = ?1 and o.row > ?2 order by o.row limit ${pageSize}`,
    );
    for (let after = 0; ;) {
      const { results } = await page.bind(company, after).all<{ row: number; id: string; text: string }>();
      yield results.map(({ id, text }) => ({ binding, id, text }));
      if (results.length < pageSize) break;
      after = results.at(-1)!.row;
    }
  }
}

/** The names of all files of a company, or of one thing of it. */
export async function* filesOf({ FILES }: Env, prefix: string): AsyncGenerator<string[]> {
  for (let cursor: string | undefined; ;) {
    const page: R2Objects = await FILES.list({ prefix, ...(cursor && { cursor }) });
    yield page.objects.map(({ key }) => key);
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}

/** Events of a company, page by page. */
export async function* eventsOf(
  { ARCHIVE }: Env,
  company: string,
): AsyncGenerator<{ position: number; event: string }[]> {
  const page = ARCHIVE.prepare(
    `select position, event from events where company = ?1 and position > ?2 order by position limit ${pageSize}`,
  );
  for (let after = 0; ;) {
    const { results } = await page.bind(company, after).all<{ position: number; event: string }>();
    yield results;
    if (results.length < pageSize) return;
    after = results.at(-1)!.position;
  }
}

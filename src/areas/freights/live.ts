import type { Env } from "../../platform/env.ts";

/** Freights that are looked up at once. */
const pageSize = 500;

/** The ids of all live freights that the archive has under a term, page by page. */
export async function* liveFreights({ ARCHIVE }: Env, company: string, term: string): AsyncGenerator<string[]> {
  const page = ARCHIVE.prepare(
    `select o.row, o.id from freights_postings s cross join freights o on o.row = s.row
     where s.company = ?1 and s.term = ?2 and o.archivedAt = '' and s.row > ?3 order by s.row limit ${pageSize}`,
  );
  for (let after = 0; ;) {
    const { results } = await page.bind(company, term, after).all<{ row: number; id: string }>();
    yield results.map(({ id }) => id);
    if (results.length < pageSize) return;
    after = results.at(-1)!.row;
  }
}

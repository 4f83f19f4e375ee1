import type { CountedKind, Metrics } from "./model.ts";

interface FieldRow {
  week: string;
  kind: CountedKind;
  field: string;
  right: number;
  wrong: number;
}

const maxRows = 20_000;

const selection = `feedback f cross join feedback_views v on v.row = f.row
  where f.company = ?1 and f.createdAt >= ?2 and f.createdAt < ?3 and v.view ->> 'kind' in (select value from json_each(?4))`;

const byField = `
  select date(g.createdAt, 'weekday 0', '-6 days') as week, g.view ->> 'kind' as kind, j.value ->> 'field' as field,
    sum(j.value ->> 'right') as "right", sum(j.value ->> 'wrong') as wrong
  from (select f.createdAt, v.view from ${selection}) g cross join json_each(g.view, '$.fields') j
  group by 1, 2, 3 order by 1 desc, 2, 3 limit ${maxRows}`;

const byKind = `
  select v.view ->> 'kind' as kind, count(*) as feedback from ${selection}
  group by 1 order by 1`;

/** Calculates the accuracy of the extraction in a period. `from` and `to` are the first and the last day. */
export async function metricsOf(
  archive: D1Database,
  company: string,
  { from, to, kinds: kindNames }: { from: string; to: string; kinds: CountedKind[] },
): Promise<Metrics> {
  const end = new Date(Date.parse(to) + 24 * 60 * 60 * 1000).toISOString();
  const prepared = (sql: string) => archive.prepare(sql).bind(company, from, end, JSON.stringify(kindNames));
  const [byFieldRows, byKindRows] = await archive.batch<FieldRow & { feedback: number }>([
    prepared(byField),
    prepared(byKind),
  ]);
  const fields = (byFieldRows?.results ?? []).map(({ week, kind, field, right, wrong }) => ({
    week,
    kind,
    field,
    right,
    wrong,
    accuracy: shareOf(right, wrong),
  }));
  const kinds = (byKindRows?.results ?? []).map(({ kind, feedback }) => {
    const ofKind = fields.filter((each) => each.kind === kind);
    const [right, wrong] = [sum(ofKind.map((each) => each.right)), sum(ofKind.map((each) => each.wrong))];
    return { kind, feedback, right, wrong, ...(right + wrong > 0 && { accuracy: shareOf(right, wrong) }) };
  });
  return { from, to, kinds, fields };
}

const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0);
const shareOf = (right: number, wrong: number) => Math.round((1000 * right) / (right + wrong)) / 1000;

import fc from "fast-check";
import type { ArchiveRow } from "../../src/platform/archive/archive.ts";

/** A row of the archive, as the tests model it. */
export interface ModelRow {
  kind: "Document" | "Carrier";
  status: string;
  createdAt: string;
  updatedAt: string;
  orderNumber?: string;
  referenceNumber?: string;
  customerVatCode?: string;
  licensePlate?: string;
  loadingCountry?: string;
  unloadingCountry?: string;
  internalId?: string;
  loadingDate?: string;
  unloadingDate?: string;
  carrier?: { vatCode: string; words: string[] };
  words: string[];
}

const tight = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
const exactly = ["status", "internalId", "kind"];
const termNames = [
  "kind",
  "status",
  "orderNumber",
  "referenceNumber",
  "customerVatCode",
  "licensePlate",
  "loadingCountry",
  "unloadingCountry",
  "internalId",
] as const;

/** Converts a model row to a row of the archive, whose view is the number of the row. */
export function archived(row: ModelRow, company: string, at: number): { version: number; row: ArchiveRow } {
  const { createdAt, updatedAt, carrier, words, orderNumber = null, loadingDate = null, unloadingDate = null } = row;
  const terms = termNames.flatMap((name) => {
    const value = row[name];
    return value ? [`${name}:${exactly.includes(name) ? value : tight(value)}`] : [];
  });
  const carrierTerms = carrier
    ? [`carrier:${carrier.vatCode}`, ...carrier.words.map((word) => `carrierWord:${word}`)]
    : [];
  return {
    version: 1,
    row: {
      table: "orders",
      id: `01a1f8ce-96ba-7fa1-b074-${at.toString().padStart(12, "0")}`,
      company,
      createdAt,
      updatedAt,
      terms: [...terms, ...carrierTerms],
      text: words.join(", "),
      columns: { orderNumber, numberKey: orderNumber && tight(orderNumber), loadingDate, unloadingDate },
      view: { at },
    },
  };
}

// Generators of rows and queries. Each field has few values, so that filters match and rows compare equal. Some rows
// lack a value.

const one = <Value>(...values: Value[]) => fc.constantFrom(...values);
const perhaps = <Value>(...values: Value[]) => fc.constantFrom(undefined, ...values);
const statuses = ["Succeeded", "Partial", "Failed", "Completed", "Rejected"];
const numbers = ["A-1", "A-12", "AB 26/0417", "B 26 4", "B264", "C-123", "C-26-417"];
const words = ["Papier", "Łódź", "łodzie", "pap", "steel", "Ste", "Żółw"];
const days = ["2026-03-01", "2026-03-02", "2026-03-05", "2026-04-01"];
const moments = days.flatMap((day) => [`${day}T00:00:00.000Z`, `${day}T10:30:00.000Z`]);
const localTimes = days.flatMap((day) => [`${day}T00:00:00`, `${day}T23:59:59`]);
const plates = ["1BX 4821", "2BK9034", "WGM-1"];
const internalIds = ["TMS-1", 'tms "1"', '","word:pap'];
const carriers = [
  { vatCode: "DE123456788", words: ["muster", "trans"] },
  { vatCode: "CZ12345679", words: ["muster"] },
  { vatCode: "PL5260250274", words: ["trans"] },
];

export const generated: fc.Arbitrary<ModelRow> = fc.record({
  kind: one<ModelRow["kind"]>("Document", "Carrier"),
  status: one(...statuses),
  createdAt: one(...moments),
  updatedAt: one(...moments),
  orderNumber: perhaps(...numbers),
  referenceNumber: perhaps("REF 1", "REF-2"),
  customerVatCode: perhaps("DE123456788", "CZ12345679"),
  licensePlate: perhaps(...plates),
  loadingCountry: perhaps("DE", "PL"),
  unloadingCountry: perhaps("DE", "PL", "FR"),
  internalId: perhaps(...internalIds),
  loadingDate: perhaps(...localTimes),
  unloadingDate: perhaps(...localTimes),
  carrier: perhaps(...carriers),
  words: fc.array(one(...words), { maxLength: 4 }),
});

const columns = ["createdAt", "updatedAt", "orderNumber", "loadingDate", "unloadingDate"] as const;
export const sorts = columns.flatMap((column) => [column, `-${column}`]);

/** Generates queries with only a few of the parameters, so that enough rows pass the filters. */
function few<Value>(parameters: Record<string, fc.Arbitrary<Value>>): fc.Arbitrary<Record<string, Value>> {
  const seldom = Object.entries(parameters).map(([name, values]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values }),
  ]);
  return fc
    .record(Object.fromEntries(seldom) as Record<string, fc.Arbitrary<Value | undefined>>)
    .map(
      (record) =>
        Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record<string, Value>,
    );
}

/** Generates query parameters for the list of orders. */
export const orderQueries = few<string>({
  kind: one("Document", "Carrier"),
  status: one(...statuses.slice(0, 3)),
  orderNumber: one(...numbers, "A*", "*26*4", "*17", "*123*", "*4*", "b-26*", "*", "*264", "A*1*"),
  referenceNumber: one("ref1", "REF 2"),
  customerVatCode: one("DE 123456788", "CZ12345679"),
  licensePlate: one(...plates, "wgm1"),
  loadingCountry: one("DE", "PL"),
  unloadingCountry: one("DE", "PL"),
  internalId: one(...internalIds),
  loadingFrom: one(...days),
  loadingTo: one(...days),
  unloadingFrom: one(...days),
  unloadingTo: one(...days),
  createdFrom: one(...moments),
  createdTo: one(...moments),
  updatedSince: one(...moments),
  text: one("pap", "papier", "LODZ", "lodz ste", "s", "zolw papier", "-"),
});

/** Generates searches for the query of carrier orders, some with several values of a field. */
export const carrierOrderQueries = few<string | string[]>({
  statuses: fc.subarray(statuses.slice(3), { minLength: 1 }),
  licensePlates: fc.subarray(plates, { minLength: 1 }),
  internalIds: fc.subarray(internalIds, { minLength: 1 }),
  carrier: one("DE123456788", "Muster", "trans muster", "nobody"),
  orderNumber: one("A*", "*26*4", "A-1"),
  text: one("pap", "lodz"),
}).map((sent) => ({ sent, passes: (row: ModelRow) => passesAsked(row, sent) }));

// The expected results.

/** Returns the numbers of the rows that pass the filters, in the requested order. */
export function matching(rows: ModelRow[], wanted: Record<string, string>, sort: string): number[] {
  const column = sort.replace("-", "") as (typeof columns)[number];
  const place = (at: number) => [rows[at]![column] ?? "", rows[at]!.createdAt, String(at).padStart(6, "0")].join(" ");
  const found = rows.flatMap((row, at) => (passes(row, wanted) ? [at] : []));
  const ascending = found.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return sort.startsWith("-") ? ascending.toReversed() : ascending;
}

const passes = (row: ModelRow, wanted: Record<string, string>) =>
  termNames.every((name) => !wanted[name] || name === "orderNumber" || sameTerm(name, row[name], wanted[name])) &&
  (!wanted["orderNumber"] || numberFits(row.orderNumber, wanted["orderNumber"])) &&
  within(row.loadingDate, wanted["loadingFrom"], wanted["loadingTo"] && `${wanted["loadingTo"]}T23:59:59`) &&
  within(row.unloadingDate, wanted["unloadingFrom"], wanted["unloadingTo"] && `${wanted["unloadingTo"]}T23:59:59`) &&
  within(row.createdAt, wanted["createdFrom"], wanted["createdTo"]) &&
  within(row.updatedAt, wanted["updatedSince"]) &&
  hasWords(row, wanted["text"]);

const passesAsked = (row: ModelRow, sent: Record<string, string | string[]>) =>
  (["statuses", "licensePlates", "internalIds"] as const).every((name) => {
    const values = sent[name] as string[] | undefined;
    const single = { statuses: "status", licensePlates: "licensePlate", internalIds: "internalId" } as const;
    return !values || values.some((value) => sameTerm(single[name], row[single[name]], value));
  }) &&
  (!sent["carrier"] || isCarrier(row, sent["carrier"] as string)) &&
  (!sent["orderNumber"] || numberFits(row.orderNumber, sent["orderNumber"] as string)) &&
  hasWords(row, sent["text"] as string | undefined);

const sameTerm = (name: string, own: string | undefined, value: string) =>
  own !== undefined && (exactly.includes(name) ? own === value : tight(own) === tight(value));

function numberFits(number: string | undefined, pattern: string): boolean {
  const expression = pattern.split("*").map(tight).join(".*");
  return number !== undefined && new RegExp(`^${expression}$`).test(tight(number));
}

const within = (value: string | undefined, from?: string, to?: string) =>
  (!from && !to) || (value !== undefined && (!from || value >= from) && (!to || value <= to));

const isCarrier = ({ carrier }: ModelRow, named: string) =>
  carrier !== undefined &&
  (carrier.vatCode === named || named.split(" ").every((word) => carrier.words.includes(word.toLowerCase())));

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l");

const hasWords = (row: ModelRow, text = "") =>
  (text.match(/\w+/g) ?? []).every((word) => row.words.some((own) => plain(own).startsWith(plain(word))));

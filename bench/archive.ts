// Measures how long one page of the order list takes for a company with 1,000 orders and for a company with 100,000.
// `node bench/archive.ts` writes the figures into bench/README.md; with `--print` it only prints them.
import { randomUUID } from "node:crypto";
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { archiveRows, customerVatCode } from "./archive-rows.ts";
import { measuringConditions } from "./machine.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { cursorAt, serviceWithRows, headOf, line, matching, timed } from "./side-by-side.ts";

const [few, many, ofOthers] = [1_000, 100_000, 20_000];

/** The measured queries, by their label in the table. A page has fifty orders unless the query sets another limit. */
const queries: Record<string, string> = {
  "no filter": "",
  "a status of half of them": "status=Succeeded",
  "a rare status": "status=Failed",
  "customer's VAT code": `customerVatCode=${customerVatCode("17")}`,
  "licence plate": "licensePlate=WGM12345",
  "number, exact": "orderNumber=BS-26-000500",
  "number, a prefix of most": "orderNumber=BS*",
  "number, a prefix of few": "orderNumber=AX-26-000*",
  "number, a suffix": "orderNumber=*0512",
  "number, a substring": "orderNumber=*26*051*",
  "loading in one week of three years": "loadingFrom=2025-03-03&loadingTo=2025-03-09",
  "loading in one quarter": "loadingFrom=2024-01-01&loadingTo=2024-03-31",
  "a word in all of them": "text=warehouse",
  "a word in a quarter of them": "text=tyres",
  "a word in one of 250": "text=town017",
  "a prefix of ten such words": "text=town01",
  "a word in three orders": "text=nightingale",
  "two words": "text=muster%20glass",
  "internal id": "internalId=TMS-500",
  "status and country": "status=Succeeded&loadingCountry=PL",
  "status and customer": `status=Succeeded&customerVatCode=${customerVatCode("17")}`,
  "word and plate": "text=warehouse&licensePlate=WGM12345",
  "country and a week of loading": "loadingCountry=PL&loadingFrom=2025-03-03&loadingTo=2025-03-09",
  "customer, sorted by number": `customerVatCode=${customerVatCode("17")}&sort=orderNumber`,
  "status, sorted by loading date": "status=Succeeded&sort=loadingDate",
  "changed in the last three days": "updatedSince=2026-11-16",
};
const deep = "no filter, at nine tenths of the list";

async function main(): Promise<void> {
  await build();
  const small = await serviceWithRows((company) => [archiveRows(company, few)]);
  const others = [ofOthers / 2, ofOthers / 2].map((count) => archiveRows(randomUUID(), count));
  const large = await serviceWithRows((company) => [archiveRows(company, many), ...others]);
  try {
    const questions = [...Object.entries(queries), [deep, ""] as const].map(([name, query]) => ({ name, query }));
    const places = {
      small: await cursorAt(small, list, 0.9 * few),
      large: await cursorAt(large, list, 0.9 * many),
    };
    const lines: string[][] = [];
    const foreign = await foreignDuring(async () => {
      for (const { name, query } of questions) {
        const cursor = name === deep ? places : undefined;
        const times = await timed(
          { of: small, path: pathOf(query, cursor?.small) },
          { of: large, path: pathOf(query, cursor?.large) },
        );
        lines.push(line(name, await matching(large, `${list}?${query}`), times));
      }
    });
    const head = headOf("a page of the list", "orders that match", "1,000", "100,000");
    await tell(`${measuringConditions(foreign)}\n\n${table(head, lines)}`);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

const list = "/api/v1/orders";

const pathOf = (query: string, cursor?: string) => `${list}?limit=50&${query}${cursor ? `&cursor=${cursor}` : ""}`;

async function tell(figures: string): Promise<void> {
  console.log(figures);
  if (!process.argv.includes("--print")) await writeFigures("archive", figures);
}

await main();

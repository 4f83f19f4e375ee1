// Measures how long one page of the public board takes with 1,000 open freights and with 100,000. `node bench/board.ts`
// writes the figures into bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { boardRows } from "./board-rows.ts";
import { measuringConditions } from "./machine.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { cursorAt, serviceWithRows, headOf, line, matching, timed } from "./side-by-side.ts";

const [few, many] = [1_000, 100_000];
const now = Date.now();
const dayIn = (days: number) => new Date(now + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** The measured queries, by their label in the table. A page has fifty freights. */
const queries: Record<string, string> = {
  "no filter": "",
  "loading country of three in ten": "loadingCountry=DE",
  "loading and unloading country": "loadingCountry=DE&unloadingCountry=PL",
  "postal code, one digit": "loadingPostalCode=2",
  "postal code, two digits": "loadingPostalCode=20",
  "postal code, four digits": "loadingPostalCode=2045",
  "within 30 km": "loadingNear=51.34,12.37,30",
  "within 150 km": "loadingNear=51.34,12.37,150",
  "within 500 km": "loadingNear=51.34,12.37,500",
  "within 150 km of both ends": "loadingNear=51.34,12.37,150&unloadingNear=48.14,11.58,150",
  "within 150 km, on two days": `loadingNear=51.34,12.37,150&loadingFrom=${dayIn(7)}&loadingTo=${dayIn(8)}`,
  "on one day": `loadingFrom=${dayIn(7)}&loadingTo=${dayIn(7)}`,
  "in one week, sorted by loading date": `loadingFrom=${dayIn(7)}&loadingTo=${dayIn(13)}&sort=loadingDate`,
  "a trailer type of one in eight": "trailerType=2",
  "country, trailer, week": `loadingCountry=DE&trailerType=2&loadingFrom=${dayIn(7)}&loadingTo=${dayIn(13)}`,
  "a word in all of them": "text=pallets",
  "a word in one of eight": "text=tyres",
  "a word in three freights": "text=nightingale",
  "two words": "text=town017%20glass",
  "sorted by loading date": "sort=loadingDate",
};
const deep = "no filter, at nine tenths of the board";
const board = "/board/freights.json";

async function main(): Promise<void> {
  await build();
  const small = await serviceWithRows(() => [boardRows(few, now)]);
  const large = await serviceWithRows(() => [boardRows(many, now)]);
  try {
    const places = {
      small: await cursorAt(small, board, 0.9 * few),
      large: await cursorAt(large, board, 0.9 * many),
    };
    const lines: string[][] = [];
    const foreign = await foreignDuring(async () => {
      for (const [name, query] of [...Object.entries(queries), [deep, ""] as const]) {
        const cursor = name === deep ? places : undefined;
        const times = await timed(
          { of: small, path: pathOf(query, cursor?.small) },
          { of: large, path: pathOf(query, cursor?.large) },
        );
        lines.push(line(name, await matching(large, `${board}?${query}`), times));
      }
    });
    const head = headOf("a page of the board", "freights that match", "1,000", "100,000");
    await tell(`${measuringConditions(foreign)}\n\n${table(head, lines)}`);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

const pathOf = (query: string, cursor?: string) => `${board}?limit=50&${query}${cursor ? `&cursor=${cursor}` : ""}`;

async function tell(figures: string): Promise<void> {
  console.log(figures);
  if (!process.argv.includes("--print")) await writeFigures("board", figures);
}

await main();

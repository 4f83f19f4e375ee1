// What reading an order costs beside bare text extraction of the same PDF, in plain Node: `node bench/pages.ts [PDF...]`, by default
// the sample order and into bench/README.md; with `--print`, or with files of one's own, only onto the screen.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import process from "node:process";
import { extractText } from "unpdf";
import { build } from "../scripts/build.mjs";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { Budget } from "../src/reading/problem.ts";
import { readOrders } from "../src/reading/read.ts";
import { median } from "./median.ts";
import { circumstances } from "./circumstances.ts";
import { cpuOfMachine } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";

const rounds = 15;
const files = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const ours = process.argv.includes("--print") || files.length > 0;
const { gazetteer: places } = await build({ only: "assets" });
const gazetteer = openGazetteerFromDisk("dist/assets/gazetteer");
const context = {
  company: { names: [], vatCodes: [], emailDomains: [] },
  today: new Date().toISOString().slice(0, 10),
};

const [machine, own] = [cpuOfMachine(), process.cpuUsage()];
const began = performance.now();
const lines: string[][] = [];
for (const file of files.length > 0 ? files : ["docs/sample-order.pdf"]) lines.push(await compared(file));
const { user, system } = process.cpuUsage(own);
const foreign =
  (cpuOfMachine() - machine - user - system) / ((performance.now() - began) * 1000 * navigator.hardwareConcurrency);

const head = ["CPU ms a page", "pages", "reading", "text extraction alone", "times"];
const figures = `${circumstances(Math.max(0, foreign))} Gazetteer: ${places}. Medians of ${rounds} turns.\n\n${table(head, lines)}`;
console.log(figures);
if (!ours) await writeFigures("pages", figures);

/** Turn by turn, so that both have the same machine; the first turns, in which the program is still being compiled, do not count. */
async function compared(file: string): Promise<string[]> {
  const bytes = await readFile(file);
  const [reading, extraction]: [number[], number[]] = [[], []];
  let pages = 0;
  for (let round = -5; round < rounds; round++) {
    const whole = await timed(() =>
      readOrders({ bytes: new Uint8Array(bytes), name: file }, context, { gazetteer, budget: new Budget(60_000) }),
    );
    const bare = await timed(() => extractText(new Uint8Array(bytes)));
    if (whole.result.status === "Failed") throw new Error(`${file} was not read: ${whole.result.reason}`);
    pages = bare.result.totalPages;
    if (round < 0) continue;
    reading.push(whole.milliseconds / pages);
    extraction.push(bare.milliseconds / pages);
  }
  const times = median(reading.map((one, round) => one / extraction[round]!));
  return [basename(file), `${pages}`, median(reading).toFixed(1), median(extraction).toFixed(1), times.toFixed(1)];
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1000 };
}

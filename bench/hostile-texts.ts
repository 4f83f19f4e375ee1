// Measures how long the readers take for hostile texts, which are built to be slow to read. `node
// bench/hostile-texts.ts` writes the figures into bench/README.md; with `--print` it only prints them. `--first 500
// --count 100` selects other texts than the first 2,000; `--reader order` selects a single reader.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { buildGazetteer, openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { hostileText } from "../test/extraction/hostile-texts/generate.ts";
import { readers, timed } from "../test/extraction/hostile-texts/readers.ts";
import { measuringConditions } from "./machine.ts";
import { percentile } from "./median.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";

const mostBytes = 2 ** 20;
const shares = 3;
/** The names of texts that take longer than this are printed. */
const slowSeconds = 3;

interface Taken {
  reader: string;
  seconds: number;
  shape: string;
}

const { values: options } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    count: { type: "string", default: "2000" },
    reader: { type: "string" },
    share: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
  },
});
const names = options.reader ? [options.reader] : Object.keys(readers);

/** Reads all texts. The readers take turns. */
async function readAll(folder: string): Promise<Taken[]> {
  await buildGazetteer({ out: folder });
  const gazetteer = openGazetteerFromDisk(folder);
  // The first reading is a warm-up: it loads the shared data.
  await timed("order", hostileText(0, 2000), gazetteer);
  const taken: Taken[] = [];
  for (let at = 0; at < Number(options.count); at++) {
    const file = hostileText(Number(options.first) + at, mostBytes);
    const reader = names[at % names.length]!;
    const { seconds } = await timed(reader, file, gazetteer);
    taken.push({ reader, seconds, shape: `${file.name}, ${file.shape}` });
  }
  return taken;
}

/** Reads a part of the texts in a process of its own. */
async function readShare(first: number, count: number): Promise<Taken[]> {
  const args = [
    "--first",
    `${first}`,
    "--count",
    `${count}`,
    "--share",
    ...(options.reader ? ["--reader", options.reader] : []),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", import.meta.filename, ...args], {
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout) as Taken[];
}

const [first, count] = [Number(options.first), Number(options.count)];
if (options.share) {
  const folder = await mkdtemp(join(tmpdir(), "gazetteer-"));
  process.stdout.write(JSON.stringify(await readAll(folder)));
  await rm(folder, { recursive: true });
  process.exit();
}

let taken: Taken[] = [];
const foreign = await foreignDuring(async () => {
  const each = Math.ceil(count / shares);
  const parts = Array.from({ length: shares }, (_, at) =>
    readShare(first + at * each, Math.min(each, count - at * each)),
  );
  taken = (await Promise.all(parts)).flat();
});
for (const { seconds, reader, shape } of taken)
  if (seconds > slowSeconds) console.log(`${seconds.toFixed(1)} s, ${reader}: ${shape}`);

const rows = names.map((reader) => {
  const own = taken.filter((each) => each.reader === reader).toSorted((one, other) => other.seconds - one.seconds);
  const times = own.map(({ seconds }) => seconds);
  const figures = [percentile(times, 0.5), percentile(times, 0.99), times[0] ?? 0].map((time) => time.toFixed(2));
  return [reader, String(own.length), ...figures, own[0]?.shape.replace(/^[^,]*, /, "") ?? ""];
});
const figures = `${measuringConditions(foreign)}\n\n${table(["read as", "texts", "median, s", "99th percentile, s", "slowest, s", "slowest text"], rows)}`;
console.log(figures);
if (!options.print) await writeFigures("hostile", figures);

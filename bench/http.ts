// Measures requests per second, p50 and CPU time of the product and of bare baselines. `node bench/http.ts` writes the
// figures into bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { startGenerator, startHost } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { median } from "./median.ts";
import { memoryOf } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { measure, type Sample, type Samples, type Stage } from "./rounds.ts";
import { rows } from "./rows.ts";
import { furnish, orders } from "./world.ts";

const warmUp = { rounds: 1, connections: 32, milliseconds: 700, share: 0.3 };
const pressed = { rounds: 5, connections: 32, milliseconds: 1000, share: 1 };
const alone = { rounds: 3, connections: 1, milliseconds: 400, share: 0.2 };

async function main(): Promise<void> {
  await build();
  const hosts = { lorry: await startHost("lorry"), baselines: await startHost("baselines") };
  const generator = startGenerator();
  try {
    const atRest = memoryOf(hosts.lorry.pid);
    const stage: Stage = { hosts, generator, world: await furnish(hosts.lorry, hosts.baselines), posted: orders };
    await measure(stage, warmUp);
    const [many, one] = [await measure(stage, pressed), await measure(stage, alone)];
    await tell("http", [measuringConditions(foreignIn(many)), speeds(many, one)]);
    await tell("memory", [memories(atRest, memoryOf(hosts.lorry.pid), stage.posted)]);
  } finally {
    await Promise.all([generator.stop(), hosts.lorry.stop(), hosts.baselines.stop()]);
  }
}

function speeds(many: Samples, one: Samples): string {
  const lines = Object.entries(rows).map(([name, row]) => {
    const [samples, single] = [many[name]!, one[name]!];
    return [
      row.name,
      whole(samples, "rate"),
      middle(samples, "p50").toFixed(1),
      middle(samples, "p99").toFixed(1),
      middle(single, "p50").toFixed(2),
      whole(samples, "cpu"),
      row.most ? whole(samples, "finished") : "",
      row.beside ? `${percent(ratios("rate", samples, many[row.beside]!))} of “${rows[row.beside]!.name}”` : "",
      row.beside ? `${ratios("p99", samples, many[row.beside]!).toFixed(1)} ×` : "",
    ];
  });
  return table(
    ["", "req/s", "p50 ms", "p99 ms", "p50 ms alone", "CPU µs", "read/s", "rate beside its baseline", "p99"],
    lines,
  );
}

/**
 * Computes the ratio to the baseline for each round, which measures both under the same conditions, and returns the
 * median.
 */
const ratios = (figure: "rate" | "p99", samples: Sample[], baseline: Sample[]) =>
  median(samples.map((sample, round) => sample[figure] / baseline[round]![figure]));

const middle = (samples: Sample[], figure: keyof Sample) => median(samples.map((sample) => sample[figure] ?? 0));
const whole = (samples: Sample[], figure: keyof Sample) => Math.round(middle(samples, figure)).toLocaleString("en-US");
const percent = (part: number) => `${Math.round(part * 100)} %`;
const foreignIn = (samples: Samples) =>
  median(Object.values(samples).flatMap((all) => all.map(({ foreign }) => foreign)));

function memories(before: Record<string, number>, after: Record<string, number>, posted: number): string {
  const programs = Object.keys(before).filter((name) => name === "workerd" || name === "node");
  const lines = programs.map((name) => [
    name === "workerd" ? "the runtime (workerd)" : "the process that started it (node)",
    `${before[name]}`,
    `${after[name] ?? "gone"}`,
  ]);
  return table(["resident, MiB", "after the start", `after all rounds, ${posted} orders read`], lines);
}

async function tell(place: string, parts: string[]): Promise<void> {
  const figures = parts.join("\n\n");
  console.log(`${figures}\n`);
  if (!process.argv.includes("--print")) await writeFigures(place, figures);
}

await main();

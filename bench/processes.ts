import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Length of a kernel clock tick, in microseconds. */
const tick = 10_000;

interface Stat {
  pid: number;
  parent: number;
  /** User and system time, in microseconds. */
  cpu: number;
  /** Resident memory in bytes. */
  memory: number;
  name: string;
}

/** Reads the CPU time that a process and its descendants have used so far, in microseconds. */
export const cpuOf = (pid: number): number => treeOf(pid).reduce((sum, { cpu }) => sum + cpu, 0);

/** Reads the resident memory of a process and its descendants, in MiB, by program name. */
export function memoryOf(pid: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { name, memory } of treeOf(pid)) found[name] = Math.round((found[name] ?? 0) + memory / 2 ** 20);
  return found;
}

/** Reads the CPU time that the whole machine has used so far, in microseconds. */
export function cpuOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * tick;
}

function treeOf(root: number): Stat[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const tree = new Set([root]);
  for (let before = 0; before !== tree.size;) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

/** Reads the figures of one process. The list is empty if the process exits meanwhile. */
function statOf(name: string): Stat[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const cpu = (Number(fields[11]) + Number(fields[12])) * tick;
    const program = basename(readlinkSync(`/proc/${name}/exe`));
    return [{ pid: Number(name), parent: Number(fields[1]), cpu, memory: Number(fields[21]) * 4096, name: program }];
  } catch {
    return [];
  }
}

/** Runs `work` and returns the share of the machine that other processes used meanwhile, from 0 to 1. */
export async function foreignDuring(work: () => Promise<void>): Promise<number> {
  const [machine, own, began] = [cpuOfMachine(), cpuOf(process.pid), performance.now()];
  await work();
  const others = cpuOfMachine() - machine - (cpuOf(process.pid) - own);
  return Math.max(0, others / ((performance.now() - began) * 1000 * navigator.hardwareConcurrency));
}

import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import process from "node:process";

/**
 * Describes date, commit and machine of a measurement in one line. @param foreign share of the machine that other
 * processes used, from 0 to 1
 */
export function measuringConditions(foreign: number): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const quiet = foreign < 0.05 ? "a quiet machine" : "**not a quiet machine**";
  return `Taken ${new Date().toISOString().slice(0, 10)} at commit ${commit()}, on ${cpus().length} × ${model}, ${memory}, Node ${process.versions.node}; ${quiet}: other processes took ${Math.round(foreign * 100)} % of it.`;
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    const changed = git("status", "--porcelain", "--", "src", "durable-objects", "scripts", "wrangler.toml");
    return git("rev-parse", "--short", "HEAD") + (changed ? " with changes not committed" : "");
  } catch {
    return "unknown";
  }
}

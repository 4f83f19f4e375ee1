import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { fromPackage, type Program } from "./chromium-package.ts";

/** The value of `CHROMIUM_PATH` that skips the browsers of this machine. */
const fromNpm = "npm";

/**
 * Starts a Chromium: the program that `CHROMIUM_PATH` names; if the variable is not set, the first one of this machine
 * that starts; otherwise the one from npm. It ends with this process. It cannot resolve host names outside this
 * machine.
 *
 * @returns the browser, or one line with the reasons why none starts
 */
export async function startChromium(): Promise<Browser | string> {
  const reasons: string[] = [];
  for (const program of programs()) {
    try {
      return await launch(await program());
    } catch (error) {
      reasons.push(cause(error));
    }
  }
  return reasons.join("; ") || `there is no Chromium on this machine, and npm has none for ${system}`;
}

/** Starts a program without its sandbox, which containers often forbid. Only our own pages are opened. */
const launch = ({ path, env }: Program) =>
  chromium.launch({
    executablePath: path,
    chromiumSandbox: false,
    env: { ...process.env, ...env },
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--no-pings",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });

const system = `${process.platform}-${process.arch}`;

function programs(): (() => Program | Promise<Program>)[] {
  const named = process.env.CHROMIUM_PATH;
  if (named && named !== fromNpm) return [() => ({ path: named })];
  const own = named ? [] : installed().map((path) => () => ({ path }));
  return system === "linux-x64" ? [...own, fromPackage] : own;
}

function installed(): string[] {
  const folders = new Set([...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"]);
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const applications = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  return [...names.flatMap((name) => [...folders].map((folder) => join(folder, name))), ...applications].filter(
    existsSync,
  );
}

/** Returns the error output of the program or, if there is none, the first line of the error message. */
function cause(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const complaint = lines.find((line) => line.includes("[err]")) ?? lines[0] ?? "";
  return complaint.replace(/^.*(\[err\]|browserType\.launch:) /, "").trim();
}

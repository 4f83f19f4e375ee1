import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { fromPackage, type Program } from "./chromium-package.ts";

/** `CHROMIUM_PATH=npm` skips the browsers of the machine. */
const fromNpm = "npm";

/**
 * Starts the program that `CHROMIUM_PATH` names, else the first Chromium of this machine that starts, else the one from
 * npm. It ends with this process. It cannot resolve host names outside this machine.
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

/** Without sandbox: containers often forbid it, and only our own pages are opened. */
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

/** The error output of the program, if there is any. */
function cause(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const complaint = lines.find((line) => line.includes("[err]")) ?? lines[0] ?? "";
  return complaint.replace(/^.*(\[err\]|browserType\.launch:) /, "").trim();
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";

interface Program {
  path: string;
  env?: Record<string, string>;
}

/** `CHROMIUM_PATH=npm` passes over the machine's own browsers. */
const fromNpm = "npm";

/**
 * Starts the program that `CHROMIUM_PATH` names, else the first Chromium of this machine that starts, else the one that
 * npm installed. It ends with this process. Names outside this machine do not resolve in it.
 *
 * @returns the browser, or one line on why none starts
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

/** Without its sandbox: containers often forbid one, and it opens only our own pages. */
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
  return system === "linux-x64" ? [...own, unpacked] : own;
}

function installed(): string[] {
  const folders = new Set([...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"]);
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const applications = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  return [...names.flatMap((name) => [...folders].map((folder) => join(folder, name))), ...applications].filter(
    existsSync,
  );
}

/**
 * The Chromium of `@sparticuz/chromium`, unpacked once a version into `dist`. It brings the shared libraries and fonts that
 * bare machines lack. The package itself would unpack into the shared /tmp and take a half written file for a whole one.
 */
async function unpacked(): Promise<Program> {
  const home = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  const folder = resolve(`dist/chromium-${version}`);
  if (!existsSync(folder)) await unpack(join(home, "bin"), folder);
  return {
    path: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

async function unpack(packed: string, folder: string): Promise<void> {
  const fresh = `${folder}-${process.pid}`;
  await mkdir(fresh, { recursive: true });
  await Promise.all([
    pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(fresh, "chromium"), { mode: 0o755 }),
    ),
    untar(join(packed, "al2023.tar.br"), join(fresh, "al2023")),
    untar(join(packed, "fonts.tar.br"), join(fresh, "fonts")),
    writeFile(join(fresh, "fonts.conf"), fontsIn(folder)),
  ]);
  await rename(fresh, folder).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
}

async function untar(archive: string, folder: string): Promise<void> {
  await mkdir(folder);
  const tar = spawn("tar", ["-x", "--no-same-owner", "-C", folder], { stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(tar, "close");
  await pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new Error(`tar could not unpack ${archive}`);
}

const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>${resolve("node_modules/dejavu-fonts-ttf/ttf")}</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** What the program complained of, if it got as far as that. */
function cause(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const complaint = lines.find((line) => line.includes("[err]")) ?? lines[0] ?? "";
  return complaint.replace(/^.*(\[err\]|browserType\.launch:) /, "").trim();
}

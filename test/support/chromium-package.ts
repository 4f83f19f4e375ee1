import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

export interface Program {
  path: string;
  env?: Record<string, string>;
}

const run = promisify(execFile);
const mostTries = 3;

/**
 * Unpacks the Chromium of `@sparticuz/chromium` into `dist`, once for each version. The package also contains the
 * shared libraries and fonts that minimal machines lack. Its own function is not used, because it would unpack into the
 * shared /tmp, and would use a file that is only partly written.
 */
export async function fromPackage(): Promise<Program> {
  const home = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  return unpacked(join(home, "bin"), resolve(`dist/chromium-${version}`));
}

/**
 * Unpacks a Chromium into a folder, unless the folder exists. Only one process at a time does this. It uses a temporary
 * folder, which is renamed when the program has started successfully.
 * @param packed the folder with the archives
 */
export async function unpacked(packed: string, folder: string): Promise<Program> {
  if (!existsSync(folder)) {
    const lock = await locked(folder);
    try {
      if (!existsSync(folder)) await triedUntilWhole(packed, folder);
    } finally {
      lock.close();
    }
  }
  return programIn(folder);
}

const programIn = (folder: string): Program => ({
  path: join(folder, "chromium"),
  env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
});

/**
 * Waits for a lock, which is held as long as its server listens. However the process ends, the system then frees the
 * address. Abstract socket addresses exist only on Linux.
 */
async function locked(folder: string): Promise<Server> {
  for (;;) {
    const server = await listening(`\0unpacking ${folder}`.slice(0, 100));
    if (server) return server;
    await sleep(100);
  }
}

/** Starts a server. @returns undefined if another process listens on the address */
const listening = (path: string): Promise<Server | undefined> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? done(undefined) : failed(error),
    );
    server.listen({ path }, () => done(server));
  });

async function triedUntilWhole(packed: string, folder: string): Promise<void> {
  const fresh = `${folder}.unpacking`;
  for (let tries = 1; ; tries++) {
    try {
      await rm(fresh, { recursive: true, force: true });
      await unpack(packed, fresh, folder);
      const { path, env } = programIn(fresh);
      await run(path, ["--version"], { env: { ...process.env, ...env } });
      return await rename(fresh, folder);
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      if (tries === mostTries) throw error;
    }
  }
}

/** Unpacks all archives into a folder. @param home the final path of the folder */
async function unpack(packed: string, folder: string, home: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    decompress(join(packed, "chromium.br"), join(folder, "chromium"), 0o755),
    untar(join(packed, "al2023.tar.br"), join(folder, "al2023")),
    untar(join(packed, "fonts.tar.br"), join(folder, "fonts")),
    writeFile(join(folder, "fonts.conf"), fontsIn(home)),
  ]);
}

/**
 * Extracts an archive from a file. From a pipe, tar would not read the padding after the archive, and writing it would
 * fail.
 */
async function untar(archive: string, folder: string): Promise<void> {
  const file = `${folder}.tar`;
  await mkdir(folder);
  await decompress(archive, file);
  await run("tar", ["-x", "--no-same-owner", "-f", file, "-C", folder]);
  await rm(file);
}

const decompress = (from: string, to: string, mode?: number): Promise<void> =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));

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

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const curl = join(import.meta.dirname, "curl.mjs");

/** The response to a command. */
export interface Answered {
  path: string;
  status: number;
  body: unknown;
}

/** A shell that keeps assigned variables between commands and needs no `curl`. */
export class Shell {
  readonly #variables = new Map<string, string>();
  readonly #answers: string;

  constructor(folder: string) {
    this.#answers = join(folder, "answers.jsonl");
  }

  set(name: string, value: string): void {
    this.#variables.set(name, value);
  }

  /** Runs a command and returns the responses to its requests. If the command is an assignment, keeps the value. */
  async run(command: string): Promise<Answered[]> {
    await writeFile(this.#answers, "");
    const [, name] = /^([A-Z_]+)=/.exec(command) ?? [];
    const script = `curl() { "${process.execPath}" "${curl}" "$@"; }\n${command}${name ? `\nprintf %s "$${name}"` : ""}`;
    const env = { ...process.env, ...Object.fromEntries(this.#variables), ANSWERS: this.#answers };
    const { stdout } = await run("sh", ["-c", script], { env });
    if (name) this.#variables.set(name, stdout);
    const lines = (await readFile(this.#answers, "utf8")).split("\n").filter((line) => line !== "");
    return lines.map((line) => {
      const { url, status, text } = JSON.parse(line) as { url: string; status: number; text: string };
      return { path: new URL(url).pathname + new URL(url).search, status, body: parsed(text) };
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

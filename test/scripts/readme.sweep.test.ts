import { randomUUID } from "node:crypto";
import { cp, glob, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { expect, test, vi } from "vitest";
import { bothGazetteers, wholeGazetteer } from "../support/postal-dump.ts";
import { expectations } from "../readme/expected.ts";
import { readerOf } from "../readme/reader.ts";
import { stepsIn } from "../readme/steps.ts";
import { openService } from "../support/service.ts";

vi.setConfig({ testTimeout: 400_000 });

// Runs every command of README and the guides in order, with a new company for each document. Compares each response
// with the documented one.

const guides = (await Array.fromAsync(glob("docs/guides/*.md"))).toSorted();
const documents = await Promise.all(
  ["README.md", ...guides].map(async (path) => ({
    path,
    key: `reader-${randomUUID()}`,
    steps: stepsIn(await readFile(path, "utf8")),
  })),
);

/** Variants of the service, with different gazetteers. One variant also has OCR. */
const variants = [
  { places: "towns", folder: async () => assetsWith((await bothGazetteers()).towns), ocr: false },
  { places: "postal codes", folder: async () => assetsWith((await bothGazetteers()).postal), ocr: true },
  ...((await wholeGazetteer()) ? [{ places: "the whole dump", folder: async () => "dist/assets", ocr: false }] : []),
];

async function assetsWith(gazetteer: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assets-"));
  await cp("dist/assets", folder, { recursive: true, filter: (path) => !path.includes("gazetteer") });
  await cp(gazetteer, join(folder, "gazetteer"), { recursive: true });
  return folder;
}

test.each(variants)(
  "the commands of README and guides respond as documented, with $places",
  async ({ folder, ocr }) => {
    const assets = await folder();
    const service = await openService({
      assets,
      ocr,
      internet: () => new Answer(null, { status: 204 }),
      vars: {
        LOCAL_KEYS: JSON.stringify(Object.fromEntries(documents.map(({ key }) => [key, randomUUID()]))),
        LOCAL_MAIL: "true",
      },
    });
    try {
      let followed = 0;
      for (const { path, key, steps } of documents) {
        const follow = readerOf(service, key, await mkdtemp(join(tmpdir(), "readme-")), ocr);
        for (const [index, step] of steps.entries()) {
          await follow(step).catch((cause: unknown) => {
            throw new Error(`${path}, step ${index + 1}: ${JSON.stringify(step)}`, { cause });
          });
          followed += 1;
        }
      }
      expect(followed).toBe(documents.flatMap(({ steps }) => steps).length);
    } finally {
      await service.stop();
    }
  },
);

test("every command of README and guides has one expectation, and every expectation a command", () => {
  const steps = documents.flatMap((document) => document.steps);
  const commands = steps.flatMap((step) => (step.kind === "command" && step.text.includes("curl ") ? [step.text] : []));
  expect(commands.length).toBeGreaterThan(50);
  const matches = commands.map((command) => expectations.filter((each) => command.includes(each.command)).length);
  expect(commands.filter((_, at) => matches[at] !== 1)).toEqual([]);
  expect(expectations.filter((each) => !commands.some((command) => command.includes(each.command)))).toEqual([]);
});

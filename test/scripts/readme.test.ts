import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { expect, test, vi } from "vitest";
import { bothGazetteers, wholeGazetteer } from "../support/postal-dump.ts";
import { expectations } from "../readme/expected.ts";
import { readerOf, readersKey } from "../readme/reader.ts";
import { stepsIn } from "../readme/steps.ts";
import { openService } from "../support/service.ts";

vi.setConfig({ testTimeout: 400_000 });

// Everything that the README has its readers do, in its order, as a shell does it, and held against what it says comes of it

const steps = stepsIn(await readFile("README.md", "utf8"));

/** Static files with a gazetteer each; with one of them pictures are read as well. */
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

test.each(variants)("the README's commands answer what it says, with $places", async ({ folder, ocr }) => {
  const assets = await folder();
  const service = await openService({
    assets,
    ocr,
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_KEYS: JSON.stringify({ [readersKey]: randomUUID() }), LOCAL_MAIL: "true" },
  });
  try {
    const follow = readerOf(service, await mkdtemp(join(tmpdir(), "readme-")), ocr);
    let followed = 0;
    for (const step of steps) {
      await follow(step);
      followed += 1;
    }
    expect(followed).toBe(steps.length);
  } finally {
    await service.stop();
  }
});

test("every command of the README has something expected of it, and nothing else has", () => {
  const commands = steps.flatMap((step) => (step.kind === "command" && step.text.includes("curl ") ? [step.text] : []));
  expect(commands.length).toBeGreaterThan(40);
  const found = commands.map((command) => expectations.filter((each) => command.includes(each.command)).length);
  expect(commands.filter((_, at) => found[at] !== 1)).toEqual([]);
  expect(expectations.filter((each) => !commands.some((command) => command.includes(each.command)))).toEqual([]);
});

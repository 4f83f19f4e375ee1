import { glob, readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withFileMap } from "../../scripts/file-map.mjs";

const readme = await readFile("README.md", "utf8");
const guides = await Array.fromAsync(glob("docs/guides/*.md"));

test("README has at most 200 lines and links every guide", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
  expect(guides.filter((path) => !path.endsWith("README.md") && !readme.includes(`(${path})`))).toEqual([]);
});

test.each(["src/extraction", "src/areas"])("README names every folder of %s", async (parent) => {
  const folders = (await readdir(parent, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const built = readme.slice(readme.indexOf("## How it is built"));
  expect(folders.map(({ name }) => name).filter((name) => !built.includes(`\`${name}\``))).toEqual([]);
});

test("every figure in README was measured", async () => {
  const section = /^## How well.*?(?=^## )/ms.exec(readme)![0];
  const figures = section.match(/(?<![\w.,])\d+[\d,]*\.?\d*(?![\w.]*`)/g) ?? [];
  const measured = (await readFile("bench/README.md", "utf8")) + (await readFile("bench/reading.md", "utf8"));
  expect(figures.length).toBeGreaterThan(20);
  expect(figures.filter((figure) => !measured.includes(figure))).toEqual([]);
});

test("CONTRIBUTING lists every file", async () => {
  const contributing = await readFile("CONTRIBUTING.md", "utf8");
  expect(contributing).toBe(withFileMap(contributing));
});

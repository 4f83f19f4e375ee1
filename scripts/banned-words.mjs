import { globSync, readFileSync } from "node:fs";

// Refuses the words of `lint/banned-words.json` in the names of files and exports: each had a private meaning in this code, and
// the list names the word to use instead. `words` are refused anywhere in a name, `names` only as the whole name.

const folders = "{src,durable-objects,workers,scripts,bench,training,test}/**/*.{ts,mts,mjs}";

/**
 * @param {{ words: Record<string, string>, names: Record<string, string> }} banned
 * @param {{ file: string, text: string }[]} files
 * @returns {{ file: string, name: string, word: string, instead: string }[]}
 */
export function bannedNames(banned, files) {
  return files.flatMap(({ file, text }) =>
    [fileName(file), ...exportedNames(text)].flatMap((name) =>
      wordsOf(name).flatMap((word, _, { length }) => {
        const list = length === 1 && Object.hasOwn(banned.names, word) ? banned.names : banned.words;
        return Object.hasOwn(list, word) ? [{ file, name, word, instead: list[word] }] : [];
      }),
    ),
  );
}

const fileName = (file) => file.split("/").at(-1).split(".")[0];

function exportedNames(text) {
  const declared = text.matchAll(
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm,
  );
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name]) => name),
    ...[...listed].flatMap(([, names]) =>
      names
        .split(",")
        .map((name) => name.trim().split(/\s+/).at(-1))
        .filter(Boolean),
    ),
  ];
}

/** Splits a name into words: both `ShareLinkOf` and `share-link-of` consist of the words share, link and of. */
const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4")
    .toLowerCase()
    .split(/[-_$]+/);

if (import.meta.main) {
  const banned = JSON.parse(readFileSync("lint/banned-words.json", "utf8"));
  const files = globSync(folders).map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const found = bannedNames(banned, files);
  for (const { file, name, word, instead } of found)
    console.error(`${file}: ${name}: use ${instead} instead of "${word}".`);
  if (found.length > 0) process.exitCode = 1;
}

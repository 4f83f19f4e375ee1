import { readFileSync } from "node:fs";
import { join } from "node:path";
import labels from "../../../src/extraction/lexicon/languages/de.json" with { type: "json" };
import english from "../../../src/extraction/lexicon/languages/en.json" with { type: "json" };
import { seeded } from "../../faults/seeds.ts";

/** A file with a text that is built to be slow to read. */
export interface HostileText {
  name: string;
  bytes: Uint8Array;
  /** Description of its content, for messages. */
  shape: string;
}

/** Attack strings that recheck found for quadratic patterns. Each has a prefix, a part to repeat, and a suffix. */
const attacks = JSON.parse(readFileSync(join(import.meta.dirname, "attacks.json"), "utf8")) as [
  string,
  string,
  string,
][];
const alphabet = [..."aAzŻяЯ019 ,.;:/-()[]{}<>|#*+@€'\"\t_=&%№°"];
const values = ["24.11.2026", "08:00-12:00", "04158 Leipzig", "DE-20457 Hamburg", "53-609 Wroclaw", "780,00 EUR"];
const things = ["24 t", "33 pallets", "WGM 12345", "DE123456788", "+49 40 1234567", "a@b.example", "Muster GmbH"];
const sentences = ["The carrier keeps to what the customer says.", "Hafenstr. 4, 20457 Hamburg", "Sp. z o.o. ", "x"];
const words = [labels, english].flatMap((file) => Object.values(file.labels).flat()).map(String);
const separators = [" ", "", ", ", ": ", "\n", "\n\n", ";", "\t", " - ", "    ", "/", ".", " (", "\r\n"];
const brackets = ["()", "[]", "{}", "<>", '""', "«»"];

type Random = () => number;
const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const several = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make);
const repeated = (piece: string, letters: number) =>
  piece.repeat(Math.ceil(letters / Math.max(1, piece.length))).slice(0, letters);

const pieceOf = (random: Random) => oneOf(random, oneOf(random, [values, things, sentences, words]));
const fewLetters = (random: Random) => several(random, 4, () => oneOf(random, alphabet)).join("");

const shapes: Record<string, (random: Random, letters: number) => string> = {
  "a few letters, repeated": (random, letters) => repeated(fewLetters(random), letters),
  "an attack of the checker": (random, letters) => {
    const [prefix, pump, suffix] = oneOf(random, attacks);
    const before = random() < 0.5 ? "" : `${oneOf(random, words)}: `;
    return before + prefix + repeated(pump, letters) + suffix;
  },
  "attacks, line by line": (random, letters) => {
    const lines = several(random, 6, () => oneOf(random, attacks)).map(
      ([prefix, pump, suffix]) => prefix + pump.repeat(1 + Math.floor(random() * 200)) + suffix,
    );
    return repeated(`${lines.join("\n")}\n`, letters);
  },
  "labels and values": (random, letters) => {
    const rows = several(random, 8, () => oneOf(random, words) + oneOf(random, separators) + pieceOf(random));
    return repeated(rows.join(oneOf(random, separators)) + oneOf(random, separators), letters);
  },
  "one piece, repeated": (random, letters) => repeated(pieceOf(random) + oneOf(random, separators), letters),
  "pieces at random": (random, letters) => {
    const pieces: string[] = [];
    for (let length = 0; length < letters; length += pieces.at(-1)!.length)
      pieces.push(pieceOf(random) + oneOf(random, separators));
    return pieces.join("").slice(0, letters);
  },
  "nested brackets": (random, letters) => {
    const [open = "(", close = ")"] = oneOf(random, brackets);
    const depth = Math.floor(letters / 2 / (1 + (random() < 0.5 ? 0 : 2)));
    const inner = random() < 0.5 ? "" : "a ";
    return repeated(open + inner, depth * (1 + inner.length)) + (random() < 0.5 ? repeated(close, depth) : "");
  },
  "an honest order, then noise": (random, letters) =>
    `Transport order 4711\nLoading: 24.11.2026, 04158 Leipzig\nUnloading: 25.11.2026, 53-609 Wroclaw\nGoods: ${repeated(fewLetters(random), letters)}\nPrice: 780 EUR\n`,
};

const escaped = (text: string) => text.replace(/[<>&]/g, " ");
const escapedLines = (text: string) => escaped(text).split("\n");

/** Functions that wrap a text in a file format. The markup makes the text longer. */
const wrappers: Record<string, (text: string, random: Random) => string> = {
  txt: (text) => text,
  eml: (text, random) => {
    const head = `From: ${oneOf(random, ["a@b.example", text.slice(0, 5000).replace(/\s/g, "(")])}\nSubject: ${text.slice(0, 2000).replace(/\s+/g, " ")}\n`;
    return `${head}Content-Type: text/plain; charset=utf-8\n\n${random() < 0.3 ? text.replace(/^/gm, "> ") : text}`;
  },
  xml: (text, random) => {
    const tag = oneOf(random, ["Loading", "a", "InvoiceLine", "Date"]);
    const root = oneOf(random, ["a", 'Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"']);
    const inner = escapedLines(text).map((line) => `<${tag}>${line}</${tag}>`);
    return `<${root}>${inner.join("")}</${root.split(" ")[0]}>`;
  },
  json: (text, random) =>
    JSON.stringify(random() < 0.5 ? { text } : text.split("\n").map((value) => ({ loading: value, n: 1 }))),
  csv: (text, random) => `No;Loading;Unloading;Date;Price\n${text.replaceAll(" ", random() < 0.5 ? ";" : " ")}`,
  html: (text, random) => {
    const tag = oneOf(random, ["p", "div", "td", "table><tr><td", "span"]);
    const inner = escapedLines(text).map((line) => `<${tag}>${line}`);
    return `<html><body>${inner.join("")}</body></html>`;
  },
  rtf: (text) => `{\\rtf1 ${text.replace(/[\\{}]/g, "").replaceAll("\n", "\\par ")}}`,
};
const extensions = ["txt", "txt", "txt", "txt", ...Object.keys(wrappers)];

/**
 * Generates the text with this number, which is the same in each run. The sizes of the texts are spread evenly on a
 * logarithmic scale, up to `mostBytes`.
 */
export function hostileText(number: number, mostBytes: number): HostileText {
  const random = seeded(number);
  for (let spin = 0; spin < 4; spin++) random();
  const extension = oneOf(random, extensions);
  const [shape, make] = oneOf(random, Object.entries(shapes));
  const size = Math.floor(500 * (mostBytes / 500) ** random());
  const text = wrappers[extension]!(make(random, size), random);
  const bytes = new TextEncoder().encode(text).subarray(0, mostBytes);
  return { name: `${number}.${extension}`, bytes, shape: `${shape}, ${bytes.length} bytes of ${extension}` };
}

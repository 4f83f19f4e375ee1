// node corpus/check.ts [AUTHOR…]: checks the documents of the named authors, or of all: that the values of a truth stand
// in its document (except values in other words, small numbers and converted American units), that IBANs have correct
// check digits, and that kinds and renderings are those of the README. Prints one line for each fault.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Parser } from "htmlparser2";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Entry {
  kind: string;
  language: string;
  render: string;
  received: string;
  truth: Json;
}

const root = import.meta.dirname;
const renderings: Record<string, string[]> = {
  html: ["pdf"],
  md: ["pdf", "docx"],
  "sheet.json": ["xlsx", "csv"],
  txt: ["txt", "pdf"],
  eml: ["eml"],
};
const kinds = new Set(
  "order opportunity invoice cmr fine insurance receipt statement driverDocument email notfreight".split(" "),
);
/** Values that a document gives in other words than the truth. */
const inferred = new Set(
  (
    "sequence type kind category offenceType paymentMethod documentSubmissionMethods trailerTypes refrigeratorUnitMode label " +
    "country countryCode plateCountry issuingCountry currency territory fixTime palletsExchange adr stackable ftl isVatInPln units categories additionalCharges"
  ).split(" "),
);

function* faultsOf(author: string, id: string): Generator<string> {
  const entry = parse<Entry>(join(root, author, `${id}.json`));
  if (!entry) return yield "the JSON is not valid";
  const ending = Object.keys(renderings).find((each) => existsSync(join(root, author, `${id}.${each}`)));
  if (!ending) return yield "it has no source";
  if (!renderings[ending]!.includes(entry.render))
    yield `render is ${entry.render}, of .${ending} one of ${renderings[ending]!.join(", ")}`;
  if (!kinds.has(entry.kind)) yield `the kind ${entry.kind} does not exist`;
  if (!/^[a-z]{2}$/.test(entry.language)) yield "language is not of two letters";
  if (!/^\d{4}-\d\d-\d\d$/.test(entry.received)) yield "received is not a day";
  const text = textOf(author, id, ending);
  const page = {
    folded: ` ${fold(text)} `,
    letters: lettersOf(text),
    digits: text.replaceAll(/\D+/g, " "),
    joined: text.replaceAll(/[^\d,.]/g, ""),
  };
  for (const [path, value] of leaves(entry.truth)) {
    const field = path.findLast((step) => typeof step === "string") ?? "";
    const where = `/${path.join("/")}`;
    if (field === "iban" && typeof value === "string" && !isIban(value)) yield `${where}: ${value} is no IBAN`;
    if (value === null || inferred.has(field)) continue;
    if (!stands(field, value, page, entry.received))
      yield `${where}: ${JSON.stringify(value)} does not stand in the document`;
  }
}

function textOf(author: string, id: string, ending: string): string {
  const source = readFileSync(join(root, author, `${id}.${ending}`), "utf8");
  if (ending === "html") return textOfHtml(source);
  if (ending === "sheet.json")
    return (JSON.parse(source) as { rows: Json[][] }[])
      .flatMap(({ rows }) =>
        rows.map((row) =>
          row.map((cell) => (cell === null ? "" : typeof cell === "object" ? "" : String(cell))).join(" | "),
        ),
      )
      .join("\n");
  const attached = [...source.matchAll(/^X-Attach: *(\d+)/gim)].map(([, other]) => {
    const kind = Object.keys(renderings).find((each) => existsSync(join(root, author, `${other}.${each}`)));
    return kind ? textOf(author, other!, kind) : "";
  });
  return [/<html|<body|<table/i.test(source) ? textOfHtml(source) : source, ...attached].join("\n");
}

function textOfHtml(source: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        if (/^(style|script|title)$/.test(name)) hidden++;
        else if (!/^(b|i|u|em|strong|span|sup|sub|font|small|tspan|a|mark)$/.test(name)) parts.push("\n");
      },
      ontext: (text) => void (hidden === 0 && parts.push(text)),
      onclosetag: (name) => void (/^(style|script|title)$/.test(name) && hidden--),
    },
    { decodeEntities: true },
  );
  parser.end(source);
  return parts.join("").replaceAll(/[^\S\n]+/g, " ");
}

const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ł", "l")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
const lettersOf = (text: string) => fold(text).replaceAll(" ", "");

function stands(
  field: string,
  value: string | number | boolean,
  page: { folded: string; letters: string; digits: string; joined: string },
  received: string,
): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value === "number") return hasNumber(value, page);
  if (/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(value)) return hasDate(value, page, received);
  if (field === "cardLast4" || field === "vatCode")
    return page.letters.includes(lettersOf(value).replace(/^[a-z]{2}/, ""));
  if (field === "distance") return hasNumber(Number(value), page);
  if (page.letters.includes(lettersOf(value))) return true;
  return fold(value)
    .split(" ")
    .every((word) => page.folded.includes(word));
}

/**
 * A weight may be printed in tonnes, a volume in litres, a length in another metric unit. Small numbers may be written in
 * words, and those of American units are converted: they are not checked.
 */
function hasNumber(value: number, { digits, folded }: { digits: string; folded: string }): boolean {
  const runs = digits.replaceAll(" ", "");
  return (
    [1, 1000, 0.001, 100, 0.01, 10, 0.1].some((factor) => {
      const text = String(Number((Math.abs(value) * factor).toFixed(4))).replace(".", "");
      return runs.includes(text.replace(/^0+(?=\d)/, ""));
    }) ||
    / (?:pounds?|lbs?|feet|inch(?:es)?|fahrenheit|f|ft|miles?|mi) /.test(folded) ||
    Math.abs(value) <= 12
  );
}

/** A date has its day and month somewhere, in figures or with the month as a word; dates relative to the document pass. */
function hasDate(value: string, { digits, folded }: { digits: string; folded: string }, received: string): boolean {
  const [, , month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/
    .exec(value)!
    .map((each) => each ?? "");
  const hasDay =
    new RegExp(`(?<!\\d)0?${Number(day)}(?!\\d)`).test(digits) ||
    digits.includes(`${month}${day}`) ||
    digits.includes(`${day}${month}`);
  const near = Math.abs(Date.parse(value.slice(0, 10)) - Date.parse(received)) < 21 * 86_400_000;
  if (!hasDay && !near) return false;
  if (!hour) return true;
  const hours = new RegExp(
    `(?<!\\d)0?${Number(hour)}(?!\\d)|(?<!\\d)0?${Number(hour) % 12 || 12}(?!\\d)|${hour}${minute}`,
  );
  return (
    hours.test(digits) ||
    /noon|midnight|mittag|midi|mezzogiorno|poludni|mediodia/.test(folded) ||
    hour === "12" ||
    hour === "00"
  );
}

function* leaves(
  value: Json,
  path: (string | number)[] = [],
): Generator<[(string | number)[], string | number | boolean | null]> {
  if (Array.isArray(value)) for (const [at, each] of value.entries()) yield* leaves(each, [...path, at]);
  else if (value !== null && typeof value === "object")
    for (const [name, each] of Object.entries(value)) yield* leaves(each, [...path, name]);
  else yield [path, value];
}

function isIban(text: string): boolean {
  const code = text.replaceAll(/\s/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(code)) return false;
  const figures = (code.slice(4) + code.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.codePointAt(0)! - 55),
  );
  return [...figures].reduce((rest, figure) => (rest * 10 + Number(figure)) % 97, 0) === 1;
}

function parse<Shape>(path: string): Shape | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Shape;
  } catch {
    return undefined;
  }
}

const authors = process.argv.slice(2);
let faults = 0;
let documents = 0;
for (const author of authors.length > 0
  ? authors
  : readdirSync(root, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name)) {
  for (const name of readdirSync(join(root, author)).sort()) {
    if (!/^\d+\.json$/.test(name)) continue;
    documents++;
    const id = name.slice(0, -".json".length);
    for (const fault of faultsOf(author, id)) {
      faults++;
      console.log(`${author}/${id}: ${fault}`);
    }
  }
}
console.log(`${documents} documents, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;

/** A value of JSON. */
export type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json };

export type Outcome = "right" | "wrong" | "missed";

/** A leaf of the truth, or a value that the document does not give. */
export interface Leaf {
  /** "locations[].city" */
  path: string;
  outcome: Outcome;
  expected?: Json;
  read?: Json;
}

/** Text of which one character in ten may differ: names and descriptions, as people and OCR spell them. */
const loose = /(?:name|street|city|description|cargoType|insurer|authority|nature|place|merchant|packing|marks)$/i;
/** References, which may be read with their label: "PO 118720". */
const reference = /refrenceNumbers$|orderNumbers$/;
/** Strings of digits that are codes, not amounts. */
const code = /vatCode|plate|phone|iban|number|reference|code|Last4|postal/i;

/**
 * Compares what a service read with the truth. Judged is what the truth names: a value that differs is wrong, a value that is
 * missing is missed, and a value where the truth says `null` or `[]` is wrong. Stops are paired by type and order, elements
 * of other lists by best fit.
 */
export function compare(expected: Json, read: Json, path = ""): Leaf[] {
  if (expected === undefined) return [];
  if (Array.isArray(expected)) return compareLists(expected, listOf(read), path);
  if (isObject(expected))
    return Object.entries(expected).flatMap(([name, value]) =>
      compare(value, isObject(read) ? read[name] : undefined, path ? `${path}.${name}` : name),
    );
  const outcome = judge(path, expected, read);
  return outcome ? [{ path, outcome, expected, read }] : [];
}

/** @returns undefined where there is rightly no value */
function judge(path: string, expected: string | number | boolean | null, read: Json): Outcome | undefined {
  if (expected === null || expected === "") return isEmpty(read) ? undefined : "wrong";
  if (isEmpty(read)) return expected === false ? "right" : "missed";
  return isSame(path, expected, read) ? "right" : "wrong";
}

function compareLists(expected: Json[], read: Json[], path: string): Leaf[] {
  if (expected.every((each) => !isObject(each))) return compareSets(expected, read, path);
  const free = new Map(read.entries());
  const leaves = expected.flatMap((each) => {
    const at = bestOf(each, free, path);
    const match = at === undefined ? undefined : free.get(at);
    if (at !== undefined) free.delete(at);
    return compare(each, match, `${path}[]`);
  });
  const surplus = path.endsWith("locations") ? [...free.values()] : [];
  return [...leaves, ...surplus.map((value): Leaf => ({ path: `${path}[]`, outcome: "wrong", read: value }))];
}

/** Ids of the trailer types that the truth names: refrigerated, curtainsider or tilt (1 counts as 3), coil. */
const trailerTypes = new Set(["2", "3", "15"]);

const trailersAmong = (ids: Json[]): Json[] => {
  const named = ids.map((id) => (Number(id) === 1 ? "3" : `${Number(id)}`));
  return [...new Set(named)].filter((id) => trailerTypes.has(id));
};

function compareSets(wanted: Json[], given: Json[], path: string): Leaf[] {
  const [expected, read] = path.endsWith("trailerTypes")
    ? ([wanted, given].map(trailersAmong) as [Json[], Json[]])
    : [wanted, given];
  const left = [...read];
  const leaves = expected.map((each): Leaf => {
    const at = left.findIndex((other) => isSame(path, each as string, other));
    if (at < 0) return { path, outcome: "missed", expected: each };
    return { path, outcome: "right", expected: each, read: left.splice(at, 1)[0] };
  });
  return [...leaves, ...left.map((value): Leaf => ({ path, outcome: "wrong", read: value }))];
}

/** The element that fits best; of stops only those of the same type, the earlier of two that fit equally. */
function bestOf(expected: Json, free: ReadonlyMap<number, Json>, path: string): number | undefined {
  const type = (value: Json) => (isObject(value) ? value["type"] : undefined);
  let best: { at: number; fit: number } | undefined;
  for (const [at, value] of free) {
    if (path.endsWith("locations") && type(expected) && type(value) && type(expected) !== type(value)) continue;
    const leaves = compare(expected, value, path);
    const count = (outcome: Outcome) => leaves.filter((leaf) => leaf.outcome === outcome).length;
    const fit = count("right") - count("wrong") / 2;
    if (!best || fit > best.fit) best = { at, fit };
  }
  return best?.at;
}

function isSame(path: string, expected: string | number | boolean | null, read: Json): boolean {
  if (typeof expected === "boolean") return read === expected;
  if (typeof expected === "number") {
    const value = Number(read);
    return Number.isFinite(value) && Math.abs(value - expected) <= Math.max(0.005, Math.abs(expected) * 0.005);
  }
  if (typeof expected !== "string" || isObject(read) || Array.isArray(read)) return expected === read;
  const text = String(read);
  if (/^\d{4}-\d\d-\d\d/.test(expected)) return text.replace(" ", "T").startsWith(expected.slice(0, 16));
  if (/^-?\d+(\.\d+)?$/.test(expected) && !code.test(path))
    return Math.abs(Number(expected) - Number(text.replaceAll(/[^\d.,-]/g, "").replace(",", "."))) < 0.005;
  const [one, other] = [lettersOf(expected), lettersOf(text)];
  if (one === other || (reference.test(path) && isBehindLabel(one, other))) return true;
  return loose.test(path) && distance(one, other) <= Math.max(one.length, other.length) / 10;
}

/** Whether one code is the other with a word before it. */
function isBehindLabel(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 2 && long.endsWith(short) && /^\p{L}{2,12}$/u.test(long.slice(0, -short.length));
}

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: Json): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);
const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);

const ligatures: Record<string, string> = {
  ł: "l",
  ß: "ss",
  ø: "o",
  æ: "ae",
  đ: "d",
  ı: "i",
  œ: "oe",
  þ: "th",
  ð: "d",
};

/** Letters and digits alone, in lower case, without accents. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[łßøæđıœþð]/g, (letter) => ligatures[letter]!)
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next[to] = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1));
    row = next;
  }
  return row[other.length]!;
}

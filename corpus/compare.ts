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
  /** JSON pointer of the value that was read: "/locations/1/city". */
  pointer?: string;
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
export const compare = (expected: Json, read: Json): Leaf[] => compareAt(expected, read, { path: "", pointer: "" });

/** Where a value stands: in the truth ("locations[].city") and in what was read ("/locations/1/city"). */
interface Place {
  path: string;
  pointer: string;
}

const member = ({ path, pointer }: Place, name: string): Place => ({
  path: path ? `${path}.${name}` : name,
  pointer: `${pointer}/${name}`,
});
const element = ({ path, pointer }: Place, at: number): Place => ({ path: `${path}[]`, pointer: `${pointer}/${at}` });

function compareAt(expected: Json, read: Json, place: Place): Leaf[] {
  if (expected === undefined) return [];
  if (Array.isArray(expected)) return compareLists(expected, listOf(read), place);
  if (isObject(expected))
    return Object.entries(expected).flatMap(([name, value]) =>
      compareAt(value, isObject(read) ? read[name] : undefined, member(place, name)),
    );
  const outcome = judge(place.path, expected, read);
  return outcome ? [{ ...place, outcome, expected, read }] : [];
}

/** @returns undefined where there is rightly no value */
function judge(path: string, expected: string | number | boolean | null, read: Json): Outcome | undefined {
  if (expected === null || expected === "") return isEmpty(read) ? undefined : "wrong";
  if (isEmpty(read)) return expected === false ? "right" : "missed";
  return isSame(path, expected, read) ? "right" : "wrong";
}

function compareLists(expected: Json[], read: Json[], place: Place): Leaf[] {
  if (expected.every((each) => !isObject(each))) return compareSets(expected, read, place);
  const free = new Map(read.entries());
  const leaves = expected.flatMap((each) => {
    const at = bestOf(each, free, place);
    const match = at === undefined ? undefined : free.get(at);
    if (at !== undefined) free.delete(at);
    return compareAt(each, match, element(place, at ?? read.length));
  });
  const surplus = place.path.endsWith("locations") ? [...free] : [];
  return [...leaves, ...surplus.map(([at, value]): Leaf => ({ ...element(place, at), outcome: "wrong", read: value }))];
}

/** Ids of the trailer types that the truth names: refrigerated, curtainsider or tilt (1 counts as 3), coil. */
const trailerTypes = new Set(["2", "3", "15"]);

const trailerOf = (id: Json): string => (Number(id) === 1 ? "3" : `${Number(id)}`);

/** Ids of trailers that the truth names, each once, with the index of the first that says it. */
const trailersAmong = (ids: Json[]): [number, Json][] =>
  [
    ...new Map(
      [...ids.entries()].toReversed().map(([at, id]) => [trailerOf(id), [at, trailerOf(id)] as [number, Json]]),
    ),
  ].flatMap(([id, each]) => (trailerTypes.has(id) ? [each] : []));

function compareSets(wanted: Json[], given: Json[], { path, pointer }: Place): Leaf[] {
  const members = (list: Json[]) => (path.endsWith("trailerTypes") ? trailersAmong(list) : [...list.entries()]);
  const left = members(given);
  const leaves = members(wanted).map(([, each]): Leaf => {
    const at = left.findIndex(([, other]) => isSame(path, each as string, other));
    if (at < 0) return { path, outcome: "missed", expected: each };
    const [[index, read]] = left.splice(at, 1) as [[number, Json]];
    return { path, pointer: `${pointer}/${index}`, outcome: "right", expected: each, read };
  });
  return [
    ...leaves,
    ...left.map(([at, read]): Leaf => ({ path, pointer: `${pointer}/${at}`, outcome: "wrong", read })),
  ];
}

/** The element that fits best; of stops only those of the same type, the earlier of two that fit equally. */
function bestOf(expected: Json, free: ReadonlyMap<number, Json>, place: Place): number | undefined {
  const type = (value: Json) => (isObject(value) ? value["type"] : undefined);
  let best: { at: number; fit: number } | undefined;
  for (const [at, value] of free) {
    if (place.path.endsWith("locations") && type(expected) && type(value) && type(expected) !== type(value)) continue;
    const leaves = compareAt(expected, value, place);
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

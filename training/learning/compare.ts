import { foldName } from "../../src/extraction/lexicon/fold.ts";
import type { Evidence } from "../../src/extraction/document/extraction-result.ts";

/** An extracted value compared with the truth. */
export interface Judged extends Evidence {
  right: boolean;
}

type Json = unknown;
const named = /(?:name|street|city|comments|notes|description|cargoType|insurer|authority|nature|goods|place)$/iu;
const isDay = /^\d{4}-\d\d-\d\d/u;
/** Tolerance for numbers: relative, but absolute for numbers below one. */
const roughly = 0.005;
/** Number of letters in a name for which one wrong letter is allowed. */
const lettersToAnError = 10;

/**
 * Judges every extracted value that the truth covers. Values without an entry in the truth are left out. Null in the
 * truth means that the document lacks the value, so any extracted value is wrong. Items of lists are paired by best
 * fit; an item that has a type is paired only with an item of the same type. An extracted item without a partner counts
 * as invented if the truth covers its type or if it is a stop.
 */
export function judged(truth: Json, data: Json, evidence: readonly Evidence[]): Judged[] {
  const right = new Map<string, boolean>();
  judge("", truth, data, (pointer, isRight) => right.set(pointer, isRight));
  return evidence.flatMap((each) => {
    const isRight = right.get(each.pointer);
    return isRight === undefined ? [] : [{ ...each, right: isRight }];
  });
}

/** Counts the values that the truth expects. */
export function wantedIn(truth: Json): number {
  if (truth === null || truth === undefined || truth === false || truth === "") return 0;
  if (typeof truth !== "object") return 1;
  return Object.values(truth).reduce((sum: number, each: Json) => sum + wantedIn(each), 0);
}

type Note = (pointer: string, right: boolean) => void;

function judge(pointer: string, want: Json, got: Json, note: Note): void {
  if (want === undefined || got === undefined || got === null) return;
  if (want === null) noteAll(pointer, got, note, false);
  else if (Array.isArray(want)) judgeList(pointer, want, Array.isArray(got) ? got : [got], note);
  else if (typeof want === "object") {
    for (const [name, value] of Object.entries(want)) judge(`${pointer}/${name}`, value, (got as Fields)[name], note);
  } else note(pointer, same(pointer, want, got));
}

type Fields = Record<string, Json>;

function judgeList(pointer: string, want: Json[], got: Json[], note: Note): void {
  if (want.every((each) => typeof each !== "object" || each === null)) {
    const left = [...want];
    for (const [index, value] of got.entries()) {
      const at = left.findIndex((each) => same(pointer, each, value));
      if (at >= 0) left.splice(at, 1);
      note(`${pointer}/${index}`, at >= 0);
    }
    return;
  }
  const free = new Set(got.keys());
  for (const wanted of want) {
    const best = [...free]
      .filter((index) => sameType(wanted, got[index]))
      .map((index) => ({ index, fit: fitOf(wanted, got[index]) - index / 1000 }))
      .toSorted((a, b) => b.fit - a.fit)[0];
    if (!best) continue;
    free.delete(best.index);
    judge(`${pointer}/${best.index}`, wanted, got[best.index], note);
  }
  const spoken = new Set(want.flatMap((each) => Object.keys(each ?? {})));
  const isInvented = (index: number) =>
    pointer.endsWith("/locations") || want.some((wanted) => sameType(wanted, got[index]));
  for (const index of [...free].filter(isInvented))
    for (const name of spoken) noteAll(`${pointer}/${index}/${name}`, (got[index] as Fields)[name], note, false);
}

function sameType(want: Json, got: Json): boolean {
  const [one, other] = [(want as Fields | null)?.type, (got as Fields | null)?.type];
  return one === undefined || other === undefined || one === other;
}

function fitOf(want: Json, got: Json): number {
  let fit = 0;
  judge("", want, got, (_, right) => (fit += right ? 1 : -0.5));
  return fit;
}

function noteAll(pointer: string, got: Json, note: Note, right: boolean): void {
  if (got === undefined || got === null) return;
  if (typeof got === "object")
    for (const [name, value] of Object.entries(got)) noteAll(`${pointer}/${name}`, value, note, right);
  else note(pointer, right);
}

function same(pointer: string, want: Json, got: Json): boolean {
  if (typeof want === "boolean") return want === got;
  if (typeof want === "number") return Math.abs(Number(got) - want) <= Math.max(roughly, Math.abs(want) * roughly);
  const [one, other] = [String(want), String(got)];
  if (isDay.test(one)) {
    const letters = one.length <= 10 ? 10 : 16;
    return one.slice(0, letters) === other.slice(0, letters);
  }
  const [a, b] = [tight(one), tight(other)];
  if (a === b) return true;
  return named.test(pointer) && editsBetween(a, b) <= Math.max(a.length, b.length) / lettersToAnError;
}

const tight = (text: string) => foldName(text).replace(/[^\p{L}\p{N}]/gu, "");

function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let at = 1; at <= b.length; at++)
      line[at] = Math.min(above[at]! + 1, line[at - 1]! + 1, above[at - 1]! + (a[row - 1] === b[at - 1] ? 0 : 1));
    above = line;
  }
  return above[b.length]!;
}

import type { Token } from "../document/document.ts";

const letter = /^\p{Lu}$/u;
const [minLetters, minLettersBehind] = [4, 2];
/** In letter heights: maximum gap between two letters of a word, and between two words of spaced letters. */
const [widestGap, widestBlank] = [1.3, 4];

const setApart = new WeakSet<Token>();

/** Joins spaced capitals into words: "O R D E R   O F   C A R R I A G E". */
export function joinSpacedLetters(line: readonly Token[]): Token[] {
  const words: Token[] = [];
  for (let at = 0; at < line.length;) {
    const run = runAt(line, at);
    const [before, first] = [words.at(-1), line[at] as Token];
    const goesOn = before !== undefined && setApart.has(before) && first.x0 - before.x1 < widestBlank * first.size;
    const isWord = run.length >= (goesOn ? minLettersBehind : minLetters);
    words.push(isWord ? wordOf(run) : first);
    at += isWord ? run.length : 1;
  }
  return words;
}

/** Whether both tokens were joined from spaced letters and are next to each other. */
export function stillApart(left: Token, right: Token): boolean {
  return setApart.has(left) && setApart.has(right) && right.x0 - left.x1 < widestBlank * right.size;
}

function runAt(line: readonly Token[], at: number): Token[] {
  const run: Token[] = [];
  for (let next = at; next < line.length; next++) {
    const [before, token] = [run.at(-1), line[next] as Token];
    if (!letter.test(token.text) || (before && !follows(before, token))) break;
    run.push(token);
  }
  return run;
}

function follows(left: Token, right: Token): boolean {
  const [a, b] = [left.cell, right.cell];
  const together = a?.table === b?.table && a?.row === b?.row && a?.column === b?.column;
  return together && right.x0 - left.x1 < widestGap * left.size;
}

function wordOf(run: readonly Token[]): Token {
  const [first, last] = [run[0] as Token, run.at(-1) as Token];
  const word = { ...first, text: run.map(({ text }) => text).join(""), x1: last.x1, y1: Math.max(first.y1, last.y1) };
  setApart.add(word);
  return word;
}

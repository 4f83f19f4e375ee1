import { ReadingProblem } from "../problem.ts";
import type { Desk } from "./reader.ts";

/** What an RTF file says, its characters decoded. `starred` words begin destinations a reader may not know and then skips. */
export type RtfEvent =
  | { kind: "Open" }
  | { kind: "Close" }
  | { kind: "Word"; name: string; value: number | undefined; starred: boolean }
  | { kind: "Text"; text: string };

interface Group {
  /** How many characters follow a Unicode character for programs that know none. */
  fallback: number;
  font: number;
  inFontTable: boolean;
}

/** Windows code pages by the charset number of a font. */
const charsets: Record<number, number> = { 0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 186: 1257, 204: 1251, 238: 1250 };
const codePages: Record<number, string> = { 65001: "utf-8", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 10000: "macintosh", 10007: "x-mac-cyrillic", 866: "ibm866", 28592: "iso-8859-2" };
const named: Record<string, string> = {
  emdash: "—", endash: "–", bullet: "•", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”", emspace: " ", enspace: " ", qmspace: " ",
};
const symbols: Record<string, string> = { "~": "\u00A0", _: "-", "\\": "\\", "{": "{", "}": "}" };
const deepest = 10_000;

/**
 * @param rtf the file's bytes, one character each
 * @throws ReadingProblem `file_unreadable` for groups nested absurdly deep
 */
export function* rtfEvents(rtf: string, desk: Desk): Generator<RtfEvent> {
  const pattern = /([{}])|\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([^\\{}\r\n]+)|[\r\n]+|\\$/gs;
  const stack: Group[] = [];
  const fonts = new Map<number, string>();
  let group: Group = { fallback: 1, font: -1, inFontTable: false };
  let codePage = "windows-1252";
  let bytes: number[] = [];
  let skip = 0;
  let starred = false;
  let count = 0;
  for (let match = pattern.exec(rtf); match; match = pattern.exec(rtf)) {
    if (++count % 20_000 === 0) desk.budget.check();
    const [, brace, word, number, hex, symbol, text] = match;
    if (hex !== undefined) {
      if (skip > 0) skip--;
      else bytes.push(Number.parseInt(hex, 16));
      continue;
    }
    if (bytes.length > 0) {
      yield { kind: "Text", text: decodeBytes(bytes, fonts.get(group.font) ?? codePage) };
      bytes = [];
    }
    if (brace === "{") {
      if (stack.length >= deepest) throw new ReadingProblem("file_unreadable", "The file is nested too deep to be read.");
      stack.push({ ...group });
      skip = 0;
      yield { kind: "Open" };
    } else if (brace === "}") {
      group = stack.pop() ?? group;
      skip = 0;
      yield { kind: "Close" };
    } else if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number);
      if (word === "bin") pattern.lastIndex += Math.max(0, value ?? 0);
      else if (word === "uc") group.fallback = Math.min(Math.max(0, value ?? 1), 10);
      else if (word === "u" && value !== undefined) {
        yield { kind: "Text", text: String.fromCharCode(value < 0 ? value + 65_536 : value) };
        skip = group.fallback;
      } else if (word === "ansicpg") codePage = labelOf(value ?? 1252);
      else if (word === "mac") codePage = "macintosh";
      else if (word === "fonttbl") group.inFontTable = true;
      else if (word === "f") group.font = value ?? 0;
      else if (word === "fcharset" && group.inFontTable) {
        const page = charsets[value ?? 1];
        if (page) fonts.set(group.font, labelOf(page));
      }
      const spelled = named[word];
      if (spelled) yield { kind: "Text", text: spelled };
      else yield { kind: "Word", name: word, value, starred };
    } else if (symbol !== undefined) {
      const spelled = symbols[symbol];
      if (spelled) yield { kind: "Text", text: spelled };
      if (symbol === "\n" || symbol === "\r") yield { kind: "Word", name: "par", value: undefined, starred: false };
    } else if (text !== undefined) {
      const shown = text.slice(skip);
      skip = Math.max(0, skip - text.length);
      if (shown) yield { kind: "Text", text: decodeLatin(shown, fonts.get(group.font) ?? codePage) };
    }
    starred = symbol === "*";
  }
}

function labelOf(codePage: number): string {
  return codePages[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252");
}

function decodeBytes(bytes: number[], label: string): string {
  return new TextDecoder(label).decode(new Uint8Array(bytes));
}

/** Programs that write eight-bit characters without an escape mean them in the code page, too. */
function decodeLatin(text: string, label: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return decodeBytes([...text].map((letter) => letter.charCodeAt(0) & 0xff), label);
}

/** The bytes of a file as a string of one character each. */
export function latinText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

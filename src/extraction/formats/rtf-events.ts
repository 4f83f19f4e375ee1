import { ExtractionProblem } from "../problem.ts";
import type { ReaderContext } from "./reader.ts";

/**
 * A parsed element of an RTF file, with decoded characters. A `starred` word begins a group that readers skip if they
 * do not support the word.
 */
export type RtfEvent =
  | { kind: "Open" }
  | { kind: "Close" }
  | { kind: "Word"; name: string; value: number | undefined; starred: boolean }
  | { kind: "Text"; text: string };

/** Converts the bytes of a file to a string with one character per byte. */
export function latinText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

const pattern =
  /(?<brace>[{}])|\\(?<word>[a-zA-Z]{1,32})(?<number>-?\d{1,10})? ?|\\'(?<hex>[0-9a-fA-F]{2})|\\(?<symbol>[^a-zA-Z])|(?<text>[^\\{}\r\n]+)|[\r\n]+|\\$/gs;

/**
 * Parses an RTF file.
 * @param rtf the bytes of the file, as one character each
 * @throws ExtractionProblem `file_unreadable` if groups are nested too deeply
 */
export function* rtfEvents(rtf: string, context: ReaderContext): Generator<RtfEvent> {
  const decoder = new CharacterDecoder();
  const scanner = new RegExp(pattern);
  let count = 0;
  for (let match = scanner.exec(rtf); match; match = scanner.exec(rtf)) {
    if (++count % 20_000 === 0) context.budget.check();
    const { brace, word, number, hex, symbol, text } = match.groups ?? {};
    const value = number === undefined ? undefined : Number(number);
    if (word === "bin") scanner.lastIndex += Math.max(0, value ?? 0);
    if (hex !== undefined) decoder.byte(Number.parseInt(hex, 16));
    else if (brace !== undefined) yield* decoder.brace(brace);
    else if (word !== undefined) yield* decoder.word(word, value);
    else if (symbol !== undefined) yield* decoder.symbol(symbol);
    else if (text !== undefined) yield* decoder.text(text);
  }
  yield* decoder.flush();
}

interface Group {
  /** Number of fallback characters that follow a Unicode character, for programs that do not support Unicode. */
  fallback: number;
  font: number;
}

const maxDepth = 10_000;

class CharacterDecoder {
  private readonly stack: Group[] = [];
  private readonly fonts = new Map<number, string>();
  private group: Group = { fallback: 1, font: -1 };
  private codePage = "windows-1252";
  private bytes: number[] = [];
  private skip = 0;
  private starred = false;

  /** Multi-byte characters are written byte by byte, so the bytes are decoded only when another element follows. */
  byte(byte: number): void {
    if (this.skip > 0) this.skip--;
    else this.bytes.push(byte);
  }

  *flush(): Generator<RtfEvent> {
    if (this.bytes.length === 0) return;
    yield { kind: "Text", text: decodeBytes(this.bytes, this.encoding) };
    this.bytes = [];
  }

  *brace(brace: string): Generator<RtfEvent> {
    yield* this.flush();
    this.skip = 0;
    this.starred = false;
    if (brace === "{") {
      if (this.stack.length >= maxDepth) {
        throw new ExtractionProblem(
          "file_unreadable",
          `The elements of the file are nested deeper than ${maxDepth} levels.`,
        );
      }
      this.stack.push({ ...this.group });
    } else this.group = this.stack.pop() ?? this.group;
    yield { kind: brace === "{" ? "Open" : "Close" };
  }

  *word(name: string, value: number | undefined): Generator<RtfEvent> {
    yield* this.flush();
    const { starred } = this;
    this.starred = false;
    this.settings[name]?.(value);
    const spelled = name === "u" && value !== undefined ? String.fromCharCode(value & 0xffff) : spelledWords[name];
    if (spelled === undefined) yield { kind: "Word", name, value, starred };
    else yield { kind: "Text", text: spelled };
  }

  *symbol(symbol: string): Generator<RtfEvent> {
    yield* this.flush();
    this.starred = symbol === "*";
    const spelled = spelledSymbols[symbol];
    if (spelled !== undefined) yield { kind: "Text", text: spelled };
    if (symbol === "\n" || symbol === "\r") yield { kind: "Word", name: "par", value: undefined, starred: false };
  }

  *text(text: string): Generator<RtfEvent> {
    yield* this.flush();
    const shown = text.slice(this.skip);
    this.skip = Math.max(0, this.skip - text.length);
    if (shown) yield { kind: "Text", text: decodeLatin(shown, this.encoding) };
  }

  private get encoding(): string {
    return this.fonts.get(this.group.font) ?? this.codePage;
  }

  private readonly settings: Record<string, (value: number | undefined) => void> = {
    u: () => (this.skip = this.group.fallback),
    uc: (value) => (this.group.fallback = Math.min(Math.max(0, value ?? 1), 10)),
    ansicpg: (value) => (this.codePage = encodingOf(value ?? 1252)),
    mac: () => (this.codePage = "macintosh"),
    f: (value) => (this.group.font = value ?? 0),
    fcharset: (value) => {
      const page = charsets[value ?? 1];
      if (page) this.fonts.set(this.group.font, encodingOf(page));
    },
  };
}

/** Windows code page of each charset number of a font. */
const charsets: Record<number, number> = {
  0: 1252,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  186: 1257,
  204: 1251,
  238: 1250,
};

const encodings: Record<number, string> = {
  65001: "utf-8",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  866: "ibm866",
  10000: "macintosh",
  10007: "x-mac-cyrillic",
  28592: "iso-8859-2",
};

const spelledWords: Record<string, string> = {
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
};

const spelledSymbols: Record<string, string> = { "~": "\u00A0", _: "-", "\\": "\\", "{": "{", "}": "}" };

function encodingOf(codePage: number): string {
  return encodings[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252");
}

function decodeBytes(bytes: Iterable<number>, encoding: string): string {
  return new TextDecoder(encoding).decode(Uint8Array.from(bytes));
}

/** Decodes text without escapes. Like escaped bytes, its 8-bit characters are in the encoding of the font. */
function decodeLatin(text: string, encoding: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  return decodeBytes(
    Array.from(text, (letter) => letter.charCodeAt(0)),
    encoding,
  );
}

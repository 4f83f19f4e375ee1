import type { Page, Token } from "../../src/extraction/document/document.ts";
import type { Chance } from "../chance.ts";
import { shortPaper } from "./short-papers.ts";

/** A page of a stack, and whether a document begins on it. */
export interface StackPage {
  page: Page;
  begins: boolean;
}

const pageWords: readonly (readonly [string, string])[] = [
  ["Page", "of"],
  ["Seite", "von"],
  ["Strona", "z"],
  ["Strana", "z"],
  ["Pagina", "di"],
  ["Puslapis", "iš"],
  ["Oldal", "/"],
  ["", "/"],
];

/** Prints a document. Some pages are cut in two; most documents get page numbers. */
export function printed(pages: readonly Page[], chance: Chance): Page[] {
  const sheets = pages.flatMap((page) => (chance.happens(0.45) ? cutInTwo(page, chance) : [page]));
  if (chance.happens(0.4)) return sheets;
  const [page, of] = chance.pick(pageWords);
  const known = chance.happens(0.8);
  return sheets.map((sheet, index) => {
    const footerText = known ? `${page} ${index + 1} ${of} ${sheets.length}` : `${page} ${index + 1}`;
    return { ...sheet, tokens: [...sheet.tokens, ...footer(footerText, sheet)] };
  });
}

/** Cuts a page between two rows and moves the rest to the top of a new page, sometimes below a repeated header. */
function cutInTwo(page: Page, chance: Chance): Page[] {
  const ends = page.tokens.map(({ y1 }) => y1).toSorted((a, b) => a - b);
  const at = ends[Math.floor(ends.length * (0.35 + 0.45 * chance.next()))] ?? page.height;
  const below = page.tokens.filter(({ y1 }) => y1 > at);
  if (below.length < 8) return [page];
  const top = Math.min(...below.map(({ y0 }) => y0));
  const first = Math.min(...page.tokens.map(({ y0 }) => y0));
  const head = chance.happens(0.4) ? page.tokens.filter(({ y1 }) => y1 < first + 45) : [];
  const shift = top - first - (head.length > 0 ? 60 : 0);
  const moved = below.map((token) => ({ ...token, y0: token.y0 - shift, y1: token.y1 - shift }));
  return [
    { ...page, tokens: page.tokens.filter(({ y1 }) => y1 <= at) },
    { ...page, rulings: [], tokens: [...head, ...moved] },
  ];
}

const footer = (footerText: string, { width, height }: Page): Token[] =>
  footerText
    .split(" ")
    .filter(Boolean)
    .map((text, index) => ({
      text,
      x0: width * 0.7 + index * 30,
      x1: width * 0.7 + index * 30 + text.length * 5,
      y0: height - 30,
      y1: height - 21,
      size: 9,
      bold: false,
      confidence: 1,
      source: "Pdf",
    }));

const blank = ({ width, height }: Page): Page => ({ width, height, tokens: [], rulings: [], scanned: false });

/** Makes another document of the same sender, with the same words but other numbers. */
const twinOf = (pages: readonly Page[], chance: Chance): Page[] =>
  pages.map((page) => ({
    ...page,
    tokens: page.tokens.map((token) =>
      /\d{2}/.test(token.text) && chance.happens(0.5)
        ? { ...token, text: token.text.replaceAll(/\d/g, () => String(chance.between(0, 9))) }
        : token,
    ),
  }));

/** Matches a number that documents about one company or transport may share: a tax number, a plate, an order number. */
const number = /^(?=(?:.*\d){3})[\p{L}\d/.-]{5,}$/u;
const numbersOf = (pages: readonly Page[]): string[] => [
  ...new Set(pages.flatMap(({ tokens }) => tokens.map(({ text }) => text).filter((text) => number.test(text)))),
];

/** Replaces some numbers of a document with those of another document, so that both are about the same transport. */
function withSharedNumbers(pages: readonly Page[], other: readonly string[], chance: Chance): readonly Page[] {
  const own = chance.shuffled(numbersOf(pages)).slice(0, chance.between(1, 4));
  const replacement = new Map(own.map((text) => [text, chance.pick(other)]));
  return pages.map((page) => ({
    ...page,
    tokens: page.tokens.map((token) => ({ ...token, text: replacement.get(token.text) ?? token.text })),
  }));
}

function ofOneTransport(documents: readonly (readonly Page[])[], chance: Chance): (readonly Page[])[] {
  const [first = [], ...others] = documents;
  const numbers = chance.shuffled(numbersOf(first)).slice(0, 5);
  return numbers.length === 0
    ? [...documents]
    : [first, ...others.map((pages) => withSharedNumbers(pages, numbers, chance))];
}

/** Inserts documents with little text after the documents whose numbers they contain. */
const withShortPapers = (documents: readonly (readonly Page[])[], chance: Chance): (readonly Page[])[] =>
  documents.flatMap((pages) => {
    const numbers = numbersOf(pages);
    const count = numbers.length > 0 && chance.happens(0.5) ? chance.between(1, 3) : 0;
    return [pages, ...Array.from({ length: count }, () => [shortPaper(numbers, chance)])];
  });

/**
 * Makes a stack of documents. In half of the stacks, all documents are about one transport. Some documents are followed
 * by another one of the same sender. A quarter of the stacks also have short documents with numbers of the document
 * before them. A third of the stacks have blank pages between documents; in some of the others, every sheet has an
 * empty back.
 */
export function stackOf(documents: readonly (readonly Page[])[], chance: Chance): StackPage[] {
  const parted = chance.happens(0.33);
  const duplex = !parted && chance.happens(0.15);
  const papers = chance.happens(0.5) ? ofOneTransport(documents, chance) : documents;
  const twins = papers.flatMap((pages) => (chance.happens(0.35) ? [pages, twinOf(pages, chance)] : [pages]));
  const all = chance.happens(0.25) ? withShortPapers(twins, chance) : twins;
  return all.flatMap((pages, index) => [
    ...(parted && index > 0 ? [{ page: blank(pages[0]!), begins: false }] : []),
    ...printed(pages, chance).flatMap((page, at) => [
      { page, begins: at === 0 },
      ...(duplex ? [{ page: blank(page), begins: false }] : []),
    ]),
  ]);
}

import { kindOf, type DocumentKind } from "../kinds/kind-of.ts";
import { kindFeatures } from "../kinds/kind-features.ts";
import { foldText } from "../know/fold.ts";
import { numberingOf, type Numbering } from "../quality/numbering.ts";
import type { Surroundings } from "../understand/labels/values.ts";

/** What of a page tells whether a document begins on it. */
export interface PageSketch {
  blank: boolean;
  kind: DocumentKind;
  confidence: number;
  numbering?: Numbering;
  /** Words that stand at the top in the trade's own meaning: titles, numbers. */
  tops: Set<string>;
  /** Codes with digits, by which pages of one document know each other. */
  codes: Set<string>;
  /** The first lines, folded: letterheads repeat, titles do not. */
  head: Set<string>;
  /** Where the last line stands, as a part of the page. */
  filled: number;
  /** Width over height, and whether it is a scan. */
  shape: number;
  scanned: boolean;
}

const headLines = 6;
/** Fewer are a speck or the number of a page. */
const fewestLetters = 8;

/**
 * @param around the page alone
 * @param blank what its pixels say, where it is a picture; a page that is text is blank where it has none
 */
export function sketchOf(around: Surroundings, blank?: boolean): PageSketch {
  const { segments, pages } = around.marks.layout;
  const [page] = pages;
  const texts = segments.map(({ text }) => foldText(text));
  const [likeliest] = kindOf(around);
  const numbering = numberingOf(segments);
  const features = [...kindFeatures(around)];
  const height = page?.height || 1;
  return {
    blank: texts.join("").length < fewestLetters && (blank ?? !page?.scanned),
    kind: likeliest?.kind ?? "other",
    confidence: likeliest?.confidence ?? 0,
    ...(numbering && { numbering }),
    tops: new Set(features.filter(([name, strength]) => name.startsWith("top:") && strength > 0).map(([name]) => name)),
    codes: new Set(texts.flatMap((text) => text.match(/[a-z]*[\d][\da-z/-]{4,}/g) ?? [])),
    head: new Set(texts.slice(0, headLines)),
    filled: Math.max(0, ...segments.map(({ box }) => box.y1)) / height,
    shape: (page?.width ?? 1) / height,
    scanned: page?.scanned ?? false,
  };
}

/** Signs for a beginning and against it, each from 0 to 1. The pages before are those since the last beginning. */
export function startSigns(page: PageSketch, before: readonly PageSketch[]): Record<string, number> {
  const last = before.findLast(({ blank }) => !blank);
  const { numbering } = page;
  if (!last) return { first: 1 };
  const total = last.numbering?.of;
  return {
    always: 1,
    blankBefore: before.at(-1)?.blank ? 1 : 0,
    pageOne: numbering?.page === 1 ? 1 : 0,
    pageLater: numbering && numbering.page > 1 ? 1 : 0,
    pageNext: numbering && last.numbering && numbering.page === last.numbering.page + 1 ? 1 : 0,
    allSeen: total !== undefined && last.numbering?.page === total ? 1 : 0,
    notAllSeen: total !== undefined && (last.numbering?.page ?? 0) < total ? 1 : 0,
    otherKind: page.kind !== last.kind ? page.confidence * last.confidence : 0,
    sureKind: page.kind === "other" ? 0 : page.confidence,
    tops: Math.min(1, page.tops.size / 4),
    sameCodes: shared(page.codes, last.codes),
    noCodes: page.codes.size > 0 && shared(page.codes, last.codes) === 0 ? 1 : 0,
    sameHead: shared(page.head, last.head),
    renumbered: Math.max(...before.map(({ head }) => renumbered(page.head, head))),
    sameTops: shared(page.tops, before[0]!.tops),
    notFilled: last.filled < 0.6 ? 1 : 0,
    otherShape: Math.abs(page.shape - last.shape) > 0.05 ? 1 : 0,
    otherMaking: page.scanned === last.scanned ? 0 : 1,
  };
}

/** How many of the first lines say the same with other figures, as the next document of the same sender does. */
function renumbered(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const bare = (line: string) => line.replaceAll(/\d+/g, "#");
  const before = new Set([...other].map(bare));
  const anew = [...one].filter((line) => !other.has(line) && line !== bare(line) && before.has(bare(line)));
  return Math.min(1, anew.length / 2);
}

/** How much of the smaller of two sets is in both. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return few.size === 0 ? 0 : [...few].filter((each) => many.has(each)).length / few.size;
}

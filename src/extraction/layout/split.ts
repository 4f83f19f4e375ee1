import { ExtractionProblem } from "../problem.ts";
import type { Layout, Segment } from "./layout.ts";

/**
 * Content that is printed once in a file of several documents. `ofAll` is copied to each document; `ofNone` is dropped.
 */
export interface Common {
  ofAll: ReadonlySet<Segment>;
  ofNone: ReadonlySet<Segment>;
}

/** Maximum number of documents in one file. Each takes a few milliseconds to extract. */
const mostParts = 500;

/**
 * Splits a layout at the first segments of its documents. Segments directly before a start also belong to its document
 * if they are in its row, or if they repeat the letterhead (text above the first start).
 * @throws ExtractionProblem `too_many_pages` if there are too many documents
 */
export function splitLayout(layout: Layout, starts: readonly Segment[], common?: Common): Layout[] {
  const [first, ...others] = starts;
  if (!first || others.length === 0) return [layout];
  if (starts.length > mostParts)
    throw new ExtractionProblem(
      "too_many_pages",
      `The file has ${starts.length} documents, and the maximum is ${mostParts}. Send it in parts.`,
    );
  const letterhead = new Set(layout.segments.slice(0, first.index).map((segment) => segment.text));
  const cuts = others.map((start) => {
    let at = start.index;
    while (at > 0 && repeats(layout.segments[at - 1], start, letterhead)) at--;
    return at;
  });
  const edges = [0, ...cuts, layout.segments.length];
  return edges.slice(0, -1).map((from, index) =>
    keepSegments(layout, (segment) => {
      const own = segment.index >= from && segment.index < (edges[index + 1] ?? from);
      return (own && !common?.ofNone.has(segment)) || common?.ofAll.has(segment) === true;
    }),
  );
}

function repeats(above: Segment | undefined, start: Segment, letterhead: ReadonlySet<string>): boolean {
  return above !== undefined && (letterhead.has(above.text) || (above.page === start.page && above.row === start.row));
}

/** Returns the layout with only the wanted segments, renumbered. Pages keep their numbers. */
export function keepSegments(layout: Layout, wanted: (segment: Segment) => boolean): Layout {
  const kept = new Map(layout.segments.filter(wanted).map((segment, index) => [segment, { ...segment, index }]));
  const pages = layout.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => row.flatMap((segment) => kept.get(segment) ?? [])).filter((row) => row.length > 0),
  }));
  return { pages, segments: [...kept.values()], parts: layout.parts };
}

/** Returns the layout without quoted mails. If all of it is quoted, it is returned unchanged. */
export function newestMail(layout: Layout): Layout {
  const quoted = layout.segments.filter((segment) => layout.parts[segment.part]?.quoted);
  if (quoted.length === 0 || quoted.length === layout.segments.length) return layout;
  return keepSegments(layout, (segment) => !layout.parts[segment.part]?.quoted);
}

const mailHead =
  /^(?:-{3,}|_{5,}|\W{0,2}(?:from|von|de|da|van|od|från|fra|lähettäjä|feladó|de la|от|від|saatja|no|nuo|sent|gesendet|envoyé|enviado|inviato|data|verzonden|wysłano|odesláno|odoslané|elküldve|trimis|skickat|sendt|lähetetty|отправлено|надіслано|date|datum|fecha|to|an|à|a|para|aan|do|komu|címzett|către|till|til|vastaanottaja|кому|cc|kopia|kopie|kopi|subject|betreff|objet|asunto|oggetto|onderwerp|temat|předmět|predmet|tárgy|subiect|ämne|emne|aihe|тема|assunto|tēma|tema|teema)\s?:)/iu;

/** Returns the layout without the header lines that mail programs put above quoted mails. */
export function withoutMailHeads(layout: Layout): Layout {
  const heads = new Set<Segment>();
  for (const segment of layout.segments) {
    const before = layout.segments[segment.index - 1];
    const first = !before || before.part !== segment.part;
    if (layout.parts[segment.part]?.quoted && mailHead.test(segment.text) && (first || heads.has(before)))
      heads.add(segment);
  }
  return heads.size === 0 ? layout : keepSegments(layout, (segment) => !heads.has(segment));
}

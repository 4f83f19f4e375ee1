import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import words from "../../lexicon/invoice-kind-words.json" with { type: "json" };
import { findLabels } from "../../lexicon/lexicon.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/segment.ts";
import { segmentValue } from "../field-values.ts";
import { scores } from "./scores.ts";
import type { InvoiceView } from "./view.ts";

type Kind = NonNullable<InvoiceView["kind"]>;

const plain = (text: string) => ` ${foldText(text).replace(/[^\p{L}\p{N}§]+/gu, " ")}`;
const phrases = Object.fromEntries(
  Object.entries(words).map(([kind, list]) => [kind, list.map((word) => plain(word).trimEnd())]),
) as Record<keyof typeof words, string[]>;

const maxPages = 3;
const topRows = 14;
const longestTitle = 140;
/** Letters before the words of a title: a number, a name, another word for invoice. */
const lettersBefore = 40;

/** Finds the first row that names the kind by one of its own words. */
function named(rows: readonly Segment[][], kind: keyof typeof words, before = Infinity): Segment | undefined {
  const row = rows.find((segments) => {
    const line = plain(segments.map(({ text }) => text).join(" "));
    return phrases[kind].some((phrase) => {
      const at = line.indexOf(phrase);
      return at >= 0 && at <= before;
    });
  });
  return row?.[0];
}

const titled: readonly (readonly [Kind, ConceptId])[] = [
  ["Proforma", "titleProforma"],
  ["CreditNote", "titleCreditNote"],
  ["Invoice", "titleInvoice"],
];

/**
 * Finds the kind by the words of its title. A document that is extracted as an invoice is one, or a credit note if its
 * total is negative.
 */
export function kindIn(document: DocumentContext, total: number | undefined): FieldValue<Kind> {
  const selfBilled = selfBilledIn(document);
  if (selfBilled) return segmentValue("SelfBilled", selfBilled, scores.kind.selfBilled);
  const { layout, labels } = document.annotations;
  const titles = layout.pages
    .flatMap(({ rows }) => rows)
    .filter((row) => row.every((segment) => onTop(document, segment)) && lettersIn(row) <= longestTitle);
  for (const kind of ["Correction", "Prepayment"] as const) {
    const title = named(titles, kind, lettersBefore);
    if (title) return segmentValue(kind, title, scores.kind.title);
  }
  const ownTitle = labels
    .filter(({ segment, standing }) => standing !== "Loose" && onTop(document, segment))
    .flatMap((label) => {
      const concepts = titlesOf(label);
      const kind = titled.find(([, concept]) => concepts.has(concept));
      return kind ? [new FieldValue(kind[0], scores.kind.title, label)] : [];
    })
    .find(({ value }, _, all) => value !== "Invoice" || all.length === 1 || all.every((each) => each.value === value));
  if (ownTitle) return ownTitle;
  const negative = total !== undefined && total < 0;
  return new FieldValue<Kind>(negative ? "CreditNote" : "Invoice", scores.kind.untitled);
}

const lettersIn = (row: readonly Segment[]) => row.reduce((sum, { text }) => sum + text.length, 0);

function onTop({ annotations, prose }: DocumentContext, segment: Segment): boolean {
  const height = annotations.layout.pages[segment.page - 1]?.height ?? 842;
  const isFirst = segment.row < topRows || segment.box.y0 < height * scores.page.titles;
  return segment.page <= maxPages && isFirst && !prose.has(segment);
}

/** A label for the number of a document begins with its title, as in "Nota di credito n.". */
function titlesOf({ segment, start, end, meanings }: Label): ReadonlySet<ConceptId> {
  const within = meanings.some(({ concept }) => concept === "invoiceNumber")
    ? findLabels(segment.text.slice(start, end).replace(/\s\P{L}*\p{L}{1,3}\P{L}*$/u, ""))
    : [];
  return new Set([...meanings, ...within].map(({ concept }) => concept));
}

const gutschrift = /^[^\p{L}]*(?:fracht)?gutschrift(?!s?konto)(?![\p{L}])/u;
const credits =
  /schreiben (?:wir )?(?:ihnen|sie)?.{0,40}\bgut\b|wir vergut|vergutung fur|gutgeschrieben|rechnen (?:wir|uber).{0,60}\bab\b|auszahlung|uberweisen .{0,60}auf ihr konto/u;
const corrects =
  /zu (?:ihrer |unserer )?rechnung|rechnungskorrektur|korrektur|storno|reklamation|ruckerstattung|bonus|rabatt/u;

/**
 * Finds the text that shows that the buyer issued the invoice for the seller. A German "Gutschrift" is self-billed if its
 * text credits a service and corrects no invoice.
 */
export function selfBilledIn({ annotations }: DocumentContext): Segment | undefined {
  const rows = annotations.layout.pages.slice(0, maxPages).flatMap((page) => page.rows);
  const explicit = named(rows, "SelfBilled");
  if (explicit) return explicit;
  const segments = rows.flat();
  const texts = segments.map(({ text }) => foldText(text));
  const credited = texts.some((text) => credits.test(text)) && !texts.some((text) => corrects.test(text));
  return credited ? segments[texts.findIndex((text) => gutschrift.test(text))] : undefined;
}

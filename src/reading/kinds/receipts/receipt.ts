import type { MailHead } from "../../document.ts";
import type { ConceptId } from "../../know/concepts.ts";
import { fold, foldText } from "../../know/fold.ts";
import categories from "../../know/receipt-words.json" with { type: "json" };
import type { Check, Reading, ReadingContext } from "../../reading.ts";
import type { SeeingContext } from "../../see/entity.ts";
import { hasVatCheck, isVatValid } from "../../see/vat.ts";
import { addressesOf } from "../../understand/address.ts";
import { areasOf } from "../../understand/areas.ts";
import { codesFor } from "../../understand/codes.ts";
import { doubted } from "../../understand/confidence.ts";
import { Found, settle, type Draft } from "../../understand/found.ts";
import type { Segment } from "../../understand/layout.ts";
import { sightings, type Sighting } from "../../understand/marks.ts";
import { addressOf, nameOf, type Block, type PartyDraft } from "../../understand/party.ts";
import { taxNumberOf } from "../../understand/tax-numbers.ts";
import { titled } from "../../understand/titles.ts";
import type { Surroundings } from "../../understand/values.ts";
import { vehiclesIn } from "../../understand/vehicles.ts";
import { completed } from "../../understand/windows.ts";
import type { ReceiptView } from "../../views/receipt.ts";
import { totalsIn } from "../invoices/totals.ts";
import { kindOf, type DocumentKind } from "../kind-of.ts";
import { itemsIn } from "./items.ts";

type ReceiptDraft = NonNullable<Draft<ReceiptView>>;
type Category = NonNullable<ReceiptView["category"]>;

/** What a receipt calls itself. */
export const receiptTitles: readonly ConceptId[] = ["titleReceipt", "receiptNumber"];

const otherTitles: readonly ConceptId[] = ["titleTransportOrder", "titleCmr", "titleFine", "titleInsurance"];
const others: ReadonlySet<DocumentKind> = new Set(["fine", "insurance", "cmr", "driver-document"]);
const [fewWords, likely, certain] = [320, 0.75, 0.9];

/** Whether the page is of another kind: surely, where it calls itself a receipt. An invoice that does is both. */
function isAnother(around: Surroundings, named: boolean): boolean {
  const [first] = kindOf(around);
  if (!first || first.confidence < (named ? certain : likely)) return false;
  return others.has(first.kind) || (first.kind === "invoice" && !named);
}

/** Reads a till receipt, or undefined where the words are none. */
export function readReceipt(
  around: Surroundings,
  seeing: SeeingContext,
  _context: ReadingContext,
  _mail: MailHead | undefined,
): Reading<ReceiptView> | undefined {
  const totals = totalsIn(around, seeing, undefined);
  const paid = totals.grossAmount ?? totals.netAmount;
  const named = around.marks.labels.some(({ meanings }) =>
    meanings.some(({ concept }) => receiptTitles.includes(concept)),
  );
  const short = around.marks.layout.segments.reduce((sum, { tokens }) => sum + tokens.length, 0) <= fewWords;
  if (!paid || isAnother(around, named) || (!named && (!short || titled(around, otherTitles)))) return undefined;
  const { data, evidence } = settle<ReceiptView>(draftOf(around, seeing, totals), around.marks.layout.pages);
  const checks = checksOf(data);
  return { data, evidence: doubted(evidence, checks), checks };
}

function draftOf(around: Surroundings, seeing: SeeingContext, totals: ReturnType<typeof totalsIn>): ReceiptDraft {
  const items = itemsIn(around, seeing, totals);
  const { vehicles, trailers } = vehiclesIn(around);
  const [plate] = [...vehicles, ...trailers];
  const draft: ReceiptDraft = {
    number: numberIn(around),
    issuedAt: momentIn(around, seeing),
    merchant: merchantIn(around),
    category: categoryOf(
      around,
      items.flatMap(({ description }) => description?.piece?.segment ?? []),
    ),
    items,
    ...totals,
    licensePlate: plate,
    cardLast4: cardIn(around),
    odometer: odometerIn(around),
  };
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as ReceiptDraft;
}

function numberIn(around: Surroundings): Found<string> | undefined {
  const ranks: readonly (readonly ConceptId[])[] = [
    ["receiptNumber"],
    ["titleReceipt", "invoiceNumber"],
    ["orderNumber", "titleInvoice"],
  ];
  for (const concepts of ranks) {
    const best = codesFor(around, concepts).find(({ score, label }) => score >= 0.25 && label.standing !== "Loose");
    if (best) return new Found(best.piece.text, best.score, best.piece);
  }
  return undefined;
}

const nearestRows = 3;

/** The day with the clock time printed beside it or close to it. */
function momentIn(around: Surroundings, seeing: SeeingContext): Found<string> | undefined {
  const days = sightings(around.marks, "Date").filter(({ entity }) => entity.score >= 0.4);
  const times = sightings(around.marks, "Time").filter(
    ({ entity, segment }) =>
      entity.value.from !== undefined &&
      entity.score >= 0.4 &&
      /\d[:.h]\s?\d\d/.test(segment.text.slice(entity.start, entity.end)),
  );
  const away = (day: Sighting<"Date">, time: Sighting<"Time">) =>
    day.segment.page === time.segment.page ? Math.abs(day.segment.row - time.segment.row) : Number.POSITIVE_INFINITY;
  const pairs = days.flatMap((day) => times.map((time) => ({ day, time, rows: away(day, time) })));
  const [closest] = pairs.filter(({ rows }) => rows <= nearestRows).sort((a, b) => a.rows - b.rows);
  const day = closest?.day ?? days.find(({ entity }) => entity.value.year !== undefined) ?? days[0];
  if (!day) return undefined;
  const minutes = closest?.time.entity.value.from;
  const date = completed(day.entity.value, seeing);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock =
    minutes === undefined || minutes >= 1440 ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return new Found(date + clock, closest ? 0.85 : 0.7, {
    segment: day.segment,
    start: day.entity.start,
    end: day.entity.end,
  });
}

const topRows = 4;

/** The first address of the receipt; without one the company or the words on its top. */
function merchantIn(around: Surroundings): PartyDraft | undefined {
  const [address] = addressesOf(around.marks, around.countries);
  const company = sightings(around.marks, "Company").find(({ entity }) => entity.score >= 0.4);
  const name =
    company &&
    new Found(company.entity.value, 0.7, {
      segment: company.segment,
      start: company.entity.start,
      end: company.entity.end,
    });
  const block: Block<string> = {
    role: "Merchant",
    ...(address && { address }),
    ...(name && { name }),
    confidence: 0.85,
  };
  const named = nameOf(block);
  const top = named.name ? named : topName(around);
  const located = addressOf(block);
  const street = located.street ?? (address && streetAbove(around, address.place.segment));
  const draft = {
    ...top,
    ...taxNumberOf(around, block, () => true, [block], new Set()),
    ...located,
    ...(street && { street }),
  };
  return Object.keys(draft).length > 0 ? draft : undefined;
}

/** On a till roll every line is centred: the street is the whole line above the town. */
function streetAbove({ marks }: Surroundings, place: Segment): Found<string> | undefined {
  const rows = marks.layout.pages[place.page - 1]?.rows ?? [];
  const at = rows.findIndex((row) => row.includes(place));
  const [line, ...others] = rows[at - 1] ?? [];
  if (!line || others.length > 0 || !/\p{L}{3}.*\d/u.test(line.text) || line.text.length > 40) return undefined;
  const labelled = (marks.labelsIn[line.index] ?? []).some(({ standing }) => standing === "Head");
  return labelled ? undefined : new Found(line.text, 0.7, { segment: line, start: 0, end: line.text.length });
}

function topName({ marks }: Surroundings): PartyDraft {
  const segment = marks.layout.segments
    .filter(({ page, row }) => page === 1 && row < topRows)
    .find(
      ({ text, index }) => /\p{L}{3}/u.test(text) && !/\d{3}/.test(text) && (marks.labelsIn[index] ?? []).length === 0,
    );
  return segment ? { name: new Found(segment.text, 0.5, { segment, start: 0, end: segment.text.length }) } : {};
}

const words = Object.entries(categories).map(
  ([category, list]) => [category as Category, list.map((word) => ` ${foldText(word)} `)] as const,
);

/** By the words of what was bought, else by those of the whole receipt. */
function categoryOf(around: Surroundings, bought: readonly Segment[]): Found<Category> | undefined {
  for (const [segments, confidence] of [
    [bought, 0.9],
    [around.marks.layout.segments, 0.7],
  ] as const) {
    const hits = segments.flatMap((segment) => {
      const text = ` ${fold(segment.text).text.replace(/[^\p{L}\p{N}]+/gu, " ")} `;
      return words.flatMap(([category, list]) =>
        list.some((word) => text.includes(word)) ? [{ category, segment }] : [],
      );
    });
    const [first] = [...Map.groupBy(hits, ({ category }) => category).values()].sort((a, b) => b.length - a.length);
    const hit = first?.[0];
    if (hit)
      return new Found(hit.category, confidence, { segment: hit.segment, start: 0, end: hit.segment.text.length });
  }
  return undefined;
}

/** Points hide a number only in groups of four: a row of them leads the eye to a sum. */
const masked = /(?<![*x•#·.\p{L}\p{N}])(?:[*x•#·][*x•#· -]{3,24}|(?:\.{4} ){2}\.{4} ?)(\d{4})(?![\d.,])/iu;
const cardDigits = /(?:\d[ -]?){8,19}|(?<![\d.,])\d{4}$/u;

/** The last four digits of the card: behind its stars, or of a number behind a label for cards. */
function cardIn(around: Surroundings): Found<string> | undefined {
  for (const segment of around.marks.layout.segments) {
    const match = masked.exec(segment.text);
    if (match?.[1]) {
      const end = match.index + match[0].length;
      return new Found(match[1], 0.85, { segment, start: end - 4, end });
    }
  }
  for (const label of around.marks.labels) {
    if (!label.meanings.some(({ concept }) => concept === "cardNumber")) continue;
    for (const { segment, start, end, order } of areasOf(around.marks, label)) {
      const digits = order === 0 ? cardDigits.exec(segment.text.slice(start, end)) : null;
      const last = digits?.[0].replace(/\D/gu, "").slice(-4);
      if (digits && last)
        return new Found(last, 0.75, {
          segment,
          start: start + digits.index,
          end: start + digits.index + digits[0].length,
        });
    }
  }
  return undefined;
}

const distance = /\d{1,3}(?:[ .,']\d{3})+|\d{3,7}/u;

/** Kilometres behind their label. */
function odometerIn(around: Surroundings): Found<number> | undefined {
  for (const label of around.marks.labels) {
    if (!label.meanings.some(({ concept, weight }) => concept === "odometer" && weight >= 0.5)) continue;
    for (const { segment, start, end, order } of areasOf(around.marks, label)) {
      const match = order === 0 ? distance.exec(segment.text.slice(start, end)) : null;
      if (!match) continue;
      const value = Number(match[0].replace(/\D/gu, ""));
      return new Found(value, 0.8, { segment, start: start + match.index, end: start + match.index + match[0].length });
    }
  }
  return undefined;
}

const cent = 0.011;

/** Looks at whether the sums of a receipt and its items agree, and at the merchant's tax number. */
export function checksOf({ netAmount, vatAmount, grossAmount, items = [], merchant }: ReceiptView): Check[] {
  const checks: Check[] = [];
  const add = (name: string, passed: boolean, detail: string, pointers: string[]) =>
    checks.push({ name, passed, detail, pointers: passed ? [] : pointers });
  if (netAmount !== undefined && vatAmount !== undefined && grossAmount !== undefined) {
    const passed = Math.abs(netAmount + vatAmount - grossAmount) <= cent;
    add("NetAndVatMakeGross", passed, `${netAmount} and ${vatAmount} of tax make ${grossAmount}.`, [
      "/netAmount",
      "/vatAmount",
      "/grossAmount",
    ]);
  }
  const sums = items.map((item) => item.grossAmount);
  if (sums.length > 0 && grossAmount !== undefined) {
    const sum = sums.reduce<number>((total, each) => total + (each ?? 0), 0);
    const passed = [grossAmount, netAmount].some(
      (whole) => whole !== undefined && Math.abs(sum - whole) <= cent * sums.length,
    );
    add("ItemsMakeTotal", passed, `The items make ${Math.round(sum * 100) / 100}.`, ["/grossAmount"]);
  }
  const vatCode = merchant?.vatCode;
  if (vatCode && hasVatCheck(vatCode))
    add("VatCodeChecksum", isVatValid(vatCode), `The check digits of ${vatCode} are right.`, ["/merchant/vatCode"]);
  return checks;
}

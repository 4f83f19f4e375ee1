import { findCountryNames, findCountryPairs, findPostalAreas } from "../../entities/coarse-places.ts";
import { byPosition } from "../../entities/line-spans.ts";
import type { Day } from "../../entities/calendar.ts";
import { findRelativeDates } from "../../entities/relative-dates.ts";
import { findReeferTemperatures, findShortAmounts, findShortDates } from "../../entities/shorthand.ts";
import type { DocumentLocale, Entity } from "../../entities/entity.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { threatsIn, type TransportAnalysis } from "../transport.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { findRequirements, type RequirementMatch } from "../../lexicon/requirements.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { cargoIn, type CargoDraft } from "../../fields/goods/cargo.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { goodsUnderLabel } from "../../fields/goods/goods.ts";
import { trailersNamed } from "../../fields/vehicles/trailers.ts";
import type { OpportunityView } from "./view.ts";
import { cargoByStop } from "../order/locations.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { paymentsIn } from "../../fields/money/payments.ts";

/** Whether a piece of a line stands between commas or the like, alone or with "ca." before it: "…, 12 pal, 60 days". */
export function standsAlone({ segment: { text }, entity: { start, end } }: LocatedEntity): boolean {
  const before = text.slice(0, start).replace(/(?:\b(?:ca|approx|about)\.?|~)\s*$/iu, "");
  return /(?:^|[.,;|:(–/-])\s*$/u.test(before) && /^\s*(?:$|[,;|)–/-]|\.(?!\d))/u.test(text.slice(end));
}

/**
 * The document as people read requests: with what is told in few letters or from the day of writing ("DE 34", "450e",
 * "Thursday"), and with its sentences read as well as its lists.
 */
export function withQuoteWords(document: DocumentContext, locale: DocumentLocale): DocumentContext {
  const { annotations: marks } = document;
  const entitiesIn = marks.layout.segments.map(({ text, written = locale.today }, at) => {
    document.budget.check();
    return seenAlso(text, marks.entitiesIn[at] ?? [], written, locale);
  });
  return { ...document, prose: threatsIn(document), annotations: { ...marks, entitiesIn } };
}

function seenAlso(
  text: string,
  seen: readonly Entity[],
  written: Day,
  { languages, dateOrder }: DocumentLocale,
): Entity[] {
  const areas = findPostalAreas(text, seen);
  const kept = seen.filter((entity) => !areas.some((area) => rivals(area, entity)));
  const countries = [...findCountryPairs(text), ...findCountryNames(text, kept)].filter(
    (country) =>
      ![...areas, ...kept].some(
        ({ type, start, end }) => type === "Place" && start < country.end && end > country.start,
      ),
  );
  const placed = [...kept, ...areas, ...countries];
  const money = findShortAmounts(text, placed);
  const days = findShortDates(text, written, dateOrder === "MDY", [...placed, ...money]);
  const dated = [...placed, ...days].filter((entity) => !money.some((sum) => rivals(sum, entity)));
  const cold = findReeferTemperatures(text, dated);
  return [...dated, ...money, ...cold, ...findRelativeDates(text, written, languages, dated)].sort(byPosition);
}

/** What a clearer reading of the same letters replaces. */
function rivals(clear: Entity, other: Entity): boolean {
  return other.start < clear.end && other.end > clear.start && other.type !== "Company" && other.type !== "Email";
}

type RequirementsDraft = NonNullable<FieldValues<OpportunityView>["requirements"]>;

/** What a request asks of the vehicle, and what the goods are called. */
interface Needs {
  requirements: RequirementsDraft;
  goods?: FieldValue<string>;
}

const adr = "1";
const kilogramsATonne = 1000;

/** Reads what is to be carried, by the stops where they say so, else by the whole request. */
export function requirementsOf(understanding: TransportAnalysis): Needs {
  const { document } = understanding;
  const load = loadOf(understanding);
  const words = askedIn(document);
  const notAdr = load.adr?.value === false;
  const capabilities = numbersOf(words, "capabilities").filter(({ value }) => !notAdr || value !== Number(adr));
  if (load.adr?.value === true && !capabilities.some(({ value }) => value === Number(adr)))
    capabilities.unshift(load.adr.as(Number(adr)));
  const trailers = trailersNamed(document).map((trailer) => trailer.as(Number(trailer.value)));
  const whole = wholeLoad(document);
  const labelled = goodsUnderLabel(document, () => true);
  const goods = labelled && labelled.confidence >= sureGoods ? labelled : goodsBehind(document);
  const [side] = words.filter(({ word }) => word.field === "loadingSides");
  const vehicles = numbersOf(words, "vehicleTypes");
  const { temeratureFrom: min, temeratureTo: max, refrigeratorUnitMode: regime } = load;
  return {
    requirements: {
      ...(trailers.length > 0 && { trailerTypes: trailers }),
      ...(vehicles.length > 0 && { vehicleTypes: vehicles }),
      ...(side && { loadingSide: wordValue(side, side.word.id as "Back", 0.7) }),
      ...(load.weight && { capacity: load.weight.as(tonnes(load.weight.value)) }),
      ...(load.pallets && { pallets: load.pallets }),
      ...(load.palletsExchange && { palletsExchange: load.palletsExchange }),
      ...(load.ldm && { ldm: load.ldm }),
      ...(whole && { ftl: whole }),
      ...((min ?? max ?? regime) && {
        temperature: { ...(min && { min }), ...(max && { max }), ...(regime && { regime }) },
      }),
      ...(capabilities.length > 0 && { capabilities: capabilities.sort((a, b) => a.value - b.value) }),
    },
    ...(goods && { goods }),
  };
}

/** A word for goods of another language is hardly one: "merci" is Italian for them. */
const sureGoods = 0.65;
const tonnes = (kilograms: number) => Math.round((kilograms / kilogramsATonne) * 1000) / 1000;

const summed = ["weight", "pallets", "ldm"] as const;

/** What all loadings give together; what no stop says, the request says as a whole. */
function loadOf(understanding: TransportAnalysis): CargoDraft {
  const { document, route } = understanding;
  const whole = cargoIn(document, () => true);
  const loads = [...cargoByStop(understanding)].flatMap(([{ kind }, cargo]) => (kind === "Loading" ? [cargo] : []));
  if (route.stops.length < 2 || loads.length < 2) return whole;
  const sums = summed.flatMap((name) => {
    const parts = loads.flatMap((load) => load[name] ?? []);
    const [first] = parts;
    const total = Math.round(parts.reduce((sum, { value }) => sum + value, 0) * 100) / 100;
    return first && parts.length > 1 ? [[name, first.as(total, "Computed")] as const] : [];
  });
  return { ...whole, ...Object.fromEntries(sums) };
}

const goodsUnits: ReadonlySet<string> = new Set(["kg", "t", "lb", "pallets", "pieces"]);
/** "24 t of tiles", "12 Paletten Fliesen": the words right behind a measure, up to the next sign or figure. */
const named =
  /^ (?:(?:of|de|di|du|des|da|von|mit|with|met|med|ar|su) |d['’])?(\p{L}[\p{L}'’-]{3,}(?: \p{L}[\p{L}'’-]+){0,3}?)(?=$|[,.;:()/+\n]| [-–] | (?:z|ze|from|von|de|da|van|to|nach|do|ex|ab|od|für|for|em|in|en|na|an|am) )/u;
const minLetters = 5;

function goodsBehind({ annotations: marks, prose }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, entity } of entitiesOfType(marks, "Quantity")) {
    const match = named.exec(segment.text.slice(entity.end));
    if (!match?.[1] || match[1].length < minLetters || prose.has(segment) || !goodsUnits.has(entity.value.unit))
      continue;
    const end = entity.end + match[0].length;
    const start = end - match[1].length;
    const taken = [...(marks.entitiesIn[segment.index] ?? []), ...(marks.labelsIn[segment.index] ?? [])].some(
      (other) => other.start < end && other.end > start && !("type" in other && other.type === "Reference"),
    );
    if (!taken && findTrailers(match[1]).length === 0) return new FieldValue(match[1], 0.5, { segment, start, end });
  }
  return undefined;
}

interface Asked {
  word: RequirementMatch;
  segment: Segment;
}

/** The words for special equipment that are not taken back: "tail lift not needed". */
function askedIn({ annotations: marks, prose }: DocumentContext): Asked[] {
  return marks.layout.segments
    .filter((segment) => !prose.has(segment))
    .flatMap((segment) => findRequirements(segment.text).map((word) => ({ word, segment })))
    .filter(({ word, segment }) => !denied(segment, word) && !inName(marks.entitiesIn[segment.index] ?? [], word));
}

const before = 14;
const behind = 18;

function denied({ text }: Segment, { start, end }: { start: number; end: number }): boolean {
  const ahead =
    text
      .slice(Math.max(0, start - before), start)
      .split(/[,;.]/u)
      .at(-1) ?? "";
  const after = text.slice(end, end + behind).split(/[,;.]/u)[0] ?? "";
  return containsAnswer("no", ahead) || containsAnswer("no", after);
}

function inName(
  entities: readonly { type: string; start: number; end: number }[],
  { start, end }: RequirementMatch,
): boolean {
  return entities.some(
    (entity) =>
      ["Company", "Street", "Email", "Link"].includes(entity.type) && entity.start <= start && entity.end >= end,
  );
}

function wordValue<T>({ segment, word: { start, end } }: Asked, value: T, confidence: number): FieldValue<T> {
  return new FieldValue(value, confidence, { segment, start, end });
}

function numbersOf(words: readonly Asked[], asked: RequirementMatch["field"]): FieldValue<number>[] {
  const byId = new Map<string, FieldValue<number>>();
  for (const each of words)
    if (each.word.field === asked && !byId.has(each.word.id))
      byId.set(each.word.id, wordValue(each, Number(each.word.id), 0.75));
  return [...byId.values()];
}

/** A full load or a part of one, by the first word that says so. */
function wholeLoad({ annotations: marks, prose }: DocumentContext): FieldValue<boolean> | undefined {
  const means = (concept: ConceptId) =>
    marks.labels.find(
      (label) =>
        !prose.has(label.segment) &&
        !denied(label.segment, label) &&
        label.meanings.some((each) => each.concept === concept && each.weight >= 0.5),
    );
  const [full, part] = [means("fullLoad"), means("partLoad")];
  const first = full && part ? (full.index <= part.index ? full : part) : (full ?? part);
  return first && new FieldValue(first === full, 0.75, first);
}

type PaymentDraft = NonNullable<FieldValues<OpportunityView>["payment"]>;

const otherSums: ReadonlySet<ConceptId> = new Set([
  "cargoValue",
  "penalties",
  "pricePerKm",
  "unitPrice",
  "vatAmount",
  "waitingTime",
  "toll",
  "fuelSurcharge",
  "additionalStop",
  "extraCharges",
]);
const minPrice = 40;
const maxPrice = 30_000;
const surePrice = 0.6;

/** The price wanted or offered: behind a word for it, else the only sum of money; and the days to pay in. */
export function requestedPayment(document: DocumentContext): PaymentDraft {
  const { price, currency, paymentDays } = paymentsIn(document);
  const named = price && price.value >= minPrice ? price : undefined;
  const only = named ? undefined : onlySum(document);
  const own = only?.entity.value.currency;
  const term = paymentDays ?? onlyDays(document);
  return {
    ...(named && { from: named, ...(currency && { currency }) }),
    ...(only && {
      from: amountValue(only, only.entity.value.amount),
      ...(own && { currency: amountValue(only, own) }),
    }),
    ...(term && { term }),
  };
}

function amountValue<T>({ segment, entity }: LocatedEntity<"Amount">, value: T): FieldValue<T> {
  return new FieldValue(value, 0.3 + 0.4 * entity.score, { segment, start: entity.start, end: entity.end });
}

function onlySum(document: DocumentContext): LocatedEntity<"Amount"> | undefined {
  const sums = entitiesOfType(document.annotations, "Amount").filter(({ segment, entity }) => {
    const label = labelOf(document.annotations, segment, entity.start);
    const near = (document.annotations.labelsIn[segment.index] ?? []).findLast(
      ({ end }) => end <= entity.start && entity.start - end < 20,
    );
    const other = [label, near].some((each) => each?.meanings.some(({ concept }) => otherSums.has(concept)));
    const { amount, currency } = entity.value;
    const isPrice = currency !== undefined || entity.score >= surePrice;
    if (isNamed(document, segment, entity.start)) return false;
    return isPrice && entity.score >= surePrice && amount >= minPrice && amount <= maxPrice && !other;
  });
  const amounts = new Set(sums.map(({ entity }) => entity.value.amount));
  return amounts.size === 1 ? sums[0] : undefined;
}

/** Whether the word before a sum says what it is, and is none for a price: "goods worth 25 000 EUR". */
function isNamed({ annotations: marks }: DocumentContext, { text, index }: Segment, at: number): boolean {
  const end = text.slice(0, at).trimEnd().length;
  if (!/\p{L}{3}$/u.test(text.slice(0, end))) return false;
  const entities = [...(marks.labelsIn[index] ?? []), ...(marks.entitiesIn[index] ?? []), ...findTrailers(text)];
  return !entities.some((each) => each.start < end && each.end >= end);
}

const minTermLength = 7;
const maxTermLength = 120;

/** "…, 60 days": a single number of days that no journey takes, and that no sentence speaks of. */
function onlyDays(document: DocumentContext): FieldValue<number> | undefined {
  const days = entitiesOfType(document.annotations, "Quantity").filter(({ segment, entity }) => {
    const label = labelOf(document.annotations, segment, entity.start);
    const { unit, amount } = entity.value;
    const transit = label?.meanings.some(({ concept }) => concept === "transitTime") ?? false;
    return unit === "days" && amount >= minTermLength && amount <= maxTermLength && !transit;
  });
  const [only] = days;
  return only && days.length === 1 && standsAlone(only)
    ? new FieldValue(Math.round(only.entity.value.amount), 0.4, {
        segment: only.segment,
        start: only.entity.start,
        end: only.entity.end,
      })
    : undefined;
}

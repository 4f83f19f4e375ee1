import { findCountryNames, findCountryPairs, findPostalAreas } from "../../entities/coarse-places.ts";
import { byPosition } from "../../entities/line-spans.ts";
import type { Day } from "../../entities/calendar.ts";
import { findRelativeDates } from "../../entities/relative-dates.ts";
import { findReeferTemperatures, findShortAmounts, findShortDates } from "../../entities/shorthand.ts";
import type { DocumentLocale, Entity } from "../../entities/entity.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { conditionsIn, type TransportAnalysis } from "../transport.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { findRequirements, type RequirementMatch } from "../../lexicon/requirements.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { cargoIn, type CargoDraft } from "../../fields/goods/cargo.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { goodsUnderLabel } from "../../fields/goods/goods.ts";
import { withoutChatStamps } from "../../fields/short-dates.ts";
import { trailersNamed } from "../../fields/vehicles/trailers.ts";
import type { OpportunityView } from "./view.ts";
import { cargoByStop } from "../order/cargo-by-stop.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

/**
 * Whether an entity stands between commas or other separators, possibly after "ca.", as in "…, ca. 12 pal, 60 days".
 */
export function standsAlone({ segment: { text }, entity: { start, end } }: LocatedEntity): boolean {
  const before = text.slice(0, start).replace(/(?:\b(?:ca|approx|about)\.?|~)\s*$/iu, "");
  return /(?:^|[.,;|:(–/-])\s*$/u.test(before) && /^\s*(?:$|[,;|)–/-]|\.(?!\d))/u.test(text.slice(end));
}

/**
 * Adds the short forms that requests use ("DE 34", "450e", "Thursday") to the entities of the document. Sentences are
 * searched like lists, except for sentences about conditions.
 */
export function withQuoteWords(document: DocumentContext, locale: DocumentLocale): DocumentContext {
  const { annotations } = document;
  const entitiesIn = annotations.layout.segments.map(({ text, written = locale.today }, at) => {
    document.budget.check();
    return withShortForms(text, withoutChatStamps(text, annotations.entitiesIn[at] ?? []), written, locale);
  });
  return { ...document, prose: conditionsIn(document), annotations: { ...annotations, entitiesIn } };
}

function withShortForms(
  text: string,
  seen: readonly Entity[],
  written: Day,
  { languages, dateOrder }: DocumentLocale,
): Entity[] {
  const areas = findPostalAreas(text, seen);
  const kept = seen.filter((entity) => !areas.some((area) => isReplacedBy(entity, area)));
  const countries = [...findCountryPairs(text), ...findCountryNames(text, kept)].filter(
    (country) =>
      ![...areas, ...kept].some(
        ({ type, start, end }) => type === "Place" && start < country.end && end > country.start,
      ),
  );
  const placed = [...kept, ...areas, ...countries];
  const money = findShortAmounts(text, placed);
  const days = findShortDates(text, written, dateOrder === "MDY", [...placed, ...money]);
  const dated = [...placed, ...days].filter((entity) => !money.some((sum) => isReplacedBy(entity, sum)));
  const cold = findReeferTemperatures(text, dated);
  return [...dated, ...money, ...cold, ...findRelativeDates(text, written, languages, dated)].sort(byPosition);
}

/** Whether a short form replaces an entity on the same characters. It does not replace a company or a mail address. */
function isReplacedBy(entity: Entity, short: Entity): boolean {
  return entity.start < short.end && entity.end > short.start && entity.type !== "Company" && entity.type !== "Email";
}

type RequirementsDraft = NonNullable<FieldValues<OpportunityView>["requirements"]>;

interface RequestedLoad {
  requirements: RequirementsDraft;
  goods?: FieldValue<string>;
}

const adr = "1";

export function requirementsOf(analysis: TransportAnalysis): RequestedLoad {
  const { document } = analysis;
  const load = loadOf(analysis);
  const words = requirementWords(document);
  const notAdr = load.adr?.value === false;
  const capabilities = numbersOf(words, "capabilities").filter(({ value }) => !notAdr || value !== Number(adr));
  if (load.adr?.value === true && !capabilities.some(({ value }) => value === Number(adr)))
    capabilities.unshift(load.adr.as(Number(adr)));
  const trailers = trailersNamed(document).map((trailer) => trailer.as(Number(trailer.value)));
  const whole = wholeLoad(document);
  const labelled = goodsUnderLabel(document, () => true);
  const goods = labelled && labelled.confidence >= scores.goods.minLabelled ? labelled : goodsBehind(document);
  const [side] = words.filter(({ word }) => word.field === "loadingSides");
  const vehicles = numbersOf(words, "vehicleTypes");
  const { temeratureFrom: min, temeratureTo: max, refrigeratorUnitMode: regime } = load;
  return {
    requirements: {
      ...(trailers.length > 0 && { trailerTypes: trailers }),
      ...(vehicles.length > 0 && { vehicleTypes: vehicles }),
      ...(side && { loadingSide: wordValue(side, side.word.id as "Back", scores.loadingSide) }),
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

const tonnes = (kilograms: number) => Math.round((kilograms / 1000) * 1000) / 1000;

const summed = ["weight", "pallets", "ldm"] as const;

/** Weight, pallets and loading metres are summed over several loadings. */
function loadOf(analysis: TransportAnalysis): CargoDraft {
  const { document, route } = analysis;
  const whole = cargoIn(document, () => true);
  const loads = [...cargoByStop(analysis)].flatMap(([{ kind }, cargo]) => (kind === "Loading" ? [cargo] : []));
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
/** Text after a quantity: " of tiles" in "24 t of tiles", " Fliesen" in "12 Paletten Fliesen". */
const goodsAtStart =
  /^ (?:(?:of|de|di|du|des|da|von|mit|with|met|med|ar|su) |d['’])?(\p{L}[\p{L}'’-]{3,}(?: \p{L}[\p{L}'’-]+){0,3}?)(?=$|[,.;:()/+\n]| [-–] | (?:z|ze|from|von|de|da|van|to|nach|do|ex|ab|od|für|for|em|in|en|na|an|am) )/u;
const minLetters = 5;

function goodsBehind({ annotations, prose }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, entity } of entitiesOfType(annotations, "Quantity")) {
    const match = goodsAtStart.exec(segment.text.slice(entity.end));
    if (!match?.[1] || match[1].length < minLetters || prose.has(segment) || !goodsUnits.has(entity.value.unit))
      continue;
    const end = entity.end + match[0].length;
    const start = end - match[1].length;
    const taken = [
      ...(annotations.entitiesIn[segment.index] ?? []),
      ...(annotations.labelsIn[segment.index] ?? []),
    ].some((other) => other.start < end && other.end > start && !("type" in other && other.type === "Reference"));
    if (!taken && findTrailers(match[1]).length === 0)
      return new FieldValue(match[1], scores.goods.behindQuantity, { segment, start, end });
  }
  return undefined;
}

interface RequirementWord {
  word: RequirementMatch;
  segment: Segment;
}

/** Negated words, as in "tail lift not needed", are left out. */
function requirementWords({ annotations, prose }: DocumentContext): RequirementWord[] {
  return annotations.layout.segments
    .filter((segment) => !prose.has(segment))
    .flatMap((segment) => findRequirements(segment.text).map((word) => ({ word, segment })))
    .filter(
      ({ word, segment }) => !isNegated(segment, word) && !inName(annotations.entitiesIn[segment.index] ?? [], word),
    );
}

/** Maximum number of characters between a negation and the word that it negates. */
const [reachBefore, reachBehind] = [14, 18];

function isNegated({ text }: Segment, { start, end }: { start: number; end: number }): boolean {
  const ahead =
    text
      .slice(Math.max(0, start - reachBefore), start)
      .split(/[,;.]/u)
      .at(-1) ?? "";
  const after = text.slice(end, end + reachBehind).split(/[,;.]/u)[0] ?? "";
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

function wordValue<T>({ segment, word: { start, end } }: RequirementWord, value: T, confidence: number): FieldValue<T> {
  return new FieldValue(value, confidence, { segment, start, end });
}

function numbersOf(words: readonly RequirementWord[], field: RequirementMatch["field"]): FieldValue<number>[] {
  const byId = new Map<string, FieldValue<number>>();
  for (const each of words)
    if (each.word.field === field && !byId.has(each.word.id))
      byId.set(each.word.id, wordValue(each, Number(each.word.id), scores.requirement));
  return [...byId.values()];
}

/** The first word for a full or part load decides. */
function wholeLoad({ annotations, prose }: DocumentContext): FieldValue<boolean> | undefined {
  const means = (concept: ConceptId) =>
    annotations.labels.find(
      (label) =>
        !prose.has(label.segment) &&
        !isNegated(label.segment, label) &&
        label.meanings.some((each) => each.concept === concept && each.weight >= thresholds.meaning),
    );
  const [full, part] = [means("fullLoad"), means("partLoad")];
  const first = full && part ? (full.index <= part.index ? full : part) : (full ?? part);
  return first && new FieldValue(first === full, scores.fullLoad, first);
}
